/**
 * The one clock of a media host: every stream's frames go out by it.
 *
 * C1. Deadlines are `zero + n × 20 ms` of the monotonic clock: a late tick makes the next wait shorter, so
 * nothing drifts. C2. Ticks that were missed altogether are not made up for; who listens reads the time and
 * sends what is due. C3. Without listeners no timer runs. C4. A listener that throws is told of and does not
 * keep the others from their tick.
 */

export const frameMs = 20;

export interface FrameClock {
  /** Milliseconds of the monotonic clock. */
  now(): number;
  /** Calls `tick` every 20 ms with the time; the answer leaves. */
  join(tick: (nowMs: number) => void): () => void;
}

export interface FrameClockOptions {
  now?: () => number;
  /** How late each tick was, in milliseconds. */
  onTick?: (lateMs: number) => void;
  onFault?: (error: unknown) => void;
}

/** A clock over `performance.now()` and one timer. */
export function createFrameClock({
  now = () => performance.now(),
  onTick = () => undefined,
  onFault = () => undefined,
}: FrameClockOptions = {}): FrameClock {
  const listeners = new Set<(nowMs: number) => void>();
  let timer: NodeJS.Timeout | undefined;
  let deadlineMs = 0;

  function wait(): void {
    timer = setTimeout(tick, Math.max(1, Math.ceil(deadlineMs - now())));
  }

  function tick(): void {
    const atMs = now();
    onTick(Math.max(0, atMs - deadlineMs));
    for (const listener of listeners) {
      try {
        listener(atMs);
      } catch (error) {
        onFault(error);
      }
    }
    deadlineMs += frameMs * Math.max(1, Math.floor((now() - deadlineMs) / frameMs) + 1);
    if (listeners.size > 0) wait();
    else timer = undefined;
  }

  return {
    now,
    join(listener) {
      listeners.add(listener);
      if (timer === undefined) {
        deadlineMs = now() + frameMs;
        wait();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || timer === undefined) return;
        clearTimeout(timer);
        timer = undefined;
      };
    },
  };
}
