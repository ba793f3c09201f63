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
 * One request, however often it is sent, has one id: by the client's key, else by what it says and the revision it saw. No word
 * of it can be read from the id.
 */
export function updateIdOf({ callUuid, act, idempotencyKey, expectedRevision, failures, text }: RequestIdentity): string {
  const place = idempotencyKey === undefined ? ['revision', expectedRevision] : ['key', idempotencyKey];
  const hash = createHash('sha256').update(JSON.stringify([callUuid, act, ...place, failures, text])).digest('hex');
  return `${act}-${hash.slice(0, 40)}`;
}
