import { createHash } from 'node:crypto';

/** The stored hash of an API key or token. Its 256 random bits need no slow hash. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
