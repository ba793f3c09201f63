import { createHmac, hkdfSync } from 'node:crypto';
import { parseKeyRing } from './key-ring.ts';

/**
 * A keyed hash: the same text has the same hash under the same key, and without the key no guess can be
 * checked.
 */
export type Fingerprint = (text: string) => string;

/**
 * Hashes with a key that is derived from the ring's current key; `<key id>.<hex>`. Throws KeyRingError.
 */
export function createFingerprint(keyRing: string): Fingerprint {
  const { currentId, keys } = parseKeyRing(keyRing);
  const key = Buffer.from(hkdfSync('sha256', keys.get(currentId) ?? '', '', 'parlance fingerprint', 32));
  return (text) => `${currentId}.${createHmac('sha256', key).update(text, 'utf8').digest('hex')}`;
}
