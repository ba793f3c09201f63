import { TOTP } from 'otpauth';

/** What every authenticator app does if it is told nothing else (RFC 6238). */
const stepSeconds = 30;
const digits = 6;

/** Base32, in which no digit looks like a letter. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** 160 bits, as RFC 4226 recommends. */
const secretLetters = 32;
/** 80 bits, so that a fast hash is enough. */
const recoveryLetters = 16;
const recoveryCodes = 10;

interface Random {
  /** A random integer in `[0, below)`. */
  integer(below: number): number;
}

const lettersOf = (random: Random, length: number): string =>
  Array.from({ length }, () => alphabet.charAt(random.integer(alphabet.length))).join('');

/** The secret of an authenticator app, in base32. */
export const newSecret = (random: Random): string => lettersOf(random, secretLetters);

/** Codes for somebody without their authenticator app. */
export const newRecoveryCodes = (random: Random): string[] =>
  Array.from({ length: recoveryCodes }, () =>
    (lettersOf(random, recoveryLetters).toLowerCase().match(/.{4}/g) ?? []).join('-'),
  );

/** What an authenticator app takes in, as a link or a QR code. */
export const authenticatorUri = ({ secret, email }: { secret: string; email: string }): string =>
  new TOTP({ issuer: 'Parlance', label: email, secret, digits, period: stepSeconds }).toString();

/** A typed code: blanks, hyphens and letter case do not count. */
export function readCode(typed: string): { kind: 'app' | 'recovery'; code: string } {
  const code = typed.replaceAll(/[\s-]/g, '').toLowerCase();
  return { kind: /^[0-9]{6}$/.test(code) ? 'app' : 'recovery', code };
}

/**
 * The step, counted since 1970, whose code this is: the one of `now`, the one before or the one after, because clocks
 * differ. Null for any other code.
 */
export function stepOfCode({
  secret,
  code,
  now,
}: {
  secret: string;
  code: string;
  now: Date;
}): number | null {
  const totp = new TOTP({ secret, digits, period: stepSeconds });
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}
