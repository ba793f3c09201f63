/** Repeats the question until there is an answer; throws after the time limit. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  limitMs = 180_000,
): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`${what} did not happen within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
