import { ProviderError } from '../../domain/errors.ts';
import type { TtsStream } from '../../providers/tts/port.ts';
import type { ClauseMade, Mouth, SpokenClause } from './mouth.ts';
import type { CallVoice } from './voices.ts';

/**
 * From clauses to sound, in order, for one step.
 *
 * S1. One stream of a voice for all clauses of a step, opened with the first one that is not cached; a clause is handed over as soon as it is there.
 * S2. A voice that fails is replaced by the next one, which says what has no whole sound yet. Without another one the rest is lost, and `finish`
 *     says so: somebody has to say something else.
 */
export interface SpeechOptions {
  mouth: Mouth;
  voices: readonly CallVoice[];
  /** Which voice is tried first: one that failed in this call is not tried again. */
  firstVoice: number;
  sampleRate: 8000 | 16000;
  /** Sound that is there already, or null. */
  cached: (text: string) => Int16Array | null;
  onSent: () => void;
  onFirstSound: () => void;
  onFault: (error: ProviderError) => void;
}

export type SpeechOutcome = { kind: 'made' } | { kind: 'failed'; error: ProviderError };

interface Item {
  clause: SpokenClause;
  made: ClauseMade;
  /** Null: a voice makes it. */
  samples: Int16Array | null;
  /** Where its sound comes from; null when it is there already, or when no voice is left. */
  sound: Sound | null;
}

type Sound = AsyncIterator<{ samples: Int16Array; isLastOfClause: boolean }>;

/** Characters by service. */
export type SpokenCharacters = Record<string, number>;

export class Speech {
  readonly #options: SpeechOptions;
  readonly #controller = new AbortController();
  readonly #items: Item[] = [];
  readonly #streams: { service: string; stream: TtsStream }[] = [];
  #taken = 0;
  #voice: number;
  /** Takes clauses; null before the first one, and when something else comes in between. */
  #stream: { stream: TtsStream; sound: Sound } | null = null;
  #isFinished = false;
  #wake: () => void = () => undefined;
  #outcome: Promise<SpeechOutcome> | null = null;
  #hasSounded = false;

  constructor(options: SpeechOptions) {
    this.#options = options;
    this.#voice = options.firstVoice;
  }

  /** The voice that speaks now; equal to the number of voices when none is left. */
  get voice(): number {
    return this.#voice;
  }

  /** What voices were given to say. */
  get characters(): SpokenCharacters {
    const sums: SpokenCharacters = {};
    for (const { service, stream } of this.#streams) sums[service] = (sums[service] ?? 0) + stream.characters;
    return sums;
  }

  say(made: ClauseMade): void {
    const samples = this.#options.cached(made.text);
    this.#push({ clause: this.#options.mouth.add(made), made, samples, sound: null });
  }

  play(samples: Int16Array, made: ClauseMade): void {
    this.#push({ clause: this.#options.mouth.add(made), made, samples, sound: null });
  }

  /** Nothing follows. Answers when the mouth has all sound, or will not get it. */
  async finish(): Promise<SpeechOutcome> {
    this.#isFinished = true;
    this.#endStream();
    this.#wake();
    return await (this.#outcome ?? { kind: 'made' });
  }

  abort(): void {
    this.#isFinished = true;
    this.#controller.abort();
    this.#wake();
  }

  #push(item: Item): void {
    if (this.#controller.signal.aborted) return;
    this.#items.push(item);
    if (item.samples === null) this.#hand(item);
    else this.#endStream(); // only the end of a stream says where its last clause ends
    this.#outcome ??= this.#run();
    this.#wake();
  }

  /** Gives a clause to the voice's stream. */
  #hand(item: Item): void {
    const voice = this.#options.voices[this.#voice];
    if (voice === undefined) return;
    if (this.#stream === null) {
      const stream = voice.tts.open({ voice: voice.voice, sampleRate: this.#options.sampleRate, signal: this.#controller.signal });
      this.#stream = { stream, sound: stream.audio[Symbol.asyncIterator]() };
      this.#streams.push({ service: voice.service, stream });
      this.#options.onSent();
    }
    item.sound = this.#stream.sound;
    this.#stream.stream.say(item.made.text);
  }

  #endStream(): void {
    this.#stream?.stream.end();
    this.#stream = null;
  }

  async #run(): Promise<SpeechOutcome> {
    for (;;) {
      const item = this.#items[this.#taken];
      if (this.#controller.signal.aborted) return { kind: 'made' };
      if (item === undefined) {
        if (this.#isFinished) return { kind: 'made' };
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      const fault = item.samples === null ? await this.#render(item) : this.#feed(item, item.samples);
      if (fault === null) {
        this.#taken += 1;
        continue;
      }
      if (this.#controller.signal.aborted) return { kind: 'made' };
      this.#options.onFault(fault);
      if (!this.#change()) return { kind: 'failed', error: fault };
    }
  }

  #feed({ clause }: Item, samples: Int16Array): null {
    this.#options.mouth.feed(clause, samples, true);
    this.#sounded();
    return null;
  }

  /** Takes the clause's sound off the stream. */
  async #render(item: Item): Promise<ProviderError | null> {
    if (item.sound === null) return noVoice();
    try {
      for (;;) {
        const next = await item.sound.next();
        if (next.done === true) return noSound();
        this.#options.mouth.feed(item.clause, next.value.samples, next.value.isLastOfClause);
        this.#sounded();
        if (next.value.isLastOfClause) return null;
      }
    } catch (error) {
      return error instanceof ProviderError ? error : noSound(error);
    }
  }

  /** The next voice says what is left; false when there is none. */
  #change(): boolean {
    const left = this.#items.slice(this.#taken);
    this.#voice += 1;
    this.#stream = null;
    this.#hasSounded = false;
    const [first] = left;
    // All of it is there but the word that it is: it is not said twice.
    if (first !== undefined && first.samples === null && this.#options.mouth.isLikelyWhole(first.clause)) {
      this.#options.mouth.feed(first.clause, new Int16Array(0), true);
      left.shift();
      this.#taken += 1;
    }
    for (const item of left) this.#options.mouth.abandon(item.clause);
    if (left.length === 0) return true;
    if (this.#voice >= this.#options.voices.length) return false;
    for (const item of left) {
      const { position: _, ...made } = item.made;
      item.clause = this.#options.mouth.add(made);
      if (item.samples === null) this.#hand(item);
    }
    if (this.#isFinished) this.#endStream();
    return true;
  }

  #sounded(): void {
    if (!this.#hasSounded) this.#options.onFirstSound();
    this.#hasSounded = true;
  }
}

const noSound = (cause?: unknown): ProviderError => new ProviderError('The voice made no sound', { provider: 'tts', retryable: true, reason: 'lost', ...(cause === undefined ? {} : { cause }) });

const noVoice = (): ProviderError => new ProviderError('There is no voice left to speak with', { provider: 'tts', retryable: false });
