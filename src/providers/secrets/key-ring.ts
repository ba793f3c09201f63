/** Keys by id; the current key seals, and all keys open. */
export interface KeyRing {
  currentId: string;
  keys: ReadonlyMap<string, Buffer>;
}

export class KeyRingError extends Error {
  override readonly name = 'KeyRingError';
}

const keyBytes = 32;
const fix = 'write an id, a colon and what `openssl rand -base64 32` prints';

/**
 * Reads `id:base64,id:base64` (PARLANCE_ENCRYPTION_KEYS): the first key is the current one. An id is 1 to 32
 * letters, digits, `_` or `-`; a key is 32 bytes in base64 of either alphabet. Throws KeyRingError, whose
 * message contains no part of a key.
 */
export function parseKeyRing(text: string): KeyRing {
  const entries = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const keys = new Map<string, Buffer>();
  for (const [index, entry] of entries.entries()) {
    const { id, key } = parseEntry(entry, index + 1);
    if (keys.has(id))
      throw new KeyRingError(`The encryption key id ${id} is used twice; each key needs its own id`);
    keys.set(id, key);
  }
  const [currentId] = keys.keys();
  if (currentId === undefined) throw new KeyRingError(`There is no encryption key; ${fix}`);
  return { currentId, keys };
}

function parseEntry(entry: string, position: number): { id: string; key: Buffer } {
  const [, id, encoded] = /^([\w-]{1,32}):([\w+/-]+={0,2})$/.exec(entry) ?? [];
  if (id === undefined || encoded === undefined)
    throw new KeyRingError(`Encryption key number ${position} is not of the form id:base64; ${fix}`);
  const key = Buffer.from(encoded, 'base64');
  if (key.length !== keyBytes)
    throw new KeyRingError(`The encryption key ${id} has ${key.length} bytes instead of ${keyBytes}; ${fix}`);
  return { id, key };
}
