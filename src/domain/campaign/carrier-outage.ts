/** What is known of a carrier that did not take the latest dials of a connection. */
export interface CarrierOutage {
  /** Dials in a row that it failed to take: no answer, or one that says that it is broken. */
  faults: number;
  lastFaultAt: Date;
  /** Looks that failed, and dials on trial. */
  probes: number;
  probeAt: Date;
  /** When it last answered a question that rings nobody; null = not since the outage began. */
  answeredAt: Date | null;
}

/** One lost answer is no outage. */
const fewestFaults = 3;
const firstWaitMs = 2000;
const longestWaitMs = 30_000;

/**
 * What a campaign does with the connection now. `dial`: it takes dials. `wait`: nothing before `probeAt`.
 * `ask`: whether the carrier answers at all, by a question that rings nobody. `try`: it answers; one row is
 * dialed to see whether it takes dials, too.
 */
export function carrierStep(outage: CarrierOutage | null, now: Date): 'dial' | 'wait' | 'ask' | 'try' {
  if (outage === null || outage.faults < fewestFaults) return 'dial';
  // guarantee: carrier-takes-no-dials
  if (now < outage.probeAt) return 'wait';
  return outage.answeredAt !== null && outage.answeredAt >= outage.lastFaultAt ? 'try' : 'ask';
}

/**
 * When a carrier is looked at again that was looked at so often: 2 s, twice as long each time, 30 s at most.
 */
export function nextProbe(probes: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(probes, 10)));
}
