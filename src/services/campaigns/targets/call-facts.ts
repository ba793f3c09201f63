import type { CallRow } from '../../../db/tables/calls.ts';
import type { CallFacts } from '../../../domain/campaign/call-outcome.ts';
import type { NotDialed } from '../../../domain/campaign/not-dialed.ts';
import type { RetryClass } from '../../../domain/telephony/retry-class.ts';

/** What only the call's Workflow knows of its end; absent where that is gone. */
interface WorkflowFacts {
  retryClass?: RetryClass;
  notDialed?: NotDialed | null;
  isInDoubt?: boolean;
}

/** The end of a call, by its complete record, as campaigns judge it. */
export function factsOfCall(
  {
    state,
    disposition,
    tags,
    gatheredContext: gathered,
    answeredAt,
    usage,
  }: Pick<CallRow, 'state' | 'disposition' | 'tags' | 'gatheredContext' | 'answeredAt' | 'usage'>,
  { retryClass, notDialed = null, isInDoubt = false }: WorkflowFacts = {},
): CallFacts {
  const seconds = usage['call_duration_seconds'];
  return {
    disposition: disposition ?? '',
    tags,
    retryClass: retryClass ?? null,
    notDialed,
    wasAnswered: answeredAt !== null,
    talkedSeconds: typeof seconds === 'number' ? seconds : 0,
    wasRefused: state === 'refused',
    wasStopped: disposition === 'system_cancelled',
    isInDoubt,
    gathered,
  };
}
