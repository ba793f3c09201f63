import { targetOutcomes, type TargetOutcome } from './outcome.ts';
import type { Breaker } from './rules.ts';

/** What `failed` and `error` of contract 11.6 are in our words. */
const failures: readonly TargetOutcome[] = ['provider', 'declined', 'invalid_number', 'unknown', 'own_fault'];
/** Nothing was dialed, or somebody ended it: these say nothing about the calls. */
const silent: readonly TargetOutcome[] = ['capacity', 'not_dialed', 'suppressed', 'canceled'];

/**
 * Whether a campaign pauses by itself (contract 11.6). `outcomes`: how many calls ended with each in the
 * breaker's window.
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

/** For the words of the log entry too. */
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
