import { ValidationError } from '../domain/errors.ts';

/**
 * The error with inputs as they were sent: a handler has read the body with its defaults and conversions
 * (contract 0.4). Texts stay, because some are trimmed, and so does null, which hides a secret.
 */
export function withSentInput(error: unknown, body: unknown): unknown {
  if (!(error instanceof ValidationError) || !Array.isArray(error.detail)) return error;
  const { message, status, cause } = error;
  const detail = error.detail.map((record: unknown) => (isRecord(record) ? asSent(record, body) : record));
  return new ValidationError(message, { detail, cause, ...(status === undefined ? {} : { status }) });
}

interface FaultRecord {
  type: string;
  loc: (string | number)[];
  input: unknown;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isRecord = (value: unknown): value is FaultRecord =>
  isObject(value) && 'type' in value && 'input' in value && 'loc' in value && Array.isArray(value.loc);

function asSent(record: FaultRecord, body: unknown): FaultRecord {
  const { type, loc, input } = record;
  if (loc[0] !== 'body' || input === null || typeof input === 'string') return record;
  // The input of an absent field is the object around it.
  const place = type === 'missing' ? loc.slice(1, -1) : loc.slice(1);
  const sent = place.reduce(
    (value: unknown, key) =>
      isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined,
    body,
  );
  return sent === undefined ? record : { ...record, input: sent };
}
