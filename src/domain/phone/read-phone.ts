import {
  isSupportedCountry,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
  type CountryCode,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import { isEmergency } from './emergency.ts';
import { readsAsDate } from './reads-as-date.ts';
import { readsAsSeveral } from './reads-as-several.ts';
import type { FindingCode } from '../directory/findings.ts';
import { judgeNational, judgePlain, type PlainVerdict } from './plain-number.ts';

/**
 * The result of reading a phone cell: a number as digits with country code, or why it cannot be called. A
 * cell is never repaired into another number (contract 11.2).
 */
export type ReadPhone =
  | { kind: 'empty' }
  | {
      kind: 'phone';
      phone: string;
      warning: Extract<FindingCode, 'phone_toll_free' | 'phone_extension' | 'phone_unassigned'> | null;
    }
  | { kind: 'refused'; code: PhoneFault };

type PhoneFault = Extract<
  FindingCode,
  | 'phone_invalid'
  | 'phone_letters'
  | 'phone_date'
  | 'phone_short'
  | 'phone_long'
  | 'phone_scientific'
  | 'phone_decimal'
  | 'phone_several'
  | 'phone_premium'
  | 'phone_emergency'
  | 'phone_no_country'
>;

/**
 * Creates a reader for the cells of one file. `defaultCountry` (ISO 3166-1 alpha-2) is the country of numbers
 * without country code; null = numbers must have one.
 */
export function createPhoneReader(defaultCountry: string | null): (cell: string) => ReadPhone {
  const country = defaultCountry !== null && isSupportedCountry(defaultCountry) ? defaultCountry : null;
  return (cell) => readPhone(cell, country);
}

function readPhone(cell: string, country: CountryCode | null): ReadPhone {
  const text = unwrapped(cell);
  if (text === '') return { kind: 'empty' };
  if (plainDigits.test(text)) return readDigits(text, country);
  const [main, hasExtension] = readsAsSeveral(text) ? [text, false] : splitExtension(text);
  const fault = writtenFault(main);
  if (fault !== null) return { kind: 'refused', code: fault };
  const read = readDigits(main.replaceAll(/[^+\d]/g, ''), country);
  return hasExtension && read.kind === 'phone' && read.warning === null
    ? { ...read, warning: 'phone_extension' }
    : read;
}

const plainDigits = /^\+?\d+$/;

/** Invisible characters that address books put around numbers. */
const invisible = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;

/**
 * Removes what programs put around a number: spaces, an apostrophe or `="…"` against spreadsheets, `tel:`,
 * brackets, full-width digits.
 */
function unwrapped(cell: string): string {
  if (plainDigits.test(cell)) return cell;
  let text = cell.normalize('NFKC').replaceAll(invisible, '').trim();
  const [, protectedText] = /^="(.*)"$/s.exec(text) ?? [];
  text = (protectedText ?? text)
    .replace(/^['’‘`]+/, '')
    .replace(/^(["<[])(.*)["\]>]$/s, '$2')
    .trim();
  return text.replace(/^(?:tel|callto|phone)\s*:\s*/i, '').trim();
}

/** `;ext=12`, `ext. 12`, `x12`, `#12`, `доб. 12`: extensions, which are not dialed. */
const extensionPattern =
  /[\s,;]*(?:;ext=|ext(?:ension)?\.?|x|#|доб(?:авочный)?\.?|вн\.?|durchwahl|dw|poste)\s*[:.]?\s*(\d{1,7})$/i;

function splitExtension(text: string): [main: string, hasExtension: boolean] {
  const found = extensionPattern.exec(text);
  return found === null || found.index === 0 ? [text, false] : [text.slice(0, found.index), true];
}

const scientific = /^[+-]?\d+(?:[.,]\d+)?\s*e\s*[+-]?\s*\d+$/i;
/**
 * `14155550130.0`, and amounts with a decimal comma. Groups of three or more digits after a point belong to a
 * number.
 */
const decimal = /^[+-]?\d{5,}[.,]\d{1,2}$/;
const thousands = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
/** Why this text is not a single number; null if it may be one. */
function writtenFault(text: string): PhoneFault | null {
  // guarantee: phone-cell-never-repaired
  if (readsAsDate(text)) return 'phone_date';
  if (scientific.test(text)) return 'phone_scientific';
  if (decimal.test(text) || thousands.test(text)) return 'phone_decimal';
  if (readsAsSeveral(text)) return 'phone_several';
  if (/\p{L}/u.test(text)) return 'phone_letters';
  return /^\(?\+?\s*[(\d][\d\s().\-–—/‐‑‒−]+$/u.test(text) && /\d/.test(text) ? null : 'phone_invalid';
}

/** Reads `+` and digits, or digits alone. */
function readDigits(digits: string, country: CountryCode | null): ReadPhone {
  if (digits.startsWith('+')) return readInternational(digits);
  if (digits.startsWith('00')) return readInternational(`+${digits.slice(2)}`);
  return country === null ? readBare(digits) : readNational(digits, country);
}

/** Digits of a country's own plan, or digits with the code of another. */
function readNational(digits: string, country: CountryCode): ReadPhone {
  const quick = judgeNational(country, digits);
  if (quick !== null && quick.verdict !== null) return ofVerdict(quick.phone, quick.verdict);
  const number = parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false });
  const abroad = bareInternational.test(digits) ? readInternational(`+${digits}`) : null;
  const assigned = judged(number) ?? (isUnassigned(abroad) ? null : abroad);
  if (assigned !== null) return assigned;
  if (isEmergency(digits)) return refused('phone_emergency');
  if (number?.isPossible() === true && dialable.test(number.number.slice(1)))
    return unassigned(number.number.slice(1));
  return abroad ?? refused(lengthFault(digits, validatePhoneNumberLength(digits, country)));
}

function readBare(digits: string): ReadPhone {
  if (isEmergency(digits)) return refused('phone_emergency');
  if (bareInternational.test(digits)) return readInternational(`+${digits}`);
  return refused(lengthFault(digits) === 'phone_invalid' ? 'phone_no_country' : lengthFault(digits));
}

/**
 * Digits of this length without `+` are read as if it were there. Fewer may be a national number.
 */
const bareInternational = /^[1-9]\d{10,14}$/;

/** `+` and digits. A number of a possible length that no plan assigns is called (contract 11.2). */
function readInternational(text: string): ReadPhone {
  const verdict = judgePlain(text.slice(1));
  if (verdict !== null) return ofVerdict(text.slice(1), verdict);
  const number = parsePhoneNumberFromString(text, { extract: false });
  const assigned = judged(number);
  if (assigned !== null) return assigned;
  if (isEmergency(number?.nationalNumber ?? '') || isEmergency(text.slice(1)))
    return refused('phone_emergency');
  const digits = (number?.number ?? text).slice(1);
  return dialable.test(digits) ? unassigned(digits) : refused(lengthFault(text.slice(1)));
}

/** What is dialed, as for a request (contract 5.4). */
const dialable = /^[1-9]\d{6,14}$/;

function lengthFault(digits: string, verdict?: string): 'phone_short' | 'phone_long' | 'phone_invalid' {
  if (digits.length < 7 || verdict === 'TOO_SHORT') return 'phone_short';
  return digits.length > 15 || verdict === 'TOO_LONG' ? 'phone_long' : 'phone_invalid';
}

const refused = (code: PhoneFault): ReadPhone => ({ kind: 'refused', code });

const unassigned = (phone: string): ReadPhone => ({ kind: 'phone', phone, warning: 'phone_unassigned' });

const isUnassigned = (read: ReadPhone | null): boolean =>
  read?.kind === 'phone' && read.warning === 'phone_unassigned';

/**
 * Null if no plan assigns the number. A number of a known type is valid; asking for both takes twice as long,
 * and files have millions of numbers.
 */
function judged(number: PhoneNumber | undefined): ReadPhone | null {
  const type = number?.getType();
  if (number === undefined || (type === undefined && !number.isValid())) return null;
  return ofVerdict(
    number.number.slice(1),
    type === 'PREMIUM_RATE' ? 'premium' : type === 'TOLL_FREE' ? 'toll_free' : 'callable',
  );
}

function ofVerdict(phone: string, verdict: Exclude<PlainVerdict, null>): ReadPhone {
  if (verdict === 'premium') return refused('phone_premium');
  return { kind: 'phone', phone, warning: verdict === 'toll_free' ? 'phone_toll_free' : null };
}
