/**
 * Whether a stored number is a person's: `same` for sure, `national` when the country is left out and may be
 * another one.
 */
export type NumberMatch = 'same' | 'national' | 'other';

/** A national number has no fewer digits; fewer would be somebody's extension. */
const minNationalDigits = 7;
const maxCountryDigits = 3;

/**
 * Compares a number in E.164 (`+4930123456`) with one as customers and carriers write it: `+49 30 123456`,
 * `0049…`, `4930…`, `030/123456`, `sip:+4930123456@host`, a JSON number. Spaces and punctuation do not count,
 * nor does what follows a `@`.
 */
export function compareNumber(e164: string, stored: unknown): NumberMatch {
  if (typeof stored !== 'string' && typeof stored !== 'number') return 'other';
  const given = digitsOf(e164);
  const text = String(stored).split('@')[0] ?? '';
  const digits = digitsOf(text);
  if (digits === '') return 'other';
  if (digits === given || digits === `00${given}`) return 'same';
  if (text.includes('+')) return 'other';
  const national = digits.replace(/^0/, '');
  const country = given.length - national.length;
  const isNational =
    national.length >= minNationalDigits &&
    country >= 1 &&
    country <= maxCountryDigits &&
    given.endsWith(national);
  return isNational ? 'national' : 'other';
}

/**
 * A number in E.164 as it is written: `+`, 7 to 15 digits, the first not 0; null for anything else. Spaces
 * and punctuation are dropped.
 */
export function readE164(text: string): string | null {
  const compact = text.replaceAll(/[\s().\-/]/g, '');
  return /^\+[1-9]\d{6,14}$/.test(compact) ? compact : null;
}

/** Digits of any script that counts by tens would be a guess: only ASCII and full-width ones are read. */
const digitsOf = (text: string): string => text.normalize('NFKC').replaceAll(/\D/g, '');
