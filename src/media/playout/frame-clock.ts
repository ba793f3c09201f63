import { guarded } from '../../runtime/guarded.ts';

/**
 * The clock of a media host, by which every stream sends its frames.
 *
 *  - C1. Deadlines are `zero + n × 20 ms` of the monotonic clock. A late tick shortens the next wait, so
 *    nothing drifts.
 *  - C2. Missed ticks are not repeated; listeners read the time and send what is due.
 *  - C3. Without listeners, no timer runs.
 *  - C4. A listener that throws is reported and does not affect the others.
 *  - C5. While the host is held (src/media/host/hold.ts), nobody may send.
 */

export const frameMs = 20;

export interface FrameClock {
  /** Milliseconds of the monotonic clock. */
  now(): number;
  /** Whether streams must send nothing now. */
  isHeld(): boolean;
  /** Calls `tick` with the time every 20 ms; the returned function stops it. */
  join(tick: (nowMs: number) => void): () => void;
}

export interface FrameClockOptions {
  now?: () => number;
  /** Gets how late each tick was, in milliseconds. */
  onTick?: (lateMs: number) => void;
  onFault?: (error: unknown) => void;
  isHeld?: () => boolean;
}

/** A clock over `performance.now()` and one timer. */
export function createFrameClock({
  now = () => performance.now(),
  onTick = () => undefined,
  onFault = () => undefined,
  isHeld = () => false,
}: FrameClockOptions = {}): FrameClock {
  const listeners = new Set<(nowMs: number) => void>();
  let timer: NodeJS.Timeout | undefined;
  let deadlineMs = 0;

  const noteLate = guarded(onTick, onFault);

  function wait(): void {
    timer = setTimeout(guarded(tick, onFault), Math.max(1, Math.ceil(deadlineMs - now())));
  }

  function tick(): void {
    const atMs = now();
    noteLate(Math.max(0, atMs - deadlineMs));
    for (const listener of listeners) listener(atMs);
    deadlineMs += frameMs * Math.max(1, Math.floor((now() - deadlineMs) / frameMs) + 1);
    if (listeners.size > 0) wait();
    else timer = undefined;
  }

  return {
    now,
    isHeld,
    join(onEachTick) {
      const listener = guarded(onEachTick, onFault);
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
