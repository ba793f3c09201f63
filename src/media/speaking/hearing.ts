import { joinSamples } from '../../domain/audio/samples.ts';
import { hearFrame, measureFrame, noVoice } from '../../domain/audio/voice-activity.ts';
import type { ProviderError } from '../../domain/errors.ts';
import type { TurnEvent } from '../../domain/turn-taking/types.ts';
import type { SttEvent, SttPort, SttSession } from '../../providers/stt/port.ts';
import { guarded } from '../../runtime/guarded.ts';
import type { HeardFrame, VoiceLeg } from '../leg.ts';

/** Turns the caller's speech, keys and typed words into events for the state machine. */
export interface Hearing {
  finalize(): void;
  /** Seconds of sound that the recognizer got since the last call. */
  takeSeconds(): number;
  /** The last milliseconds of the caller's sound. */
  latest(ms: number): Int16Array;
  close(): void;
}

export interface HearingOptions {
  leg: VoiceLeg;
  stt: SttPort;
  model: string | null;
  language: string;
  keyTerms: string[];
  tell: (event: TurnEvent) => void;
  /** For screens. */
  onWords: (words: { text: string; isFinal: boolean }) => void;
  /** The recognizer gave up: nothing will be heard from now on. */
  onStall: (error: ProviderError | null) => void;
  onFault: (error: unknown) => void;
}

/** Maximum that a `TurnAnalyzer` may ask for. */
const keptMs = 8000;

/** Starts to listen to a leg. */
export function createHearing(options: HearingOptions): Hearing {
  return new LegHearing(options);
}

class LegHearing implements Hearing {
  readonly #options: HearingOptions;
  readonly #session: SttSession;
  readonly #frames: Int16Array[] = [];
  readonly #unsubscribe: (() => void)[];
  #voice = noVoice;
  #pushedMs = 0;
  #isClosed = false;
  #fault: ProviderError | null = null;

  constructor(options: HearingOptions) {
    const { leg, stt, language, model, keyTerms, tell, onFault } = options;
    this.#options = options;
    this.#session = stt.open({
      sampleRate: leg.sampleRate,
      language,
      model,
      keyTerms,
      onEvent: guarded((event: SttEvent) => this.#take(event), onFault),
    });
    this.#unsubscribe = [
      leg.onFrame((frame) => this.#hear(frame)),
      leg.onKey((digit) => tell({ kind: 'dtmf', digit })),
      leg.onTyped((text) => this.#read(text)),
    ];
  }

  finalize(): void {
    this.#session.finalize();
  }

  takeSeconds(): number {
    const seconds = this.#pushedMs / 1000;
    this.#pushedMs = 0;
    return seconds;
  }

  latest(ms: number): Int16Array {
    return joinSamples(this.#frames.slice(Math.max(0, this.#frames.length - Math.ceil(ms / 20))));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    void this.#session.close();
  }

  #hear({ samples, mediaMs }: HeardFrame): void {
    const { sampleRate } = this.#options.leg;
    this.#session.push(samples, mediaMs);
    this.#pushedMs += (samples.length * 1000) / sampleRate;
    this.#frames.push(samples);
    if (this.#frames.length * 20 > keptMs) this.#frames.shift();
    const { state, event } = hearFrame(this.#voice, measureFrame(samples, sampleRate));
    this.#voice = state;
    if (event !== null) this.#options.tell({ kind: event });
  }

  #read(text: string): void {
    this.#options.onWords({ text, isFinal: true });
    this.#options.tell({ kind: 'typed', text });
  }

  #take(event: SttEvent): void {
    if (this.#isClosed) return;
    const { tell, onWords, onStall } = this.#options;
    switch (event.kind) {
      case 'interim':
        if (event.text === '') return;
        onWords({ text: event.text, isFinal: false });
        return tell({ kind: 'interim', text: event.text });
      case 'final':
        if (event.text !== '') onWords({ text: event.text, isFinal: true });
        return tell({
          kind: 'final',
          text: event.text,
          speechFinal: event.speechFinal,
          segmentId: event.segmentId,
        });
      case 'utterance_end':
        return tell({ kind: 'utterance_ended' });
      case 'fault':
        this.#fault = event.error;
        return;
      case 'closed':
        return onStall(this.#fault);
      case 'reconnected':
        return;
    }
  }
}
