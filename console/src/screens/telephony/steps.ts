import { isObject, ownObject, ownText } from '../../../../src/domain/graph/definition.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a call by phone goes through. Not every carrier says that a phone rings. */
const stepIds = ['dial', 'ring', 'answer', 'media', 'sound', 'talk', 'end'] as const;
export type StepId = (typeof stepIds)[number];

export interface Step {
  id: StepId;
  /** `skipped`: the call is over and never came so far. */
  is: 'done' | 'now' | 'later' | 'skipped';
  /** When it happened, ISO 8601. */
  at: string | null;
}

export interface CallFacts {
  state: 'initialized' | 'running' | 'completed';
  logs: Json | null;
  gathered_context: Json | null;
}

/** How far a call by phone is, and what its carrier said of its end: `user_busy · SIP 486`. */
export function stepsOf({ state, logs, gathered_context: gathered }: CallFacts): {
  steps: Step[];
  now: StepId;
  carrierWords: string | null;
} {
  const told = logs?.['telephony_status_callbacks'];
  const callbacks = Array.isArray(told) ? told.filter(isObject) : [];
  const saidOf = (status: string) => callbacks.find((each) => ownText(each, 'status') === status);
  const timeOf = (said: Json | undefined) => ownText(said ?? {}, 'timestamp') ?? null;
  const hangUp = callbacks.findLast((each) => causeOf(each) !== undefined);
  const sound = ownObject(logs ?? {}, 'sound');
  const at: Record<StepId, string | null> = {
    dial: timeOf(saidOf('initiated')),
    ring: timeOf(saidOf('ringing')),
    answer: timeOf(saidOf('in-progress')),
    media: ownText(sound, 'media_began_at') ?? null,
    sound: ownText(sound, 'first_sound_at') ?? null,
    talk: null,
    end: timeOf(hangUp),
  };
  const hasMedia = at.media !== null || state === 'running';
  const isAnswered = hasMedia || at.answer !== null;
  // A call that nobody answered is over with its hang-up; an answered one may lose the leg of a transfer.
  const isOver = state === 'completed' || (hangUp !== undefined && !isAnswered);
  const begun: Record<StepId, boolean> = {
    dial: true,
    ring: at.ring !== null,
    answer: isAnswered,
    media: hasMedia,
    sound: at.sound !== null,
    talk: at.sound !== null,
    end: isOver,
  };
  const now = stepIds.findLast((id) => begun[id]) ?? 'dial';
  const ids = stepIds.filter((id) => id !== 'ring' || begun.ring);
  const steps = ids.map((id, index) => {
    const isBefore = index < ids.indexOf(now);
    const is = id === now && id !== 'end' ? 'now' : begun[id] ? 'done' : isBefore ? 'skipped' : 'later';
    return { id, is, at: at[id] } as const;
  });
  return { steps, now, carrierWords: wordsOf(hangUp) ?? ownText(gathered ?? {}, 'error') ?? null };
}

const causeOf = (callback: Json): string | undefined =>
  ownText(ownObject(callback, 'payload'), 'hangup_cause');

function wordsOf(hangUp: Json | undefined): string | undefined {
  if (hangUp === undefined) return undefined;
  const sip = ownText(ownObject(hangUp, 'payload'), 'sip_hangup_cause');
  return sip === undefined ? causeOf(hangUp) : `${causeOf(hangUp)} · SIP ${sip}`;
}
