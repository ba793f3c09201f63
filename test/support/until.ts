/** How long tests wait for what should come at once. A run that expects failures sets less (tools/guarantees). */
export const patienceMs = Number(process.env['PARLANCE_TEST_WAIT_MS'] ?? 180_000);

/** Repeats the question until there is an answer; throws after the time limit. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  limitMs = patienceMs,
): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`${what} did not happen within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
