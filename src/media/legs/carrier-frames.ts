import { isMarkName } from '../playout/latency.ts';

/**
 * A message of a carrier's media socket. The reader is lenient: numbers may be strings, and unknown events
 * are ignored.
 */
export type CarrierFrame =
  | { kind: 'start'; format: MediaFormat }
  | { kind: 'media'; media: MediaFrame }
  | { kind: 'dtmf'; digit: string }
  | { kind: 'mark'; name: string }
  | { kind: 'error'; code: number | null }
  | { kind: 'stop' }
  /** `connected`, the other track, and unknown messages. */
  | { kind: 'nothing' }
  | { kind: 'malformed' };

export interface MediaFormat {
  encoding: string;
  sampleRate: number;
  channels: number;
}

export interface MediaFrame {
  /** Position in the stream, from 1. */
  chunk: number;
  /** Milliseconds since the stream began, by the carrier's clock; NaN when the message has none. */
  timestampMs: number;
  payload: Uint8Array;
}

/** The rest of a longer name is dropped: no codec has one. */
const maxEncodingLength = 16;

/** Reads one text message. Never throws. */
export function readCarrierFrame(text: string): CarrierFrame {
  const message = parsed(text);
  if (message === null) return { kind: 'malformed' };
  switch (message['event']) {
    case 'start':
      return startOf(objectIn(message, 'start'));
    case 'media':
      return mediaOf(objectIn(message, 'media'));
    case 'dtmf':
      return digitOf(objectIn(message, 'dtmf'));
    case 'mark': {
      const { name } = objectIn(message, 'mark');
      return isMarkName(name) ? { kind: 'mark', name } : { kind: 'malformed' };
    }
    case 'error':
      return { kind: 'error', code: numberOr(objectIn(message, 'payload')['code'], null) };
    case 'stop':
      return { kind: 'stop' };
    default:
      return typeof message['event'] === 'string' ? { kind: 'nothing' } : { kind: 'malformed' };
  }
}

type Fields = Readonly<Record<string, unknown>>;

function parsed(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function objectIn(message: Fields, name: string): Fields {
  const value = message[name];
  return isFields(value) ? value : {};
}

/** Without a format, the stream is that of a usual phone call. */
function startOf(start: Fields): CarrierFrame {
  const { encoding, sample_rate: sampleRate, channels } = objectIn(start, 'media_format');
  return {
    kind: 'start',
    format: {
      encoding: typeof encoding === 'string' ? encoding.slice(0, maxEncodingLength).toUpperCase() : 'PCMU',
      sampleRate: numberOr(sampleRate, 8000),
      channels: numberOr(channels, 1),
    },
  };
}

function mediaOf({ track, chunk, timestamp, payload }: Fields): CarrierFrame {
  if (track !== undefined && track !== 'inbound') return { kind: 'nothing' };
  const place = numberOr(chunk, null);
  if (place === null || typeof payload !== 'string') return { kind: 'malformed' };
  return {
    kind: 'media',
    media: {
      chunk: place,
      timestampMs: numberOr(timestamp, Number.NaN),
      payload: Buffer.from(payload, 'base64'),
    },
  };
}

function digitOf({ digit }: Fields): CarrierFrame {
  return typeof digit === 'string' && /^[0-9A-D*#]$/.test(digit)
    ? { kind: 'dtmf', digit }
    : { kind: 'malformed' };
}

function numberOr<T>(value: unknown, otherwise: T): number | T {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : otherwise;
}

export const mediaMessage = (payload: Uint8Array): string =>
  `{"event":"media","media":{"payload":"${Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString('base64')}"}}`;
export const markMessage = (name: string): string => JSON.stringify({ event: 'mark', mark: { name } });
export const clearMessage = '{"event":"clear"}';
