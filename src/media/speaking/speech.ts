import { ProviderError } from '../../domain/errors.ts';
import type { ClauseMade, Mouth, SpokenClause } from './mouth.ts';
import { OpenVoice } from './open-voice.ts';
import type { CallVoice } from './voices.ts';

/**
 * From clauses to sound, in order, for one step.
 *
 * S1. One stream of a voice for all clauses of a step, opened with the first one that is not cached; a clause
 * is handed over as soon as it is there.
 *     A stream that was opened ahead with just that clause is that stream; any other, or one that failed
 *     before, is left. S2. A voice that fails is replaced by the next one, which says what has no whole sound
 *     yet. Without another one the rest is lost, and `finish`
 *     says so: somebody has to say something else.
 */
export interface SpeechOptions {
  mouth: Mouth;
  voices: readonly CallVoice[];
  /** Which voice is tried first: one that failed in this call is not tried again. */
  firstVoice: number;
  /** Opened before the step was asked for; from now on it is aborted and counted with the rest. */
  ahead: OpenVoice | null;
  nowMs: () => number;
  sampleRate: 8000 | 16000;
  /** Sound that is there already, or null. */
  cached: (text: string) => Int16Array | null;
  onSent: (atMs: number) => void;
  onFirstSound: (atMs: number) => void;
  onFault: (error: ProviderError) => void;
}

export type SpeechOutcome = { kind: 'made' } | { kind: 'failed'; error: ProviderError };

interface Item {
  clause: SpokenClause;
  made: ClauseMade;
  /** Null: a voice makes it. */
  samples: Int16Array | null;
  /** Where its sound comes from; null when it is there already, or when no voice is left. */
  stream: OpenVoice | null;
}

/** Characters by service. */
export type SpokenCharacters = Record<string, number>;

export class Speech {
  readonly #options: SpeechOptions;
  readonly #items: Item[] = [];
  readonly #streams: OpenVoice[] = [];
  #taken = 0;
  #voice: number;
  /** Takes clauses; null before the first one, and when something else comes in between. */
  #stream: OpenVoice | null = null;
  /** Nobody has needed it yet. */
  #ahead: OpenVoice | null;
  #isFinished = false;
  #isAborted = false;
  #wake: () => void = () => undefined;
  #outcome: Promise<SpeechOutcome> | null = null;
  #hasSounded = false;

  constructor(options: SpeechOptions) {
    this.#options = options;
    this.#voice = options.firstVoice;
    this.#ahead = options.ahead;
    if (options.ahead !== null) this.#streams.push(options.ahead);
  }

  /** The voice that speaks now; equal to the number of voices when none is left. */
  get voice(): number {
    return this.#voice;
  }

  /** What voices were given to say. */
  get characters(): SpokenCharacters {
    const sums: SpokenCharacters = {};
    for (const {
      voice: { service },
      characters,
    } of this.#streams)
      sums[service] = (sums[service] ?? 0) + characters;
    return sums;
  }

  say(made: ClauseMade): void {
    const samples = this.#options.cached(made.text);
    this.#push({ clause: this.#options.mouth.add(made), made, samples, stream: null });
  }

  play(samples: Int16Array, made: ClauseMade): void {
    this.#push({ clause: this.#options.mouth.add(made), made, samples, stream: null });
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
    this.#isAborted = true;
    for (const stream of this.#streams) stream.abort();
    this.#wake();
  }

  #push(item: Item): void {
    if (this.#isAborted) return;
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
    if (this.#stream === null) this.#stream = this.#open(voice, item.made.text);
    else this.#stream.say(item.made.text);
    item.stream = this.#stream;
  }

  #open(voice: CallVoice, clause: string): OpenVoice {
    const { nowMs, sampleRate, onSent } = this.#options;
    const ahead = this.#ahead;
    this.#ahead = null;
    // guarantee: what-voice-given-ahead
    const isIt = ahead !== null && ahead.says(voice, clause);
    if (!isIt) ahead?.abort();
    const stream = isIt ? ahead : new OpenVoice({ voice, clause, sampleRate, nowMs });
    if (!isIt) this.#streams.push(stream);
    onSent(stream.sentAtMs);
    return stream;
  }

  #endStream(): void {
    this.#stream?.end();
    this.#stream = null;
  }

  async #run(): Promise<SpeechOutcome> {
    for (;;) {
      const item = this.#items[this.#taken];
      if (this.#isAborted) return { kind: 'made' };
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
      if (this.#isAborted) return { kind: 'made' };
      this.#options.onFault(fault);
      // guarantee: voice-fails-middle-reply
      if (!this.#change()) return { kind: 'failed', error: fault };
    }
  }

  #feed({ clause }: Item, samples: Int16Array): null {
    this.#options.mouth.feed(clause, samples, true);
    this.#sounded(this.#options.nowMs());
    return null;
  }

  /** Takes the clause's sound off the stream. */
  async #render(item: Item): Promise<ProviderError | null> {
    const { stream } = item;
    if (stream === null) return noVoice();
    try {
      for (;;) {
        const next = await stream.next();
        if (next.done === true) return noSound();
        this.#options.mouth.feed(item.clause, next.value.samples, next.value.isLastOfClause);
        this.#sounded(stream.firstSoundAtMs ?? this.#options.nowMs());
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

  #sounded(atMs: number): void {
    if (!this.#hasSounded) this.#options.onFirstSound(atMs);
    this.#hasSounded = true;
  }
}

const noSound = (cause?: unknown): ProviderError =>
  new ProviderError('The voice made no sound', {
    provider: 'tts',
    retryable: true,
    reason: 'lost',
    ...(cause === undefined ? {} : { cause }),
  });

const noVoice = (): ProviderError =>
  new ProviderError('There is no voice left to speak with', { provider: 'tts', retryable: false });
