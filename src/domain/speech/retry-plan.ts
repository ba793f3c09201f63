/**
 * Waits before the attempts of a recognizer's new connection: the first at once, half of each later one by
 * chance, so that many calls do not come together.
 */
const waitsMs = [0, 250, 500, 1_000, 2_000, 4_000] as const;

/**
 * The wait before attempt `attempt` (0 = the first after a loss), milliseconds; null = no more attempts.
 * `retryAfterMs`: what the vendor asked for.
 */
export function reconnectWaitMs(
  attempt: number,
  { retryAfterMs, random }: { retryAfterMs: number | null; random: () => number },
): number | null {
  const wait = waitsMs[attempt];
  if (wait === undefined) return null;
  return Math.max(wait / 2 + (wait / 2) * random(), Math.min(retryAfterMs ?? 0, longestAskedMs));
}

/** A call does not last long enough for more. */
const longestAskedMs = 5_000;
