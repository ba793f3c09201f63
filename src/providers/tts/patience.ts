import type { ProviderError } from '../../domain/errors.ts';
import { ttsError } from './failures.ts';
import type { TtsTimeouts } from './port.ts';

export type Waiting = 'firstByte' | 'stall';

/** The timeout of a request to a vendor: one wait at a time. */
export class Patience {
  readonly #limits: TtsTimeouts;
  readonly #onLate: (error: ProviderError) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: TtsTimeouts, onLate: (error: ProviderError) => void) {
    this.#limits = limits;
    this.#onLate = onLate;
  }

  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  /** Starts a wait and ends the one before. */
  wait(stage: Waiting): void {
    this.rest();
    const ms = stage === 'firstByte' ? this.#limits.firstByteMs : this.#limits.stallMs;
    this.#timer = setTimeout(
      () => this.#onLate(ttsError(`${words[stage]} within ${ms} ms`, true, { reason: 'timeout' })),
      ms,
    );
  }

  rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

const words: Record<Waiting, string> = {
  firstByte: 'The speech synthesis sent no sound',
  stall: 'The speech synthesis stalled and sent no further sound',
};
