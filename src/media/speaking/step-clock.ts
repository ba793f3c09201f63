import type { TurnTimings } from '../../domain/call/voice.ts';
import { isoOf, type HostClocks } from './now.ts';

/** Timestamps of a step, in milliseconds of the host's clock. */
export class StepClock {
  readonly #clocks: HostClocks;
  readonly #zeroMs: number;
  readonly #marks: Partial<Record<Mark, number>> = {};
  model: string | undefined;

  /** `zeroMs`: when the caller stopped speaking, or when the step began. */
  constructor(clocks: HostClocks, zeroMs: number) {
    this.#clocks = clocks;
    this.#zeroMs = zeroMs;
  }

  /** Only the first mark of a name counts. */
  mark(name: Mark, atMs = this.#clocks.nowMs()): void {
    this.#marks[name] ??= atMs;
  }

  at(name: Mark): number | null {
    return this.#marks[name] ?? null;
  }

  timings(): TurnTimings {
    const since = (name: Mark) => {
      const atMs = this.#marks[name];
      return atMs === undefined ? null : Math.round((atMs - this.#zeroMs) * 10) / 10;
    };
    return {
      zeroAt: isoOf(this.#clocks, this.#zeroMs),
      speechEndMs: since('speechEnd'),
      turnDecidedMs: since('turnDecided'),
      claimedMs: since('claimed'),
      llmSentMs: since('llmSent'),
      llmFirstTokenMs: since('llmFirstToken'),
      firstClauseMs: since('firstClause'),
      ttsSentMs: since('ttsSent'),
      ttsFirstByteMs: since('ttsFirstByte'),
      firstFrameSentMs: since('firstFrameSent'),
      interruptedMs: since('interrupted'),
      playoutEndMs: since('playoutEnd'),
      ...(this.model === undefined ? {} : { model: this.model }),
    };
  }
}

export type Mark =
  | 'speechEnd'
  | 'turnDecided'
  | 'claimed'
  | 'llmSent'
  | 'llmFirstToken'
  | 'firstClause'
  | 'ttsSent'
  | 'ttsFirstByte'
  | 'firstFrameSent'
  | 'interrupted'
  | 'playoutEnd';
