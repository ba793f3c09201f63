import type { TextToSpeechClient } from '@google-cloud/text-to-speech';
import { createSampleReader } from '../../domain/audio/pcm.ts';
import { guarded } from '../../runtime/guarded.ts';
import { runAfter, type Timer } from '../../runtime/timer.ts';
import { ClauseLedger } from './clause-ledger.ts';
import { fromGrpc, noSoundError } from './failures.ts';
import { googleRate, googleVoice } from './google-voice.ts';
import type { AudioPart } from './ordered-audio.ts';
import { Patience } from './patience.ts';
import type { TtsRate, TtsTimeouts, TtsVoice } from './port.ts';

export interface GoogleStreamParts {
  timer: Timer;
  client: Promise<TextToSpeechClient>;
  voice: TtsVoice;
  sampleRate: TtsRate;
  limits: TtsTimeouts;
  msPerCharacter: number;
  part: AudioPart;
  onFinished: (said: { characters: number; ms: number }) => void;
  onFailed: (error: unknown) => void;
}

type GrpcStream = ReturnType<TextToSpeechClient['streamingSynthesize']>;

/**
 * Silence is a stall while more than this share of the expected sound is missing; the rest may be an error of
 * the estimate.
 */
const maxOwed = 0.5;

/**
 * One `streamingSynthesize`: clauses in, audio out. Google aborts a stream without input for 5 s, so we
 * finish it before (`isFinishing`): its clauses are still spoken, and the next clause needs another stream.
 */
export class GoogleStream {
  readonly #parts: GoogleStreamParts;
  readonly #ledger: ClauseLedger;
  readonly #reader = createSampleReader('little');
  readonly #patience: Patience;
  readonly #unsent: string[] = [];
  #stream: GrpcStream | null = null;
  #stopIdle: () => void = () => undefined;
  #isOver = false;
  isFinishing = false;

  constructor(parts: GoogleStreamParts) {
    this.#parts = parts;
    this.#ledger = new ClauseLedger((parts.msPerCharacter * parts.sampleRate) / 1000);
    this.#patience = new Patience(parts.timer, parts.limits, this.#fail);
    void this.#open();
  }

  /** `texts` are the pieces of the clause within Google's limit; none if it has nothing to speak. */
  say(clause: number, texts: readonly string[]): void {
    this.#ledger.add(
      clause,
      texts.reduce((sum, { length }) => sum + length, 0),
    );
    for (const text of texts) this.#send(text);
    if (!this.#patience.isWaiting) this.#wait();
    this.#stopIdle();
    const { timer, limits } = this.#parts;
    this.#stopIdle = runAfter(
      timer,
      limits.idleMs,
      guarded(() => this.finish(), this.#fail),
    );
  }

  finish(): void {
    if (this.isFinishing) return;
    this.isFinishing = true;
    this.#stopIdle();
    if (this.#ledger.characters === 0) return this.#succeed();
    this.#stream?.end();
    if (!this.#patience.isWaiting) this.#wait();
  }

  /** Ends the stream at once. */
  cancel(): void {
    this.#isOver = true;
    this.#stopIdle();
    this.#patience.rest();
    this.#stream?.cancel();
  }

  async #open(): Promise<void> {
    try {
      const client = await this.#parts.client;
      if (this.#isOver) return;
      const stream = client.streamingSynthesize();
      this.#stream = stream;
      const hear = (answer: { audioContent?: Uint8Array | null }): void =>
        this.#hear(answer.audioContent ?? new Uint8Array(0));
      stream.on('data', guarded(hear, this.#fail));
      stream.on(
        'error',
        guarded((error: unknown) => this.#fail(fromGrpc(error)), this.#fail),
      );
      stream.on(
        'end',
        guarded(() => this.#end(), this.#fail),
      );
      stream.write({ streamingConfig: this.#config() });
      for (const text of this.#unsent.splice(0)) stream.write({ input: { text } });
      if (this.isFinishing) stream.end();
    } catch (error) {
      this.#fail(error);
    }
  }

  #config() {
    const { voice, sampleRate } = this.#parts;
    return {
      voice: googleVoice(voice),
      streamingAudioConfig: {
        audioEncoding: 'PCM' as const,
        sampleRateHertz: sampleRate,
        speakingRate: googleRate(voice),
      },
    };
  }

  #send(text: string): void {
    if (this.#stream === null) this.#unsent.push(text);
    else this.#stream.write({ input: { text } });
  }

  #wait(): void {
    if (this.#ledger.characters > 0) this.#patience.wait(this.#ledger.samples === 0 ? 'firstByte' : 'stall');
  }

  #hear(bytes: Uint8Array): void {
    if (this.#isOver) return;
    for (const audio of this.#ledger.take(this.#reader.push(bytes))) this.#parts.part.push(audio);
    if (this.isFinishing || this.#ledger.owed > maxOwed) this.#wait();
    else this.#patience.rest();
  }

  #end(): void {
    if (this.#isOver) return;
    // Google never ends a stream on its own, and a stream without sound is a failure.
    if (!this.isFinishing || this.#ledger.samples === 0) return this.#fail(noSoundError());
    const { characters, samples } = this.#ledger;
    this.#parts.onFinished({ characters, ms: (samples / this.#parts.sampleRate) * 1000 });
    this.#succeed();
  }

  #succeed(): void {
    for (const audio of this.#ledger.close()) this.#parts.part.push(audio);
    this.#parts.part.finish();
    this.cancel();
  }

  /** Only the first failure counts, so a failure in here ends here. */
  readonly #fail = (error: unknown): void => {
    if (this.#isOver) return;
    this.cancel();
    this.#parts.onFailed(error);
  };
}
