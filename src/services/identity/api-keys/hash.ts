import { createHash } from 'node:crypto';

/** What is kept of an API key: 256 random bits need no slow hash. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
