import type { CallFacts } from '../../../domain/campaign/call-outcome.ts';
import type { CallEnd } from '../../calls/index.ts';

/** The facts about an ended call that campaigns judge, from its complete record. */
export function factsOfCall(
  { state, disposition, tags, gatheredContext: gathered, answeredAt, durationSeconds }: CallEnd['call'],
  { retryClass, notDialed = null, isInDoubt = false }: CallEnd['workflow'] & {} = {},
): CallFacts {
  return {
    disposition: disposition ?? '',
    tags,
    retryClass: retryClass ?? null,
    notDialed,
    wasAnswered: answeredAt !== null,
    talkedSeconds: durationSeconds ?? 0,
    wasRefused: state === 'refused',
    wasStopped: disposition === 'system_cancelled',
    isInDoubt,
    gathered,
  };
}
