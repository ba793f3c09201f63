import { guarded } from '../../runtime/guarded.ts';

/**
 * Notices that this process had no processor time. Meanwhile the host may have been found lost, and another
 * host may speak to its calls. So the host is *held* from then on: it sends no sound until a renewal of its
 * lease, begun afterwards, has proved that the calls are still its own.
 */
export interface Hold {
  /** Whether sound must wait. True from the first moment after the pause, before any timer ran. */
  isHeld(): boolean;
  /** The lease was renewed, by a request that began at that time of `nowMs`. */
  renewed(begunAtMs: number): void;
  close(): void;
}

export interface HoldOptions {
  nowMs?: () => number;
  /** Called at each pause, so that the lease is renewed at once. */
  onHeld: () => void;
  onFault?: (error: unknown) => void;
}

/** A longer pause could be the silence for which a host is found lost. */
const maxPauseMs = 1000;
const everyMs = 200;

/** Watches for pauses from now on. */
export function createHold({
  nowMs = () => performance.now(),
  onHeld,
  onFault = () => undefined,
}: HoldOptions): Hold {
  let lastMs = nowMs();
  let heldAtMs: number | null = null;

  const notice = (): void => {
    const atMs = nowMs();
    const pausedMs = atMs - lastMs;
    lastMs = atMs;
    if (pausedMs <= maxPauseMs) return;
    heldAtMs = atMs;
    onHeld();
  };
  const timer = setInterval(guarded(notice, onFault), everyMs);
  timer.unref();

  return {
    isHeld() {
      if (nowMs() - lastMs > maxPauseMs) notice();
      return heldAtMs !== null;
    },
    renewed(begunAtMs) {
      if (heldAtMs !== null && begunAtMs >= heldAtMs) heldAtMs = null;
    },
    close: () => clearInterval(timer),
  };
}
