import type { TextSession, TextTurn } from '../../../src/contract/text-sessions.ts';

/** The requests of a text session. Each throws if it was refused. */
export interface TextRequests {
  create: (values: Record<string, unknown>, key: string) => Promise<TextSession>;
  read: (runId: number) => Promise<TextSession>;
  say: (runId: number, text: string, once: Once) => Promise<TextSession>;
  rewind: (runId: number, turnId: string | null, once: Once) => Promise<TextSession>;
  end: (runId: number, once: Once) => Promise<TextSession>;
  /** Whether a request was refused because the session has another revision, or is over. */
  isStale: (fault: unknown) => boolean;
}

/** What makes a repeated request the same request. */
interface Once {
  key: string;
  revision: number;
}

/** Words that have no answer. */
interface Asked extends Once {
  text: string;
  /** The turn in whose place they are said; null for the next turn. */
  insteadOf: string | null;
  /** Why there is no answer. Null while the agent thinks. */
  fault: unknown;
}

interface TextState {
  session: TextSession | null;
  asked: Asked | null;
  /** A request is under way. */
  isBusy: boolean;
  /** Why the session did not begin. */
  fault: unknown;
}

export interface TextConversation {
  get: () => TextState;
  subscribe: (listener: () => void) => () => void;
  /** Begins, or tries to again. */
  begin: () => Promise<void>;
  /** Sends what the person says. After a failure, the same words repeat the same request. */
  say: (text: string) => Promise<void>;
  /** Goes back to before a turn and says something else. */
  sayInstead: (turnId: string, text: string) => Promise<void>;
  end: () => Promise<void>;
  close: () => void;
}

/** A text session that can be rewound, and whose failed requests can be repeated. */
export function createTextSession(
  requests: TextRequests,
  { values, newKey }: { values: Record<string, unknown>; newKey: () => string },
): TextConversation {
  let state: TextState = { session: null, asked: null, isBusy: false, fault: null };
  const listeners = new Set<() => void>();
  const beginKey = newKey();
  const change = (next: Partial<TextState>): void => {
    state = { ...state, ...next };
    for (const each of listeners) each();
  };

  async function ask(session: TextSession, asked: Asked): Promise<void> {
    const runId = session.workflow_run_id;
    let now = { ...asked, fault: null };
    change({ asked: now, isBusy: true });
    try {
      const before = turnBefore(session, asked.insteadOf);
      if (before !== undefined) {
        const rewound = await requests.rewind(runId, before, { ...now, key: `${now.key}-rewind` });
        now = { ...now, revision: rewound.revision };
        change({ session: rewound, asked: now });
      }
      change({ session: await requests.say(runId, now.text, now), asked: null });
    } catch (fault) {
      // Somebody else went on with the session, or it is over: the next attempt goes on from there.
      const latest = requests.isStale(fault) ? await requests.read(runId).catch(() => null) : null;
      const next = latest === null ? now : { ...now, key: newKey(), revision: latest.revision };
      change({ asked: { ...next, fault }, ...(latest === null ? {} : { session: latest }) });
    } finally {
      change({ isBusy: false });
    }
  }

  const isOpen = () => !state.isBusy && state.session?.is_completed === false;
  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    begin: async () => {
      if (state.isBusy || state.session !== null) return;
      change({ isBusy: true, fault: null });
      try {
        change({ session: await requests.create(values, beginKey) });
      } catch (fault) {
        change({ fault });
      } finally {
        change({ isBusy: false });
      }
    },
    say: async (text) => {
      const { session, asked } = state;
      if (session === null || !isOpen() || text.trim() === '') return;
      const isAgain = asked !== null && asked.text === text.trim();
      await ask(
        session,
        isAgain
          ? asked
          : {
              text: text.trim(),
              key: newKey(),
              revision: session.revision,
              insteadOf: asked?.insteadOf ?? null,
              fault: null,
            },
      );
    },
    sayInstead: async (turnId, text) => {
      const { session } = state;
      if (session === null || !isOpen() || text.trim() === '') return;
      const { revision } = session;
      await ask(session, { text: text.trim(), key: newKey(), revision, insteadOf: turnId, fault: null });
    },
    end: async () => {
      const { session } = state;
      if (session === null || !isOpen()) return;
      change({ isBusy: true });
      try {
        const once = { key: newKey(), revision: session.revision };
        change({ session: await requests.end(session.workflow_run_id, once) });
      } catch {
        // The session may have ended by itself, or ends by its limit of silence.
        const latest = await requests.read(session.workflow_run_id).catch(() => session);
        change({ session: latest });
      } finally {
        change({ isBusy: false });
      }
    },
    close: () => listeners.clear(),
  };
}

/** The turn to go back to, null for before the first; undefined if there is nothing to go back from. */
function turnBefore(
  { session_data: { turns } }: TextSession,
  turnId: string | null,
): string | null | undefined {
  const at = turns.findIndex(({ id }) => id === turnId);
  return at === -1 ? undefined : (turns[at - 1]?.id ?? null);
}

/** Where a turn stands in its conversation: 0 for the opening. */
const indexOf = ({ events }: TextTurn): number => {
  const turn = events.find(({ turn: at }) => typeof at === 'number')?.['turn'];
  return typeof turn === 'number' ? turn : 0;
};

/** Turns that a rewind discarded, by the turn in whose place another conversation went on. */
export interface Branch {
  at: number;
  turns: readonly TextTurn[];
}

/** Each rewind discards a tail of the conversation; oldest first. */
export function branchesOf(discarded: readonly TextTurn[]): readonly Branch[] {
  const branches: { at: number; turns: TextTurn[] }[] = [];
  let last = NaN;
  for (const turn of discarded) {
    // Turns that followed one another have revisions that do; a rewind takes one for itself.
    const revision = Number(turn.checkpoint_after_turn?.['revision']);
    const branch = branches.at(-1);
    if (branch !== undefined && revision === last + 1) branch.turns.push(turn);
    else branches.push({ at: indexOf(turn), turns: [turn] });
    last = revision;
  }
  return branches;
}

/** The tokens of the model's answer in a turn. Null if the model reports none. */
export function tokensOf({ usage }: Pick<TextTurn, 'usage'>): number | null {
  const models = usage['llm'];
  if (typeof models !== 'object' || models === null) return null;
  const counts = Object.values(models).flatMap((each: unknown) =>
    typeof each === 'object' && each !== null && 'completion_tokens' in each
      ? [Number(each.completion_tokens)]
      : [],
  );
  return counts.length === 0 ? null : counts.reduce((sum, each) => sum + each, 0);
}
