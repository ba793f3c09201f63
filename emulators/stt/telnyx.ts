import type { ModemRate } from '../modem/tones.ts';
import { samplesOf, type Connection, type Dialect } from './connection.ts';

/** Case-sensitive, as at the vendor. */
const engines = ['Azure', 'Deepgram', 'Google', 'Telnyx', 'xAI', 'Speechmatics', 'Soniox'];
const rates: readonly number[] = [8000, 16000] satisfies ModemRate[];

/**
 * Telnyx's streaming socket: parameters in the address, binary audio, answers without a type, errors in a
 * list.
 */
export function telnyxDialect(query: URLSearchParams): Dialect {
  const fault = parameterFault(query);
  const sampleRate = Number(query.get('sample_rate'));
  const hasInterims = query.get('interim_results') === 'true';
  const endpointingMs = Number(query.get('endpointing') ?? 100);
  const parameters = { ...Object.fromEntries(query), keyterm: query.getAll('keyterm') };

  return {
    greeting: fault === null ? [] : [fault],
    error: (code) => ({
      errors: [{ code, title: 'Simulated error', detail: 'A configured fault.' }],
    }),
    messagesOf(heard) {
      switch (heard.kind) {
        case 'started':
          return [];
        case 'words':
          return hasInterims
            ? [{ transcript: heard.text, is_final: false, speech_final: false, confidence: 0 }]
            : [];
        case 'final':
          return [
            { transcript: heard.text, is_final: true, speech_final: true, confidence: 0.98 },
            { transcript: '', is_final: false, utterance_end: true },
          ];
      }
    },
    take(message, connection) {
      if (fault !== null) return connection.end();
      connection.listen({ sampleRate: sampleRate === 16000 ? 16000 : 8000, endpointingMs, parameters });
      if ('binary' in message) connection.hear(samplesOf(message.binary), sampleRate);
      else control(message.text, connection);
    },
  };
}

function control(text: string, connection: Connection): void {
  const type = /"type"\s*:\s*"(\w+)"/.exec(text)?.[1] ?? 'unknown';
  connection.note(type);
  if (type === 'Finalize' || type === 'CloseStream') connection.finalize();
  if (type === 'CloseStream') connection.end();
}

function parameterFault(query: URLSearchParams): object | null {
  const error = (code: string, parameter: string, detail: string) => ({
    errors: [{ code, title: 'Invalid Parameter', detail, source: { parameter } }],
  });
  const engine = query.get('transcription_engine') ?? '';
  if (!engines.includes(engine))
    return error('40006', 'transcription_engine', 'Unsupported transcription_engine');
  if (query.get('input_format') !== 'linear16')
    return error('40001', 'input_format', 'Unsupported input_format: the simulated engine takes linear16');
  if (!query.has('sample_rate'))
    return error('40003', 'sample_rate', 'sample_rate is required for raw formats');
  if (!rates.includes(Number(query.get('sample_rate'))))
    return error('40005', 'sample_rate', 'Invalid sample rate');
  return /^[a-z]/.test(query.get('model') ?? '') ? null : error('40007', 'model', 'Unsupported model');
}
