import { clip } from './samples.ts';

/** Both together, as long as the longer one; what is too loud is clipped. */
export function mix(one: Int16Array, other: Int16Array): Int16Array {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  return long.map((sample, index) => clip(sample + (short[index] ?? 0)));
}

/** Background sound that goes on for ever, under speech and in pauses. */
export interface AmbientSound {
  /** Adds the next part of the loop to `frame`, in place, and returns it. */
  addTo(frame: Int16Array): Int16Array;
}

/**
 * `loop` at the rate of the frames; `volume` 0 to 1 multiplies it. Nothing is added where there is no loop.
 */
export function createAmbientSound({ loop, volume }: { loop: Int16Array; volume: number }): AmbientSound {
  let at = 0;
  return {
    addTo(frame) {
      if (loop.length === 0 || volume <= 0) return frame;
      for (let index = 0; index < frame.length; index += 1) {
        frame[index] = clip((frame[index] ?? 0) + (loop[at] ?? 0) * volume);
        at = at + 1 === loop.length ? 0 : at + 1;
      }
      return frame;
    },
  };
}
