import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import { PreconditionError } from '../domain/errors.ts';

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

/**
 * An encrypted payload: metadata `encoding: binary/encrypted` and `encryption-key-id`, data = IV (12 bytes),
 * ciphertext of the whole payload as protobuf, tag (16 bytes). AES-256-GCM authenticates encoding and key id
 * as well.
 */
const encoding = 'binary/encrypted';
const cipherName = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Keys by id: the current one encrypts, any of them decrypts. */
export interface PayloadKeys {
  currentId: string;
  keys: ReadonlyMap<string, Buffer>;
}

/**
 * Encrypts every payload that this process sends to Temporal. Payloads from before encryption stay readable.
 * `decode` throws PreconditionError when the key is unknown or the bytes were changed; the Workflow task or
 * activity is then retried, so it recovers when the key is back.
 */
export function createPayloadCodec(ring: PayloadKeys): PayloadCodec {
  return {
    encode: (payloads) => Promise.resolve(payloads.map((each) => encrypt(ring, each))),
    decode: async (payloads) =>
      payloads.map((each) => (textOf(each, 'encoding') === encoding ? decrypt(ring, each) : each)),
  };
}

function encrypt(ring: PayloadKeys, payload: Payload): Payload {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(cipherName, keyOf(ring, ring.currentId), iv, { authTagLength: tagBytes });
  cipher.setAAD(boundTo(ring.currentId));
  const data = Buffer.concat([
    iv,
    cipher.update(PayloadMessage.encode(payload).finish()),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return {
    metadata: { encoding: Buffer.from(encoding), 'encryption-key-id': Buffer.from(ring.currentId) },
    data,
  };
}

function decrypt(ring: PayloadKeys, payload: Payload): Payload {
  const keyId = textOf(payload, 'encryption-key-id');
  const key = keyOf(ring, keyId);
  const bytes = Buffer.from(payload.data ?? []);
  try {
    const decipher = createDecipheriv(cipherName, key, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(boundTo(keyId));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    return PayloadMessage.decode(
      Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]),
    );
  } catch (error) {
    throw new PreconditionError(
      `A payload under key ${keyId} was changed, or encrypted with a different key of the same id`,
      { cause: error },
    );
  }
}

function keyOf(ring: PayloadKeys, id: string): Buffer {
  const key = ring.keys.get(id);
  if (key === undefined) throw new PreconditionError(`The payload key ${id} is not in PARLANCE_PAYLOAD_KEYS`);
  return key;
}

const boundTo = (keyId: string): Buffer => Buffer.from(JSON.stringify([encoding, keyId]), 'utf8');

const textOf = ({ metadata }: Payload, name: string): string =>
  Buffer.from(metadata?.[name] ?? []).toString('utf8');
