import { z } from 'zod';
import { decodeALaw, decodeMuLaw } from '../../src/domain/audio/g711.ts';
import type { ModemRate } from '../modem/tones.ts';
import { samplesOf, type Connection, type Dialect } from './connection.ts';
import type { Heard } from './recognizer.ts';

const Format = z.union([
  z.strictObject({ type: z.literal('audio/pcm'), rate: z.literal(24_000) }),
  z.strictObject({ type: z.enum(['audio/pcmu', 'audio/pcma']) }),
]);

/**
 * The allowed part of `session.update` for a transcription session; anything else is refused, as by the
 * vendor.
 */
const SessionUpdate = z.strictObject({
  type: z.literal('session.update'),
  event_id: z.string().optional(),
  session: z.strictObject({
    type: z.literal('transcription'),
    include: z.array(z.string()).optional(),
    audio: z.strictObject({
      input: z.strictObject({
        format: Format,
        transcription: z.strictObject({
          model: z.string().min(1),
          language: z
            .string()
            .regex(/^[a-z]{2,3}$/)
            .optional(),
          languages: z.array(z.string()).optional(),
          keywords: z.array(z.string()).optional(),
          prompt: z.string().optional(),
        }),
        turn_detection: z
          .strictObject({
            type: z.literal('server_vad'),
            threshold: z.number().optional(),
            prefix_padding_ms: z.int().optional(),
            silence_duration_ms: z.int().optional(),
          })
          .nullish(),
        noise_reduction: z.unknown().optional(),
      }),
    }),
  }),
});

const Append = z.strictObject({
  type: z.literal('input_audio_buffer.append'),
  event_id: z.string().optional(),
  audio: z.base64(),
});

/** OpenAI's realtime transcription: JSON both ways, base64 audio, one item for each utterance. */
export function openAiDialect(): Dialect {
  return new OpenAiDialect();
}

class OpenAiDialect implements Dialect {
  readonly greeting = [
    event('session.created', { session: { type: 'transcription', id: 'sess_simulated' } }),
  ];
  /** Null until the session is configured. */
  #codec: Codec | null = null;
  #items = 0;
  /** What deltas said of the current item. */
  #said = '';

  error(code: string): object {
    const type = code.startsWith('4') ? 'invalid_request_error' : 'server_error';
    return event('error', { error: { type, code, message: 'A configured fault.' } });
  }

  messagesOf(heard: Heard): object[] {
    switch (heard.kind) {
      case 'started':
        return [this.#begin(heard.atMs)];
      case 'words':
        return this.#delta(heard.text);
      case 'final':
        return this.#complete(heard);
    }
  }

  take(message: { binary: Buffer } | { text: string }, connection: Connection): void {
    const body = 'text' in message ? readJson(message.text) : undefined;
    const type = z.looseObject({ type: z.string() }).safeParse(body).data?.type ?? 'unknown';
    if (type === 'session.update') return this.#update(body, connection);
    if (type === 'input_audio_buffer.append') return this.#append(body, connection);
    connection.note(type);
    if (type === 'input_audio_buffer.commit') connection.finalize();
    else connection.send(refusal('unknown_event', 'The simulated server does not know this event.'));
  }

  #update(body: unknown, connection: Connection): void {
    const parsed = SessionUpdate.safeParse(body);
    if (!parsed.success) return connection.send(refusal('invalid_value', z.prettifyError(parsed.error)));
    const { format, transcription, turn_detection: turns } = parsed.data.session.audio.input;
    this.#codec = codecs[format.type];
    connection.listen({
      sampleRate: this.#codec.rate,
      endpointingMs: turns?.silence_duration_ms ?? (turns === null ? Infinity : 500),
      parameters: { format, ...transcription },
    });
    connection.send(event('session.updated', { session: parsed.data.session }));
  }

  #append(body: unknown, connection: Connection): void {
    const parsed = Append.safeParse(body);
    if (!parsed.success || this.#codec === null)
      return connection.send(
        refusal('invalid_value', 'The audio cannot be read, or no session was configured.'),
      );
    const { rate, decode } = this.#codec;
    connection.hear(decode(Buffer.from(parsed.data.audio, 'base64')), rate);
  }

  #begin(atMs: number): object {
    this.#items += 1;
    this.#said = '';
    return event('input_audio_buffer.speech_started', {
      item_id: this.#itemId,
      audio_start_ms: Math.round(atMs),
    });
  }

  /** The words that earlier deltas did not say. */
  #delta(text: string): object[] {
    const more = text.slice(this.#said.length);
    this.#said = text;
    if (more === '') return [];
    const fields = { item_id: this.#itemId, content_index: 0, delta: more };
    return [event('conversation.item.input_audio_transcription.delta', fields)];
  }

  #complete({ text, endMs }: Extract<Heard, { kind: 'final' }>): object[] {
    const item = { item_id: this.#itemId };
    return [
      event('input_audio_buffer.speech_stopped', { ...item, audio_end_ms: Math.round(endMs) }),
      event('input_audio_buffer.committed', { ...item, previous_item_id: null }),
      ...this.#delta(text),
      event('conversation.item.input_audio_transcription.completed', {
        ...item,
        content_index: 0,
        transcript: text,
        usage: { type: 'duration', seconds: 1 },
      }),
    ];
  }

  get #itemId(): string {
    return `item_simulated_${this.#items}`;
  }
}

function event(type: string, fields: object): object {
  return { type, event_id: `event_simulated_${Math.random().toString(36).slice(2)}`, ...fields };
}

function refusal(code: string, message: string): object {
  return event('error', {
    error: { type: 'invalid_request_error', code, message, param: null, event_id: null },
  });
}

interface Codec {
  rate: ModemRate;
  decode: (bytes: Buffer) => Int16Array;
}

const codecs: Record<z.infer<typeof Format>['type'], Codec> = {
  'audio/pcm': { rate: 24_000, decode: samplesOf },
  'audio/pcmu': { rate: 8_000, decode: decodeMuLaw },
  'audio/pcma': { rate: 8_000, decode: decodeALaw },
};

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
