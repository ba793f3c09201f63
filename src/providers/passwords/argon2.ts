import { hash, verify, type Options } from '@node-rs/argon2';
import type { PasswordHasher } from './port.ts';

/**
 * Argon2id as OWASP recommends: 19 MiB, two passes, one lane. Each hash contains its parameters, so these may
 * grow later.
 */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } satisfies Options;

/** Hashes passwords with Argon2id on libuv's threads. */
export function createArgon2(): PasswordHasher {
  const placeholder = hash('a password without a user', cost);
  return {
    hash: (password) => hash(password, cost),
    matches: async (password, known) => {
      const isMatch = await verify(known ?? (await placeholder), password);
      return isMatch && known !== null;
    },
  };
}
