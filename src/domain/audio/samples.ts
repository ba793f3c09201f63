/** Helpers for mono samples, signed 16-bit. */

export const fullScale = 32_767;

export function clip(value: number): number {
  return value > fullScale ? fullScale : value < -fullScale - 1 ? -fullScale - 1 : Math.round(value);
}

export function joinSamples(parts: readonly Int16Array[]): Int16Array {
  const joined = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Root mean square: 0 for no samples, 32,767 for a square wave at full scale. */
export function levelOf(samples: Int16Array): number {
  let sum = 0;
  for (let index = 0; index < samples.length; index += 1) sum += (samples[index] ?? 0) ** 2;
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length);
}

/** Cuts a stream into frames of equal length. */
export interface FrameCutter {
  /** Returns the frames that are complete now. */
  push(samples: Int16Array): Int16Array[];
  /** Returns the rest, padded with silence, and empties the cutter; null when there is no rest. */
  flush(): Int16Array | null;
  /** Samples of the incomplete frame. */
  readonly pending: number;
}

export function createFrameCutter(frameSamples: number): FrameCutter {
  let frame = new Int16Array(frameSamples);
  let filled = 0;
  return {
    push(samples) {
      const frames: Int16Array[] = [];
      for (let at = 0; at < samples.length;) {
        const taken = samples.subarray(at, at + frameSamples - filled);
        frame.set(taken, filled);
        filled += taken.length;
        at += taken.length;
        if (filled < frameSamples) break;
        frames.push(frame);
        frame = new Int16Array(frameSamples);
        filled = 0;
      }
      return frames;
    },
    flush() {
      if (filled === 0) return null;
      const last = frame;
      frame = new Int16Array(frameSamples);
      filled = 0;
      return last;
    },
    get pending() {
      return filled;
    },
  };
}
