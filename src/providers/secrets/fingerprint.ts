import { createHmac, hkdfSync } from 'node:crypto';
import { parseKeyRing } from './key-ring.ts';

/**
 * A keyed hash: the same text gives the same one under the same key, and without the key no text can be tried
 * against it.
 */
export type Fingerprint = (text: string) => string;

/**
 * Hashes under a key of its own, made from the current one of the ring; `<key id>.<hex>`. Throws
 * KeyRingError.
 */
export function createFingerprint(keyRing: string): Fingerprint {
  const { currentId, keys } = parseKeyRing(keyRing);
  const key = Buffer.from(hkdfSync('sha256', keys.get(currentId) ?? '', '', 'parlance fingerprint', 32));
  return (text) => `${currentId}.${createHmac('sha256', key).update(text, 'utf8').digest('hex')}`;
}
