import type { LlmTimeouts } from './port.ts';

export type LlmStage = 'connect' | 'firstToken' | 'stall' | 'whole';

const limitOf = {
  connect: 'connectMs',
  firstToken: 'firstTokenMs',
  stall: 'stallMs',
  whole: 'wholeMs',
} as const satisfies Record<LlmStage, keyof LlmTimeouts>;

/**
 * The timeouts of one request. The clock owns the request's abort signal, which fires when the caller aborts,
 * when a stage or the whole request times out, and on `stop`. While the caller handles an event, only the
 * whole request counts: call `pause` before and `enter` after.
 */
export class StageClock {
  /** The limit that was exceeded, if any. */
  expired: LlmStage | null = null;
  readonly #limits: LlmTimeouts;
  readonly #caller: AbortSignal;
  readonly #controller = new AbortController();
  readonly #whole: NodeJS.Timeout;
  #stage: NodeJS.Timeout | undefined;

  constructor(caller: AbortSignal, limits: LlmTimeouts) {
    this.#caller = caller;
    this.#limits = limits;
    this.#whole = this.#timer('whole');
    if (caller.aborted) this.#abort();
    caller.addEventListener('abort', this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  limit(stage: LlmStage): number {
    return this.#limits[limitOf[stage]];
  }

  enter(stage: Exclude<LlmStage, 'whole'>): void {
    this.pause();
    this.#stage = this.#timer(stage);
  }

  pause(): void {
    clearTimeout(this.#stage);
  }

  /** Ends the request, complete or not, and clears all timers. */
  stop(): void {
    this.pause();
    clearTimeout(this.#whole);
    this.#caller.removeEventListener('abort', this.#abort);
    this.#abort();
  }

  readonly #abort = (): void => this.#controller.abort();

  #timer(stage: LlmStage): NodeJS.Timeout {
    return setTimeout(() => {
      this.expired ??= stage;
      this.#abort();
    }, this.limit(stage));
  }
}
