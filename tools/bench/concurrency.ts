/**
 * Runs `work` for 0 to `count` - 1, at most `width` at a time. The first failure is thrown once all running
 * work has ended.
 */
export async function concurrently<T>(
  { count, width }: { count: number; width: number },
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let [next, hasFailed] = [0, false];
  const lane = async () => {
    while (next < count && !hasFailed) {
      const index = next;
      next += 1;
      try {
        results[index] = await work(index);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(width, count) }, lane));
  const failed = ended.find((each) => each.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return results;
}

/** Runs `work` for 0 to `count` - 1, one every `everyMs`, without waiting for earlier ones. */
export async function atPace<T>(
  { count, everyMs }: { count: number; everyMs: number },
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const begun = performance.now();
  return await concurrently({ count, width: count }, async (index) => {
    await pause(begun + index * everyMs - performance.now());
    return await work(index);
  });
}

export async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
