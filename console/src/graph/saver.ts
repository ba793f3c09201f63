import { type Draft, sameJson } from './draft.ts';
import { type Conflict, merge, type Place } from './merge.ts';

/** The draft as the server has it. */
export interface Base {
  readonly draft: Draft;
  readonly etag: string | undefined;
}

/** `refused`: the server cannot store the draft as it is, and the person has to change it. */
export type SaveState =
  | { is: 'saved'; at: Date | null }
  | { is: 'waiting' | 'saving' | 'offline' }
  | { is: 'refused'; message: string }
  | { is: 'conflict'; conflicts: readonly Conflict[]; taken: readonly Place[] };

/** How a request to save went. */
export type SaveAnswer =
  | { is: 'stored'; base: Base }
  /** Somebody else has saved in between: what the server has now. */
  | { is: 'changed'; base: Base }
  | { is: 'unreachable' }
  | { is: 'refused'; message: string };

export interface SaverPorts {
  put: (draft: Draft, base: Base) => Promise<SaveAnswer>;
  /** The draft as the person sees it. */
  present: () => Draft;
  /** Shows a draft that was merged with what the server has. */
  show: (draft: Draft) => void;
  onState: (state: SaveState) => void;
  /** Keeps unsaved work in this browser; null when everything is saved. */
  keep: (work: { draft: Draft; base: Base } | null) => void;
  /** Somebody else's changes were merged without a question. */
  onMerged: (taken: readonly Place[]) => void;
  now: () => Date;
  /** Calls back later, and answers how to cancel that. */
  later: (run: () => void, ms: number) => () => void;
}

export interface Saver {
  base: () => Base;
  state: () => SaveState;
  /** The draft was changed: it is saved when the person pauses. */
  changed: () => void;
  /** Saves at once, and again until everything is stored or the person has to decide. */
  flush: () => Promise<void>;
  /** The server now has this, by another request than one to save. */
  adopt: (base: Base) => void;
  /** The person has settled the conflicts; the present draft is saved over what the server has. */
  settle: () => Promise<void>;
  stop: () => void;
}

const pauseMs = 1500;
const retryMs = 3000;

/** Saves a draft while it is worked on. One request at a time; nothing is sent without a difference. */
export function createSaver(first: Base, ports: SaverPorts, at: Date | null = null): Saver {
  let base = first;
  let state: SaveState = { is: 'saved', at };
  let cancel: (() => void) | null = null;
  let running: Promise<void> | null = null;
  const end = new AbortController();

  const tell = (next: SaveState) => {
    state = next;
    ports.onState(next);
  };
  const isDirty = () => !sameJson(ports.present(), base.draft);
  const schedule = (ms: number) => {
    cancel?.();
    cancel = ports.later(() => void flush(), ms);
  };

  function changed(): void {
    if (end.signal.aborted) return;
    ports.keep(isDirty() ? { draft: ports.present(), base } : null);
    if (state.is === 'conflict') return;
    if (!isDirty() && running === null) {
      cancel?.();
      if (state.is !== 'saved') tell({ is: 'saved', at: ports.now() });
      return;
    }
    if (state.is !== 'offline' && running === null) tell({ is: 'waiting' });
    schedule(pauseMs);
  }

  async function flush(): Promise<void> {
    cancel?.();
    running ??= save().finally(() => {
      running = null;
    });
    await running;
  }

  async function save(): Promise<void> {
    if (state.is === 'saved' && !isDirty()) return;
    while (!end.signal.aborted && state.is !== 'conflict' && isDirty()) {
      const sent = ports.present();
      tell({ is: 'saving' });
      const answer = await ports.put(sent, base);
      if (answer.is === 'unreachable') {
        tell({ is: 'offline' });
        if (!end.signal.aborted) schedule(retryMs);
        return;
      }
      if (answer.is === 'refused') {
        tell({ is: 'refused', message: answer.message });
        return;
      }
      const from = answer.is === 'stored' ? sent : base.draft;
      const { merged, conflicts, taken } = merge(from, ports.present(), answer.base.draft);
      base = answer.base;
      if (!sameJson(merged, ports.present())) ports.show(merged);
      ports.keep(isDirty() ? { draft: ports.present(), base } : null);
      if (answer.is === 'stored') continue; // what was typed meanwhile is newer than what the server tidied
      if (conflicts.length > 0) {
        tell({ is: 'conflict', conflicts, taken });
        return;
      }
      ports.onMerged(taken);
    }
    if (!end.signal.aborted && state.is !== 'conflict') {
      ports.keep(null);
      tell({ is: 'saved', at: ports.now() });
    }
  }

  return {
    base: () => base,
    state: () => state,
    changed,
    flush,
    adopt: (next) => {
      base = next;
    },
    settle: async () => {
      tell({ is: 'waiting' });
      await flush();
    },
    stop: () => {
      end.abort();
      cancel?.();
    },
  };
}
