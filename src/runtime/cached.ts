/** Reads at most once per `forMs`; whoever asks meanwhile gets the same answer. A failure is not kept. */
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
