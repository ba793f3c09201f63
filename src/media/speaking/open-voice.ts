import type { TtsAudio, TtsRate, TtsStream } from '../../providers/tts/port.ts';
import type { CallVoice } from './voices.ts';

export interface OpenVoiceParts {
  voice: CallVoice;
  /** What it begins with. */
  clause: string;
  sampleRate: TtsRate;
  nowMs: () => number;
}

/**
 * A voice that has begun to speak: one stream, opened with its first clause. Its sound waits until somebody
 * takes it, so it may be opened before anybody may hear it. Who leaves it aborts it.
 */
export class OpenVoice {
  readonly voice: CallVoice;
  readonly sentAtMs: number;
  readonly #firstClause: string;
  readonly #controller = new AbortController();
  readonly #stream: TtsStream;
  readonly #audio: AsyncIterator<TtsAudio>;
  /** Asked for at once: so it is known when it came, whenever it is taken. */
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
    // guarantee: voice-failed-before-claimed
    this.#first.then(
      ({ done }) => (done === true ? (this.#isLost = true) : (this.#firstSoundAtMs = nowMs())),
      () => (this.#isLost = true),
    );
  }

  /** Null before it came. */
  get firstSoundAtMs(): number | null {
    return this.#firstSoundAtMs;
  }

  /** What it was given to say. */
  get characters(): number {
    return this.#stream.characters;
  }

  /** It began with just this, and it has not failed as far as is known. */
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

  /** The next piece of its sound. Rejects as the voice does. */
  next(): Promise<IteratorResult<TtsAudio>> {
    const next = this.#first ?? this.#audio.next();
    this.#first = null;
    return next;
  }

  abort(): void {
    this.#controller.abort();
    // Whoever watches the stream is told of its end also when nobody reads on.
    this.#audio.return?.().catch(() => undefined);
  }
}
