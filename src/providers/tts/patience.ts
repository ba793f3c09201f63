import { guarded } from '../../runtime/guarded.ts';
import { runAfter, type Timer } from '../../runtime/timer.ts';
import { ttsError } from './failures.ts';
import type { TtsTimeouts } from './port.ts';

export type Waiting = 'firstByte' | 'stall';

/** The timeout of a request to a vendor: one wait at a time. */
export class Patience {
  readonly #timer: Timer;
  readonly #limits: TtsTimeouts;
  readonly #onLate: (error: unknown) => void;
  #stop: (() => void) | undefined;

  constructor(timer: Timer, limits: TtsTimeouts, onLate: (error: unknown) => void) {
    this.#timer = timer;
    this.#limits = limits;
    this.#onLate = onLate;
  }

  get isWaiting(): boolean {
    return this.#stop !== undefined;
  }

  /** Starts a wait and ends the one before. */
  wait(stage: Waiting): void {
    this.rest();
    const ms = stage === 'firstByte' ? this.#limits.firstByteMs : this.#limits.stallMs;
    const late = () => ttsError(`${words[stage]} within ${ms} ms`, true, { reason: 'timeout' });
    this.#stop = runAfter(
      this.#timer,
      ms,
      guarded(() => this.#onLate(late()), this.#onLate),
    );
  }

  rest(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}

const words: Record<Waiting, string> = {
  firstByte: 'The speech synthesis sent no sound',
  stall: 'The speech synthesis stalled and sent no further sound',
};
