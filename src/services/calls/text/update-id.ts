import { createHash } from 'node:crypto';

export interface RequestIdentity {
  callUuid: string;
  act: 'message' | 'rewind' | 'end';
  idempotencyKey: string | undefined;
  expectedRevision: number;
  /** Failed turns so far: the same message after a failure is a new attempt. */
  failures: number;
  text: string;
}

/**
 * Repetitions of one request have one id, made from the client's key, or else from its text and the expected
 * revision. The id is a hash, so it reveals no text.
 */
export function updateIdOf({
  callUuid,
  act,
  idempotencyKey,
  expectedRevision,
  failures,
  text,
}: RequestIdentity): string {
  const place = idempotencyKey === undefined ? ['revision', expectedRevision] : ['key', idempotencyKey];
  return `${act}-${hashOf([callUuid, act, ...place, failures, text])}`;
}

/**
 * Identifies a request by its key alone, independent of later turns and failures; undefined without a key.
 * The call uses it to answer requests that it has already carried out.
 */
export function requestIdOf({
  callUuid,
  act,
  idempotencyKey,
  text,
}: Pick<RequestIdentity, 'callUuid' | 'act' | 'idempotencyKey' | 'text'>): string | undefined {
  return idempotencyKey === undefined ? undefined : hashOf([callUuid, act, idempotencyKey, text]);
}

function hashOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}
