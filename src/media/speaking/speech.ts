import { ProviderError } from '../../domain/errors.ts';
import type { ClauseMade, ClausePlayer, SpokenClause } from './clause-player.ts';
import { OpenVoice } from './open-voice.ts';
import type { CallVoice } from './voices.ts';

/**
 * Turns the clauses of a step into sound, in order.
 *
 *  - S1. All clauses of a step go to one stream of a voice, as soon as they exist. The first clause without a
 *    clip opens it. A stream that was opened ahead with exactly that clause is used; any other one, or one
 *    that failed, is aborted. If the used one fails before its first sound, its voice is asked once more.
 *  - S2. If a voice fails, the next one says every clause without complete sound. If none is left, the rest
 *    is lost and `finish` reports it, so the step must say something else.
 */
export interface SpeechOptions {
  player: ClausePlayer;
  voices: readonly CallVoice[];
  /** The first voice to use. A voice that failed in this call is not used again. */
  firstVoice: number;
  /** A stream that was opened ahead for this step. It is aborted and counted with the others. */
  ahead: OpenVoice | null;
  nowMs: () => number;
  sampleRate: 8000 | 16000;
  /** Sound that exists already, or null. */
  cached: (text: string) => Int16Array | null;
  onSent: (atMs: number) => void;
  onFirstSound: (atMs: number) => void;
  onFault: (error: ProviderError) => void;
}

export type SpeechOutcome = { kind: 'made' } | { kind: 'failed'; error: ProviderError };

interface Item {
  clause: SpokenClause;
  made: ClauseMade;
  /** Null when a voice has to make it. */
  samples: Int16Array | null;
  /** The stream of its sound; null for ready sound, or when no voice is left. */
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
  /** The stream that takes clauses; null before the first one and after ready sound. */
  #stream: OpenVoice | null = null;
  /** A stream that was opened ahead and is not used yet. */
  #ahead: OpenVoice | null;
  /** The stream that was opened ahead and is used. */
  #claimed: OpenVoice | null = null;
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

  /** Index of the current voice; equal to the number of voices when none is left. */
  get voice(): number {
    return this.#voice;
  }

  /** Characters that the voices got. */
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
    this.#push({ clause: this.#options.player.add(made), made, samples, stream: null });
  }

  play(samples: Int16Array, made: ClauseMade): void {
    this.#push({ clause: this.#options.player.add(made), made, samples, stream: null });
  }

  /** No clause follows. Resolves when the player has all sound or will not get it. */
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
    else this.#endStream(); // the end of the stream marks the end of its last clause
    this.#outcome ??= this.#run();
    this.#wake();
  }

  /** Gives a clause to the current voice. */
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
    // guarantee: speculative-audio-needs-same-step
    const isIt = ahead !== null && ahead.says(voice, clause);
    if (isIt) this.#claimed = ahead;
    else ahead?.abort();
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
      // Whether the failure was known before the claim is chance.
      const isUnheard =
        item.stream !== null && item.stream === this.#claimed && item.stream.firstSoundAtMs === null;
      if (!isUnheard) this.#options.onFault(fault);
      // guarantee: failed-voice-replaced-mid-reply
      if (!this.#change(isUnheard ? this.#voice : this.#voice + 1)) return { kind: 'failed', error: fault };
    }
  }

  #feed({ clause }: Item, samples: Int16Array): null {
    this.#options.player.feed(clause, samples, true);
    this.#sounded(this.#options.nowMs());
    return null;
  }

  /** Feeds the player with the clause's sound from its stream. */
  async #render(item: Item): Promise<ProviderError | null> {
    const { stream } = item;
    if (stream === null) return noVoice();
    try {
      for (;;) {
        const next = await stream.next();
        if (next.done === true) return noSound();
        this.#options.player.feed(item.clause, next.value.samples, next.value.isLastOfClause);
        this.#sounded(stream.firstSoundAtMs ?? this.#options.nowMs());
        if (next.value.isLastOfClause) return null;
      }
    } catch (error) {
      return error instanceof ProviderError ? error : noSound(error);
    }
  }

  /** Opens a stream of this voice for the remaining clauses; false when there is no such voice. */
  #change(voice: number): boolean {
    const left = this.#items.slice(this.#taken);
    this.#voice = voice;
    this.#stream = null;
    this.#hasSounded = false;
    const [first] = left;
    // Its sound is complete except for the end mark: do not say it twice.
    if (first !== undefined && first.samples === null && this.#options.player.isLikelyWhole(first.clause)) {
      this.#options.player.feed(first.clause, new Int16Array(0), true);
      left.shift();
      this.#taken += 1;
    }
    for (const item of left) this.#options.player.abandon(item.clause);
    if (left.length === 0) return true;
    if (this.#voice >= this.#options.voices.length) return false;
    for (const item of left) {
      const { position: _, ...made } = item.made;
      item.clause = this.#options.player.add(made);
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
