import { frameSamples } from './media-clock.ts';

export interface CarrierSound {
  kind: 'speak' | 'playback';
  samples: Int16Array;
  isEndless: boolean;
  /** Additional fields of its events. */
  fields: Record<string, unknown>;
}

/** Audio that the carrier itself plays to a leg, one sound after another. */
export class CarrierAudio {
  #queue: CarrierSound[] = [];
  #position = 0;
  #onEnded: (sound: CarrierSound, status: string) => void;

  constructor(onEnded: (sound: CarrierSound, status: string) => void) {
    this.#onEnded = onEnded;
  }

  add(sound: CarrierSound): void {
    this.#queue.push(sound);
  }

  /** Stops the current sound and all queued ones, or only the current one. */
  stop(what: 'all' | 'current', status: string): void {
    const stopped = this.#queue.splice(0, what === 'all' ? this.#queue.length : 1);
    this.#position = 0;
    for (const sound of stopped) this.#onEnded(sound, status);
  }

  /** The next 20 ms; null when there is nothing. */
  take(): Int16Array | null {
    const [sound] = this.#queue;
    if (sound === undefined) return null;
    const frame = new Int16Array(frameSamples);
    frame.set(sound.samples.subarray(this.#position, this.#position + frameSamples));
    this.#position += frameSamples;
    if (this.#position >= sound.samples.length) {
      this.#position = 0;
      if (!sound.isEndless || sound.samples.length === 0) this.stop('current', 'completed');
    }
    return frame;
  }
}
