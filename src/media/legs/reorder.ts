import type { MediaFrame } from './carrier-frames.ts';

/**
 * Puts media frames in order. A missing frame is lost once three later ones have arrived (60 ms). Frames that
 * arrive after that, and duplicates, are dropped.
 */
export interface Reorder {
  push(frame: MediaFrame): Ordered;
}

export interface Ordered {
  /** The frames that are ready now, in order. */
  frames: { frame: MediaFrame; /** Frames before it that are lost. */ lost: number }[];
  dropped: 'late' | 'duplicate' | null;
}

const maxHeld = 3;
/** After this many late frames in a row, the carrier has restarted its count. */
const maxLate = 25;

export function createReorder(): Reorder {
  const held = new Map<number, MediaFrame>();
  let expected: number | null = null;
  let lateInRow = 0;

  function release(): Ordered['frames'] {
    const frames: Ordered['frames'] = [];
    for (;;) {
      const next = expected === null ? undefined : held.get(expected);
      if (expected !== null && next !== undefined) {
        held.delete(expected);
        expected += 1;
        frames.push({ frame: next, lost: 0 });
        continue;
      }
      if (held.size < maxHeld || expected === null) return frames;
      const first = Math.min(...held.keys());
      const lost = first - expected;
      expected = first;
      frames.push(...release().map((each, index) => (index === 0 ? { ...each, lost } : each)));
      return frames;
    }
  }

  return {
    push(frame) {
      expected ??= frame.chunk;
      if (frame.chunk < expected) {
        lateInRow += 1;
        if (lateInRow < maxLate) return { frames: [], dropped: 'late' };
        held.clear();
        expected = frame.chunk;
      }
      lateInRow = 0;
      if (held.has(frame.chunk)) return { frames: [], dropped: 'duplicate' };
      held.set(frame.chunk, frame);
      return { frames: release(), dropped: null };
    },
  };
}
