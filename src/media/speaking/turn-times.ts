import { voiceStartMs } from '../../domain/audio/voice-activity.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { HostClocks } from './now.ts';
import { StepClock } from './step-clock.ts';

/** When the caller spoke, in milliseconds of the host's clock, until a step or an interruption uses it. */
export class TurnTimes {
  readonly #clocks: HostClocks;
  readonly #metrics: Metrics;
  #voiceStartedAtMs: number | null = null;
  #speechEndedAtMs: number | null = null;
  #decidedAtMs: number | null = null;

  constructor({ clocks, metrics }: { clocks: HostClocks; metrics: Metrics }) {
    this.#clocks = clocks;
    this.#metrics = metrics;
  }

  voiceStarted(): void {
    this.#voiceStartedAtMs = this.#clocks.nowMs() - voiceStartMs;
  }

  /** Measures how long the agent went on after the caller's voice began. */
  interrupted(): void {
    const startedAtMs = this.#voiceStartedAtMs;
    this.#voiceStartedAtMs = null;
    if (startedAtMs === null) return;
    this.#metrics.observe('parlance_interruption_seconds', {}, (this.#clocks.nowMs() - startedAtMs) / 1000);
  }

  turnEnded(speechEndedAtMs: number): void {
    this.#speechEndedAtMs = speechEndedAtMs;
    this.#decidedAtMs = this.#clocks.nowMs();
  }

  /** A clock for a step that begins now. The end of a turn counts for one step. */
  stepClock(): StepClock {
    const clock = new StepClock(this.#clocks, this.#speechEndedAtMs ?? this.#clocks.nowMs());
    if (this.#speechEndedAtMs !== null) clock.mark('speechEnd', this.#speechEndedAtMs);
    if (this.#decidedAtMs !== null) clock.mark('turnDecided', this.#decidedAtMs);
    clock.mark('claimed');
    this.#speechEndedAtMs = null;
    this.#decidedAtMs = null;
    return clock;
  }
}
