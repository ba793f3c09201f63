import { clip } from './samples.ts';

/** Adds two sounds. The result is as long as the longer one; samples out of range are clipped. */
export function mix(one: Int16Array, other: Int16Array): Int16Array {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  return long.map((sample, index) => clip(sample + (short[index] ?? 0)));
}

/** Endless background sound, under speech and in pauses. */
export interface AmbientSound {
  /** Adds the next part of the loop to `frame`, in place, and returns it. */
  addTo(frame: Int16Array): Int16Array;
}

/** `loop` has the sample rate of the frames. `volume`, from 0 to 1, scales it. An empty loop adds nothing. */
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
