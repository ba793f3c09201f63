import type OpenAI from 'openai';
import { createSampleReader } from '../../domain/audio/pcm.ts';
import { createResampler } from '../../domain/audio/resample.ts';
import type { Timer } from '../../runtime/timer.ts';
import { fromOpenAi, noSoundError, ttsError } from './failures.ts';
import type { AudioPart } from './ordered-audio.ts';
import { Patience } from './patience.ts';
import type { TtsRate, TtsTimeouts, TtsVoice } from './port.ts';

export interface SpeechRequestParts {
  timer: Timer;
  client: OpenAI;
  text: string;
  voice: TtsVoice;
  sampleRate: TtsRate;
  limits: TtsTimeouts;
  /** `isLast`: this is the last piece of the clause. */
  place: { clause: number; isLast: boolean };
  part: AudioPart;
  onFinished: () => void;
  onFailed: (error: unknown) => void;
}

export const defaultOpenAiTtsModel = 'gpt-4o-mini-tts';

/** Rate of `response_format: pcm`. */
const pcmRate = 24_000;
const rates = { min: 0.25, max: 4 };

/** One `audio.speech.create`: a text in, its streamed audio out. */
export class SpeechRequest {
  readonly #parts: SpeechRequestParts;
  readonly #controller = new AbortController();
  readonly #patience: Patience;
  #isOver = false;

  constructor(parts: SpeechRequestParts) {
    this.#parts = parts;
    this.#patience = new Patience(parts.timer, parts.limits, (error) => this.#fail(error));
  }

  async run(): Promise<void> {
    try {
      this.#patience.wait('firstByte');
      const response = await this.#parts.client.audio.speech.create(this.#body(), {
        signal: this.#controller.signal,
      });
      await this.#read(response.body ?? new ReadableStream());
      if (this.#isOver) return;
      this.cancel();
      this.#parts.part.finish();
      this.#parts.onFinished();
    } catch (error) {
      this.#fail(fromOpenAi(error));
    }
  }

  cancel(): void {
    this.#isOver = true;
    this.#patience.rest();
    this.#controller.abort();
  }

  #body(): OpenAI.Audio.SpeechCreateParams {
    const { text, voice } = this.#parts;
    const speed = Math.min(rates.max, Math.max(rates.min, voice.speakingRate ?? 1));
    return {
      model: voice.model ?? defaultOpenAiTtsModel,
      voice: voice.voice,
      input: text,
      response_format: 'pcm',
      ...(speed === 1 ? {} : { speed }),
    };
  }

  async #read(body: AsyncIterable<Uint8Array>): Promise<void> {
    const { place, part, sampleRate } = this.#parts;
    const reader = createSampleReader('little');
    const resampler = createResampler({ from: pcmRate, to: sampleRate });
    const give = (samples: Int16Array, isLastOfClause: boolean) =>
      part.push({ samples, clause: place.clause, isExact: true, isLastOfClause });
    let heard = 0;
    for await (const bytes of body) {
      if (this.#isOver) return;
      const samples = reader.push(bytes);
      if (samples.length === 0) continue;
      heard += samples.length;
      this.#patience.wait('stall');
      const resampled = resampler.push(samples);
      if (resampled.length > 0) give(resampled, false);
    }
    if (heard === 0) throw noSoundError();
    if (reader.hasHalf)
      throw ttsError('The speech synthesis broke off in the middle of a sample', true, { reason: 'lost' });
    const tail = resampler.flush();
    if (tail.length > 0 || place.isLast) give(tail, place.isLast);
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.cancel();
    this.#parts.onFailed(error);
  }
}
