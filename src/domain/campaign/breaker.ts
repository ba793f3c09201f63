import { targetOutcomes, type TargetOutcome } from './outcome.ts';
import type { Breaker } from './rules.ts';

/** Our outcomes for `failed` and `error` of contract 11.6. */
const failures: readonly TargetOutcome[] = ['provider', 'declined', 'invalid_number', 'unknown', 'own_fault'];
/** Nothing was dialed, or the call was canceled. Such calls say nothing about failures. */
const silent: readonly TargetOutcome[] = ['capacity', 'not_dialed', 'suppressed', 'not_allowed', 'canceled'];

/**
 * Whether a campaign pauses by itself (contract 11.6). `outcomes` counts the calls in the breaker's window by
 * outcome.
 */
export function breakerTrips({
  breaker,
  outcomes,
}: {
  breaker: Breaker;
  outcomes: Partial<Record<TargetOutcome, number>>;
}): boolean {
  if (!breaker.isOn) return false;
  const { failed, ended } = countFailures(outcomes);
  return ended > 0 && ended >= breaker.minCalls && failed / ended >= breaker.threshold;
}

/** Failed and ended calls, for the breaker and its log entry. */
export function countFailures(outcomes: Partial<Record<TargetOutcome, number>>): {
  failed: number;
  ended: number;
} {
  const count = (counted: readonly TargetOutcome[]) =>
    counted.reduce((total, outcome) => total + (outcomes[outcome] ?? 0), 0);
  return {
    failed: count(failures),
    ended: count(targetOutcomes.filter((outcome) => !silent.includes(outcome))),
  };
}
