/** Reads at most once per `forMs`; all calls in between share the answer. Failures are not cached. */
export function cachedFor<T>(
  forMs: number,
  read: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return () => {
    if (last !== undefined && now() - last.at < forMs) return last.answer;
    const asked = { at: now(), answer: read() };
    last = asked;
    asked.answer.catch(() => {
      if (last === asked) last = undefined;
    });
    return asked.answer;
  };
}
