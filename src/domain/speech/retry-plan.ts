/**
 * Waits before the attempts of a recognizer to reconnect. The first attempt is immediate; half of each later
 * wait is random, so that calls do not reconnect all at once.
 */
const waitsMs = [0, 250, 500, 1_000, 2_000, 4_000] as const;

/**
 * The wait before attempt `attempt` (0 = the first after a loss), in milliseconds; null when no attempt is
 * left. `retryAfterMs` is the wait that the vendor asked for.
 */
export function reconnectWaitMs(
  attempt: number,
  { retryAfterMs, random }: { retryAfterMs: number | null; random: () => number },
): number | null {
  const wait = waitsMs[attempt];
  if (wait === undefined) return null;
  return Math.max(wait / 2 + (wait / 2) * random(), Math.min(retryAfterMs ?? 0, maxGrantedMs));
}

/** Maximum wait that we grant a vendor; calls are too short for more. */
const maxGrantedMs = 5_000;
