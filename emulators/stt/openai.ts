import { z } from 'zod';
import { decodeALaw, decodeMuLaw } from '../../src/domain/audio/g711.ts';
import type { ModemRate } from '../modem/tones.ts';
import { samplesOf, type Connection, type Dialect } from './connection.ts';

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
  let audio: { rate: ModemRate; decode: (bytes: Buffer) => Int16Array } | null = null;
  let items = 0;
  let said = '';
  const itemId = () => `item_simulated_${items}`;
  const event = (type: string, more: object = {}) => ({
    type,
    event_id: `event_simulated_${Math.random().toString(36).slice(2)}`,
    ...more,
  });
  const delta = (text: string) => {
    const more = text.slice(said.length);
    said = text;
    return more === ''
      ? []
      : [
          event('conversation.item.input_audio_transcription.delta', {
            item_id: itemId(),
            content_index: 0,
            delta: more,
          }),
        ];
  };
  const refuse = (code: string, message: string) =>
    event('error', { error: { type: 'invalid_request_error', code, message, param: null, event_id: null } });

  function update(message: unknown, connection: Connection): void {
    const parsed = SessionUpdate.safeParse(message);
    if (!parsed.success) return connection.send(refuse('invalid_value', z.prettifyError(parsed.error)));
    const { format, transcription, turn_detection: turns } = parsed.data.session.audio.input;
    audio = codecs[format.type];
    connection.listen({
      sampleRate: audio.rate,
      endpointingMs: turns?.silence_duration_ms ?? (turns === null ? Infinity : 500),
      parameters: { format, ...transcription },
    });
    connection.send(event('session.updated', { session: parsed.data.session }));
  }

  return {
    greeting: [event('session.created', { session: { type: 'transcription', id: 'sess_simulated' } })],
    error: (code) =>
      event('error', {
        error: {
          type: code.startsWith('4') ? 'invalid_request_error' : 'server_error',
          code,
          message: 'A configured fault.',
        },
      }),
    messagesOf(heard) {
      switch (heard.kind) {
        case 'started':
          items += 1;
          said = '';
          return [
            event('input_audio_buffer.speech_started', {
              item_id: itemId(),
              audio_start_ms: Math.round(heard.atMs),
            }),
          ];
        case 'words':
          return delta(heard.text);
        case 'final':
          return [
            event('input_audio_buffer.speech_stopped', {
              item_id: itemId(),
              audio_end_ms: Math.round(heard.endMs),
            }),
            event('input_audio_buffer.committed', { item_id: itemId(), previous_item_id: null }),
            ...delta(heard.text),
            event('conversation.item.input_audio_transcription.completed', {
              item_id: itemId(),
              content_index: 0,
              transcript: heard.text,
              usage: { type: 'duration', seconds: 1 },
            }),
          ];
      }
    },
    take(message, connection) {
      const body = 'text' in message ? readJson(message.text) : undefined;
      const type = z.looseObject({ type: z.string() }).safeParse(body).data?.type ?? 'unknown';
      if (type === 'session.update') return update(body, connection);
      if (type === 'input_audio_buffer.append') {
        const parsed = Append.safeParse(body);
        if (!parsed.success || audio === null)
          return connection.send(
            refuse('invalid_value', 'The audio cannot be read, or no session was configured.'),
          );
        return connection.hear(audio.decode(Buffer.from(parsed.data.audio, 'base64')), audio.rate);
      }
      connection.note(type);
      if (type === 'input_audio_buffer.commit') connection.finalize();
      else connection.send(refuse('unknown_event', 'The simulated server does not know this event.'));
    },
  };
}

const codecs: Record<
  z.infer<typeof Format>['type'],
  { rate: ModemRate; decode: (bytes: Buffer) => Int16Array }
> = {
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
