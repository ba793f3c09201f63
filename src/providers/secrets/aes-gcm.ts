import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { InvariantError } from '../../domain/errors.ts';
import { parseKeyRing, type KeyRing } from './key-ring.ts';
import type { SecretBox, SecretPlace } from './port.ts';

/*
 * Stored text: `v1.<key id>.<iv>.<ciphertext and tag>`, the last two in base64url. AES-256-GCM with a random
 * IV of 96 bits per value; also authenticates the version, the key id and the place.
 */
const version = 'v1';
const cipherName = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Creates the box of a configured key ring. Throws KeyRingError. */
export function createSecretBox(keyRing: string): SecretBox {
  const ring = parseKeyRing(keyRing);
  return {
    seal: (plain, place) => seal(ring, plain, place),
    open: (sealed, place) => open(ring, sealed, place),
    isCurrent: (sealed) => sealed.startsWith(`${version}.${ring.currentId}.`),
  };
}

function seal(ring: KeyRing, plain: string, place: SecretPlace): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(cipherName, keyOf(ring, ring.currentId), iv, { authTagLength: tagBytes });
  cipher.setAAD(boundTo(ring.currentId, place));
  const bytes = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return [version, ring.currentId, iv.toString('base64url'), bytes.toString('base64url')].join('.');
}

function open(ring: KeyRing, sealed: string, place: SecretPlace): string {
  const [madeBy, keyId, iv, bytes, ...rest] = sealed.split('.');
  if (madeBy !== version || keyId === undefined || iv === undefined || bytes === undefined || rest.length > 0)
    throw new InvariantError(`The value at ${named(place)} is not a sealed secret`);
  const content = Buffer.from(bytes, 'base64url');
  try {
    // Node ignores a last character that completes no byte.
    if (content.toString('base64url') !== bytes) throw new TypeError('not canonical base64url');
    const decipher = createDecipheriv(cipherName, keyOf(ring, keyId), Buffer.from(iv, 'base64url'), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(boundTo(keyId, place));
    decipher.setAuthTag(content.subarray(-tagBytes));
    return Buffer.concat([decipher.update(content.subarray(0, -tagBytes)), decipher.final()]).toString(
      'utf8',
    );
  } catch (error) {
    if (error instanceof InvariantError) throw error;
    throw new InvariantError(`A secret at ${named(place)} was changed or sealed for another place`, {
      cause: error,
    });
  }
}

function keyOf(ring: KeyRing, id: string): Buffer {
  const key = ring.keys.get(id);
  if (key === undefined) throw new InvariantError(`The encryption key ${id} is not in the key ring`);
  return key;
}

function boundTo(keyId: string, place: SecretPlace): Buffer {
  const owner = 'userId' in place ? ownerOf(place) : place.organizationId;
  return Buffer.from(JSON.stringify([version, keyId, place.table, place.column, owner]), 'utf8');
}

const named = (place: SecretPlace): string => `${place.table}.${place.column} of ${ownerOf(place)}`;

const ownerOf = (place: SecretPlace): string =>
  'userId' in place ? `user ${place.userId}` : `organization ${place.organizationId}`;
