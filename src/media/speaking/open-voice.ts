import type { TtsAudio, TtsRate, TtsStream } from '../../providers/tts/port.ts';
import type { CallVoice } from './voices.ts';

export interface OpenVoiceParts {
  voice: CallVoice;
  /** The first clause. */
  clause: string;
  sampleRate: TtsRate;
  nowMs: () => number;
}

/**
 * A voice that is speaking: one stream, opened with its first clause. It keeps its sound until someone reads
 * it, so it may be opened before anyone may hear it. Abort it to drop it.
 */
export class OpenVoice {
  readonly voice: CallVoice;
  readonly sentAtMs: number;
  readonly #firstClause: string;
  readonly #controller = new AbortController();
  readonly #stream: TtsStream;
  readonly #audio: AsyncIterator<TtsAudio>;
  /** Requested at once, so its time of arrival is known whenever it is read. */
  #first: Promise<IteratorResult<TtsAudio>> | null;
  #firstSoundAtMs: number | null = null;
  #isLost = false;

  constructor({ voice, clause, sampleRate, nowMs }: OpenVoiceParts) {
    this.voice = voice;
    this.sentAtMs = nowMs();
    this.#firstClause = clause;
    this.#stream = voice.tts.open({ voice: voice.voice, sampleRate, signal: this.#controller.signal });
    this.#stream.say(clause);
    this.#audio = this.#stream.audio[Symbol.asyncIterator]();
    this.#first = this.#audio.next();
    this.#first.then(
      ({ done }) => (done === true ? (this.#isLost = true) : (this.#firstSoundAtMs = nowMs())),
      // guarantee: failed-early-audio-requested-again
      () => (this.#isLost = true),
    );
  }

  /** Null before the first sound. */
  get firstSoundAtMs(): number | null {
    return this.#firstSoundAtMs;
  }

  /** Characters that the voice got. */
  get characters(): number {
    return this.#stream.characters;
  }

  /** It began with this clause in this voice and is not known to have failed. */
  says(voice: CallVoice, clause: string): boolean {
    return this.voice === voice && this.#firstClause === clause && !this.#isLost;
  }

  say(clause: string): void {
    this.#stream.say(clause);
  }

  /** No clause will follow. */
  end(): void {
    this.#stream.end();
  }

  /** The next piece of sound. Rejects as the voice does. */
  next(): Promise<IteratorResult<TtsAudio>> {
    const next = this.#first ?? this.#audio.next();
    this.#first = null;
    return next;
  }

  abort(): void {
    this.#controller.abort();
    // Observers of the stream see its end even if no one reads on.
    this.#audio.return?.().catch(() => undefined);
  }
}
