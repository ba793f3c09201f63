import {
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import type { FindingCode } from './findings.ts';
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
      warning: Extract<FindingCode, 'phone_toll_free' | 'phone_extension'> | null;
    }
  | { kind: 'refused'; code: PhoneFault };

type PhoneFault = Extract<
  FindingCode,
  | 'phone_invalid'
  | 'phone_letters'
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
  const [main, extension] = splitExtension(text);
  const fault = writtenFault(main);
  if (fault !== null) return { kind: 'refused', code: fault };
  const read = readDigits(main.replaceAll(/[^+\d]/g, ''), country);
  return extension && read.kind === 'phone' ? { ...read, warning: 'phone_extension' } : read;
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
const betweenNumbers = /[;,|/\\\n]|:::|\s(?:or|and|oder|und|или|и|y|o|e|et|ou)\s/i;

/** Why this text is not a single number; null if it may be one. */
function writtenFault(text: string): PhoneFault | null {
  // guarantee: phone-cell-never-repaired
  if (scientific.test(text)) return 'phone_scientific';
  if (decimal.test(text) || thousands.test(text)) return 'phone_decimal';
  if (isSeveral(text)) return 'phone_several';
  if (/\p{L}/u.test(text)) return 'phone_letters';
  return /^\(?\+?\s*[(\d][\d\s().\-–—/‐‑‒−]+$/u.test(text) && /\d/.test(text) ? null : 'phone_invalid';
}

function isSeveral(text: string): boolean {
  const parts = text.split(betweenNumbers).filter((part) => digitsIn(part) >= 5);
  if (parts.length > 1 && parts.filter((part) => digitsIn(part) >= 7).length > 1) return true;
  if (hasOtherEnding(text)) return true;
  if ((text.match(/\+\s*\d/g)?.length ?? 0) > 1) return true;
  return text.split(/\s+/).filter((part) => /^\+?\d{9,}$/.test(part)).length > 1;
}

/** `123456/7` means 123456 and 123457. What follows an area code (`030/123456`) has more digits. */
function hasOtherEnding(text: string): boolean {
  const counts = text.split('/').map(digitsIn);
  return counts.some((count, index) => count > 0 && count <= 3 && (counts[index - 1] ?? 0) >= 5);
}

function digitsIn(text: string): number {
  return text.match(/\d/g)?.length ?? 0;
}

/** Reads `+` and digits, or digits alone. */
function readDigits(digits: string, country: CountryCode | null): ReadPhone {
  if (digits.startsWith('+')) return readInternational(digits);
  if (digits.startsWith('00')) return readInternational(`+${digits.slice(2)}`);
  if (country !== null) {
    const quick = judgeNational(country, digits);
    if (quick !== null && quick.verdict !== null) return ofVerdict(quick.phone, quick.verdict);
    const national = judged(parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false }));
    if (national !== null) return national;
  }
  if (isEmergency(digits)) return { kind: 'refused', code: 'phone_emergency' };
  if (bareInternational.test(digits)) return readInternational(`+${digits}`);
  return {
    kind: 'refused',
    code: country === null && nationalLength.test(digits) ? 'phone_no_country' : 'phone_invalid',
  };
}

/**
 * Digits of this length without `+` are read as if it were there (as in src/domain/phone/address.ts). Fewer
 * may be a national number.
 */
const bareInternational = /^[1-9]\d{10,14}$/;
const nationalLength = /^\d{6,12}$/;

function readInternational(text: string): ReadPhone {
  const verdict = judgePlain(text.slice(1));
  if (verdict !== null) return ofVerdict(text.slice(1), verdict);
  const number = parsePhoneNumberFromString(text, { extract: false });
  return (
    judged(number) ?? {
      kind: 'refused',
      code:
        isEmergency(number?.nationalNumber ?? '') || isEmergency(text.slice(1))
          ? 'phone_emergency'
          : 'phone_invalid',
    }
  );
}

/**
 * Null if the number is invalid. A number of a known type is valid; asking for both takes twice as long, and
 * files have millions of numbers.
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
  if (verdict === 'premium') return { kind: 'refused', code: 'phone_premium' };
  return { kind: 'phone', phone, warning: verdict === 'toll_free' ? 'phone_toll_free' : null };
}

/** Emergency numbers of all countries. None of them belongs to a person. */
const emergencyNumbers = new Set(
  '000,100,101,102,103,104,106,108,110,111,112,113,114,115,117,118,119,120,122,123,128,131,132,133,144,150,155,158,190,191,192,193,194,195,197,198,199,911,919,991,992,993,994,995,996,997,998,999,1122'.split(
    ',',
  ),
);

function isEmergency(digits: string): boolean {
  return emergencyNumbers.has(digits);
}
