import { hkdfSync } from 'node:crypto';
import { errors, jwtVerify, SignJWT, type JWTHeaderParameters } from 'jose';
import { parseKeyRing } from './key-ring.ts';

/** Signed tokens of sessions (contract 5.6): HS256 JWT, whose `sub` is the user id as text. */
export interface SessionTokens {
  /** `id` makes the token unique; timestamps are rounded to seconds. */
  issue(session: { id: string; userId: number; from: Date; until: Date }): Promise<string>;
  /** The user of a token; null if it was signed elsewhere, was changed, or has expired at `now`. */
  read(token: string, now: Date): Promise<{ userId: number } | null>;
}

/**
 * Signs with a key that is derived from the ring's current key, and reads tokens signed with any key of the
 * ring: removing a key from PARLANCE_ENCRYPTION_KEYS ends the sessions that it signed. Throws KeyRingError.
 */
export function createSessionTokens(keyRing: string): SessionTokens {
  const { currentId, keys } = parseKeyRing(keyRing);
  const signing = new Map(
    [...keys].map(([id, key]) => [id, new Uint8Array(hkdfSync('sha256', key, '', 'parlance session', 32))]),
  );
  const keyOf = (id: string | undefined): Uint8Array => {
    const key = signing.get(id ?? '');
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  };
  return {
    issue: ({ id, userId, from, until }) =>
      new SignJWT()
        .setProtectedHeader({ alg: 'HS256', kid: currentId })
        .setSubject(String(userId))
        .setJti(id)
        .setIssuedAt(from)
        .setExpirationTime(until)
        .sign(keyOf(currentId)),
    read: async (token, now) => {
      try {
        const { payload } = await jwtVerify(token, ({ kid }: JWTHeaderParameters) => keyOf(kid), {
          algorithms: ['HS256'],
          currentDate: now,
          requiredClaims: ['sub', 'exp'],
        });
        return { userId: Number(payload.sub) };
      } catch (error) {
        if (error instanceof errors.JOSEError) return null; // clients may send any text as a token
        throw error;
      }
    },
  };
}
