import { hash, verify, type Options } from '@node-rs/argon2';
import type { PasswordHasher } from './port.ts';

/**
 * Argon2id as OWASP recommends it: 19 MiB, two passes, one lane. The hash says with what it was made, so
 * these may grow.
 */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } satisfies Options;

/** Argon2id on libuv's threads. */
export function createArgon2(): PasswordHasher {
  const ofNobody = hash('the password of nobody', cost);
  return {
    hash: (password) => hash(password, cost),
    fits: async (password, known) => {
      const fits = await verify(known ?? (await ofNobody), password);
      return fits && known !== null;
    },
  };
}
