/** As long as somebody may press the button again because nothing came back. */
const keptMs = 600_000;

interface Tools {
  freshKey: () => string;
  nowMs: () => number;
}

/**
 * Keys of requests that got no answer, which may have been done all the same: the same request, sent again by hand, has
 * the same key, so that it is done once.
 */
export function createRetryKeys({ freshKey, nowMs }: Tools) {
  const doubtful = new Map<string, { key: string; sinceMs: number }>();
  return {
    keyFor: (request: string): string => {
      const kept = doubtful.get(request);
      return kept === undefined || nowMs() - kept.sinceMs > keptMs ? freshKey() : kept.key;
    },
    answered: (request: string): void => void doubtful.delete(request),
    unanswered: (request: string, key: string): void => {
      doubtful.set(request, { key, sinceMs: nowMs() });
    },
  };
}
