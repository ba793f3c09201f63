import { validationRecord, type ValidationRecord } from '../../contract/lax/records.ts';
import { parseJson } from './parse-json.ts';

/** The body for the schema. `undefined` if there is none. */
export type InterpretedBody =
  | { kind: 'given'; value: unknown }
  /** Malformed JSON: answered before authentication (contract 0.2). */
  | { kind: 'fault'; records: ValidationRecord[] }
  /** Not UTF-8. */
  | { kind: 'unreadable' }
  /** Nested deeper than `maxLevels`. */
  | { kind: 'too_deep' };

const jsonType = /^application\/(?:json|[^\s;/]+\+json)\s*(?:;|$)/i;

/**
 * Reads `application/json` and `application/*+json` as JSON, and any other type as raw text (contract 0.2).
 */
export function interpretBody(bytes: Buffer, contentType: string | undefined): InterpretedBody {
  if (bytes.length === 0) return { kind: 'given', value: undefined };
  const text = decode(bytes);
  if (text === null) return { kind: 'unreadable' };
  if (!jsonType.test(contentType ?? '')) return { kind: 'given', value: text };
  const parsed = parseJson(text);
  if (parsed.kind === 'too_deep') return parsed;
  if (parsed.kind === 'value') return { kind: 'given', value: parsed.value ?? undefined };
  const fault = { type: 'json_invalid', msg: 'JSON decode error', input: {}, ctx: { error: parsed.error } };
  return { kind: 'fault', records: [validationRecord(['body', parsed.offset], fault)] };
}

/** UTF-8 without a leading byte order mark; null for other bytes. */
function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null; // a decoder in fatal mode throws only if the bytes are not UTF-8
  }
}
