import OpenAI from 'openai';
import { splitForSpeech } from '../../domain/speech/clauses.ts';
import { systemTimer, type Timer } from '../../runtime/timer.ts';
import { abortedError, ttsError } from './failures.ts';
import { SpeechRequest } from './openai-request.ts';
import { OrderedAudio } from './ordered-audio.ts';
import { defaultTtsTimeouts, type TtsAudio, type TtsOptions, type TtsPort, type TtsStream } from './port.ts';

export interface OpenAiTtsOptions {
  /** A key that begins with `simulated` selects an emulator, which accepts no other key. */
  apiKey: string;
  /** Any server with OpenAI's `/audio/speech`; OpenAI by default. */
  baseUrl?: string | undefined;
  /** Name of the provider if it is not OpenAI. */
  provider?: string;
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch;
  /** Measures the waits for sound; absent = the system's. */
  timer?: Timer | undefined;
}

const maxCharacters = 4_096;
/** The next clause is requested while the current one streams. More requests would exceed vendors' limits. */
const maxAtOnce = 2;
/** Disables the SDK's timer; Patience owns the timeouts. */
const maxTimerMs = 2_147_483_647;

/**
 * TtsPort over OpenAI's speech: one request per clause; the next one starts while the current one is heard.
 */
export function createOpenAiTts({
  apiKey,
  baseUrl = 'https://api.openai.com/v1',
  provider = 'openai',
  fetch,
  timer = systemTimer,
}: OpenAiTtsOptions): TtsPort {
  const client = new OpenAI({
    apiKey,
    baseURL: baseUrl,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: maxTimerMs,
    logLevel: 'off',
    ...(fetch === undefined ? {} : { fetch }),
  });
  const replies = new Set<OpenAiReply>();
  const simulated = apiKey.startsWith('simulated');
  return {
    simulated,
    provider: simulated ? 'simulated' : provider,
    open: (asked) => new OpenAiReply({ client, timer, replies }, asked),
    async warm() {
      // Any answer shows that the connection works.
      const request = (fetch ?? globalThis.fetch)(`${baseUrl}/models`, {
        method: 'HEAD',
        signal: AbortSignal.timeout(5_000),
      });
      await request.then(
        (response) => response.body?.cancel(),
        (error: unknown) =>
          Promise.reject(
            ttsError('The speech synthesis could not be reached', true, {
              reason: 'unreachable',
              cause: error,
            }),
          ),
      );
    },
    close() {
      for (const reply of replies)
        reply.fail(ttsError('The speech synthesis was closed', false, { reason: 'aborted' }));
      return Promise.resolve();
    },
  };
}

interface OpenAiParts {
  client: OpenAI;
  timer: Timer;
  /** Those that are not over. */
  replies: Set<OpenAiReply>;
}

class OpenAiReply implements TtsStream {
  readonly #parts: OpenAiParts;
  readonly #asked: TtsOptions;
  readonly #audio: OrderedAudio;
  readonly #waiting: (() => SpeechRequest)[] = [];
  readonly #running = new Set<SpeechRequest>();
  #clauses = 0;
  #isOver = false;
  characters = 0;

  constructor(parts: OpenAiParts, asked: TtsOptions) {
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
    const index = this.#clauses;
    this.#clauses += 1;
    const texts = splitForSpeech(clause, { characters: maxCharacters });
    if (texts.length === 0) this.#closeSilently(index);
    for (const [position, text] of texts.entries())
      this.#ask(text, { clause: index, isLast: position === texts.length - 1 });
  }

  end(): void {
    this.#audio.close();
  }

  fail(error: unknown): void {
    this.#finish();
    this.#audio.fail(error);
  }

  #closeSilently(clause: number): void {
    const part = this.#audio.addPart();
    part.push({ samples: new Int16Array(0), clause, isExact: true, isLastOfClause: true });
    part.finish();
  }

  #ask(text: string, place: { clause: number; isLast: boolean }): void {
    const part = this.#audio.addPart();
    const { voice, sampleRate, timeouts } = this.#asked;
    this.#waiting.push(() => {
      this.characters += text.length;
      const request: SpeechRequest = new SpeechRequest({
        client: this.#parts.client,
        timer: this.#parts.timer,
        text,
        voice,
        sampleRate,
        limits: { ...defaultTtsTimeouts, ...timeouts },
        place,
        part,
        onFinished: () => {
          this.#running.delete(request);
          this.#next();
        },
        onFailed: (error) => this.fail(error),
      });
      return request;
    });
    this.#next();
  }

  #next(): void {
    while (this.#running.size < maxAtOnce) {
      const begin = this.#waiting.shift();
      if (begin === undefined) return;
      const request = begin();
      this.#running.add(request);
      void request.run();
    }
  }

  readonly #abort = (): void => {
    this.#finish();
    this.#audio.abort(abortedError(this.#asked.signal.reason));
  };

  /** Cancels everything that is open. */
  #finish(): void {
    this.#isOver = true;
    this.#asked.signal.removeEventListener('abort', this.#abort);
    this.#waiting.length = 0;
    for (const request of this.#running) request.cancel();
    this.#running.clear();
    this.#parts.replies.delete(this);
  }
}
