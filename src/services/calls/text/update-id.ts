import { createHash } from 'node:crypto';

export interface RequestIdentity {
  callUuid: string;
  act: 'message' | 'rewind' | 'end';
  idempotencyKey: string | undefined;
  expectedRevision: number;
  /** Failed turns so far: the same message sent after a failure is a new attempt. */
  failures: number;
  text: string;
}

/**
 * One request, however often it is sent, has one id: by the client's key, else by what it says and the
 * revision it saw. No word of it can be read from the id.
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
 * The same for a request with a key, whatever has failed or was said since; undefined without one. The call
 * answers with it what it has carried out already.
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
