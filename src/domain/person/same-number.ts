/**
 * Whether a stored number is a person's. `same`: certainly. `national`: it has no country code and may belong
 * to another country.
 */
export type NumberMatch = 'same' | 'national' | 'other';

/** A shorter number would be an extension. */
const minNationalDigits = 7;
const maxCountryDigits = 3;

/**
 * Compares a number in E.164 (`+4930123456`) with one as customers and carriers write it: `+49 30 123456`,
 * `0049…`, `4930…`, `030/123456`, `sip:+4930123456@host`, a JSON number. Spaces, punctuation and what follows
 * an `@` do not count.
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
 * Reads a number in E.164: `+`, 7 to 15 digits, the first not 0; null for anything else. Spaces and
 * punctuation are dropped.
 */
export function readE164(text: string): string | null {
  const compact = text.replaceAll(/[\s().\-/]/g, '');
  return /^\+[1-9]\d{6,14}$/.test(compact) ? compact : null;
}

/** Only ASCII and full-width digits are read. Other scripts would be a guess. */
const digitsOf = (text: string): string => text.normalize('NFKC').replaceAll(/\D/g, '');
