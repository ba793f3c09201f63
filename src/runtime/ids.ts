import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** Randomness as a dependency. Never used inside Temporal Workflows. */
export interface Ids {
  /** A fresh uuid4. */
  uuid(): string;
  /** `bytes` random bytes, base64url without padding. */
  secret(bytes: number): string;
  /** A random integer in `[0, below)`. */
  integer(below: number): number;
}

export const randomIds: Ids = {
  uuid: () => randomUUID(),
  secret: (bytes) => randomBytes(bytes).toString('base64url'),
  integer: (below) => randomInt(below),
};
