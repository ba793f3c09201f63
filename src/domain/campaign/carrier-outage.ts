/** What is known of a carrier that did not take the latest dials of a connection. */
export interface CarrierOutage {
  /**
   * Consecutive dials that the carrier failed to take: it did not answer, or reported a failure of its own.
   */
  faults: number;
  lastFaultAt: Date;
  /** Failed checks and trial dials. */
  probes: number;
  probeAt: Date;
  /**
   * When the carrier last answered a check, which rings no one; null if it has not since the outage began.
   */
  answeredAt: Date | null;
}

/** A single lost answer is not an outage. */
const minFaults = 3;
const firstWaitMs = 2000;
const maxWaitMs = 30_000;

/**
 * What a campaign does with the connection now. `dial`: dial as usual. `wait`: do nothing before `probeAt`.
 * `ask`: check whether the carrier answers at all, without ringing anyone. `dial_one`: the carrier answers,
 * so dial one row to see whether it takes dials too.
 */
export function carrierAction(outage: CarrierOutage | null, now: Date): 'dial' | 'wait' | 'ask' | 'dial_one' {
  if (outage === null || outage.faults < minFaults) return 'dial';
  // guarantee: failing-carrier-tried-with-one-dial
  if (now < outage.probeAt) return 'wait';
  return outage.answeredAt !== null && outage.answeredAt >= outage.lastFaultAt ? 'dial_one' : 'ask';
}

/** When to probe a carrier again after so many probes: 2 s, doubled each time, 30 s at most. */
export function nextProbe(probes: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(maxWaitMs, firstWaitMs * 2 ** Math.min(probes, 10)));
}
