import { isObject, ownObject, ownText } from '../../../../src/domain/graph/definition.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a call by phone goes through. Not every carrier says that a phone rings. */
export type StepId = 'dial' | 'ring' | 'answer' | 'talk' | 'end';

export interface Step {
  id: StepId;
  /** `skipped`: the call is over and never came so far. */
  is: 'done' | 'now' | 'later' | 'skipped';
  /** When the carrier said so, ISO 8601. */
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
  const hangUp = callbacks.findLast((each) => causeOf(each) !== undefined);
  const said: Record<StepId, Json | undefined> = {
    dial: saidOf('initiated'),
    ring: saidOf('ringing'),
    answer: saidOf('in-progress'),
    talk: undefined,
    end: hangUp,
  };
  const ids = (['dial', 'ring', 'answer', 'talk', 'end'] as const).filter(
    (id) => id !== 'ring' || said.ring !== undefined,
  );
  const isAnswered = state === 'running' || said.answer !== undefined;
  const live = isAnswered ? 'answer' : said.ring === undefined ? 'dial' : 'ring';
  // A call that nobody answered is over with its hang-up; an answered one may lose the leg of a transfer.
  const isOver = state === 'completed' || (hangUp !== undefined && !isAnswered);
  const now = isOver ? 'end' : state === 'running' ? 'talk' : live;
  const steps = ids.map((id, index) => {
    const left = index - ids.indexOf(now);
    const isSkipped = left < 0 && !isAnswered && (id === 'answer' || id === 'talk');
    const is = left > 0 ? 'later' : isSkipped ? 'skipped' : left === 0 && id !== 'end' ? 'now' : 'done';
    return { id, is, at: ownText(said[id] ?? {}, 'timestamp') ?? null } as const;
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
