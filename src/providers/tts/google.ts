import type { TextToSpeechClient } from '@google-cloud/text-to-speech';
import { ProviderError } from '../../domain/errors.ts';
import { splitForSpeech } from '../../domain/speech/clauses.ts';
import { systemTimer, type Timer } from '../../runtime/timer.ts';
import { abortedError, ttsError } from './failures.ts';
import { GoogleClient, isEmulator, type GoogleClientOptions } from './google-client.ts';
import { GoogleStream } from './google-stream.ts';
import { OrderedAudio } from './ordered-audio.ts';
import { VoicePace } from './pace.ts';
import { defaultTtsTimeouts, type TtsAudio, type TtsOptions, type TtsPort, type TtsStream } from './port.ts';

/** Maximum of one input message. */
const maxBytes = 5_000;

/**
 * TtsPort over Google's streaming synthesis (Chirp 3 HD and Gemini voices; Google refuses others). A reply is
 * one gRPC stream, because Google counts requests, and a further stream only after a pause of seconds.
 */
export function createGoogleTts(options: GoogleClientOptions): TtsPort {
  const parts: GoogleParts = {
    timer: options.timer ?? systemTimer,
    client: new GoogleClient(options),
    pace: new VoicePace(),
    replies: new Set(),
  };
  const simulated = isEmulator(options.endpoint);
  return {
    simulated,
    provider: simulated ? 'simulated' : 'google',
    open: (asked) => new GoogleReply(parts, asked),
    warm: () => parts.client.warm(),
    async close() {
      for (const reply of parts.replies)
        reply.fail(ttsError('The speech synthesis was closed', false, { reason: 'aborted' }));
      await parts.client.close();
    },
  };
}

interface GoogleParts {
  timer: Timer;
  client: GoogleClient;
  pace: VoicePace;
  /** Replies that are still running. */
  replies: Set<GoogleReply>;
}

class GoogleReply implements TtsStream {
  readonly #parts: GoogleParts;
  readonly #asked: TtsOptions;
  readonly #audio: OrderedAudio;
  readonly #streams = new Set<GoogleStream>();
  #current: GoogleStream | null = null;
  #clauses = 0;
  #isOver = false;
  characters = 0;

  constructor(parts: GoogleParts, asked: TtsOptions) {
    this.#parts = parts;
    this.#asked = asked;
    this.#audio = new OrderedAudio(() => this.#finish());
    parts.replies.add(this);
    asked.signal.addEventListener('abort', this.#abort, { once: true });
    if (asked.signal.aborted) this.#abort();
  }

  get audio(): AsyncIterable<TtsAudio> {
    return this.#audio;
  }

  say(clause: string): void {
    if (this.#isOver) return;
    if (this.#current === null || this.#current.isFinishing) this.#current = this.#begin();
    const texts = splitForSpeech(clause, { bytes: maxBytes });
    this.characters += texts.reduce((sum, { length }) => sum + length, 0);
    this.#current.say(this.#clauses, texts);
    this.#clauses += 1;
  }

  end(): void {
    this.#current?.finish();
    this.#audio.close();
  }

  fail(error: unknown): void {
    this.#finish();
    this.#audio.fail(error);
  }

  #begin(): GoogleStream {
    const { voice, sampleRate, timeouts } = this.#asked;
    const client = this.#parts.client.ready();
    const stream: GoogleStream = new GoogleStream({
      timer: this.#parts.timer,
      client,
      voice,
      sampleRate,
      limits: { ...defaultTtsTimeouts, ...timeouts },
      msPerCharacter: this.#parts.pace.msPerCharacter(voice),
      part: this.#audio.addPart(),
      onFinished: (said) => {
        this.#streams.delete(stream);
        this.#parts.pace.learn(voice, said);
      },
      onFailed: (error) => void this.#failed(client, error),
    });
    this.#streams.add(stream);
    return stream;
  }

  readonly #failed = async (client: Promise<TextToSpeechClient>, error: unknown): Promise<void> => {
    this.fail(error);
    // A timeout may mean that the connection was lost without notice.
    if (!(error instanceof ProviderError) || error.reason !== 'timeout') return;
    await client.then(
      (silent) => this.#parts.client.renew(silent),
      () => undefined,
    );
  };

  readonly #abort = (): void => {
    this.#finish();
    this.#audio.abort(abortedError(this.#asked.signal.reason));
  };

  /** Cancels everything that is open. */
  #finish(): void {
    this.#isOver = true;
    this.#asked.signal.removeEventListener('abort', this.#abort);
    for (const stream of this.#streams) stream.cancel();
    this.#streams.clear();
    this.#parts.replies.delete(this);
  }
}
