import { createPhoneReader } from '../directory/read-phone.ts';
import { readDialed } from './dialed.ts';

const readCell = createPhoneReader(null);

/**
 * A public number as it is compared and stored: digits with country code, no plus. It is read as a contact
 * file reads it, so that a person has one number however it is written (`+49 (0)151 …`, `0049 151 …`); of
 * what no numbering plan knows the digits count as they are dialed (contract 5.4). Null for what is no
 * number.
 */
export function phoneDigits(text: string): string | null {
  const read = readCell(text);
  // guarantee: number-list-same-number
  return read.kind === 'phone' ? read.phone : dialedDigits(text);
}

/**
 * The digits that are dialed for a number of a request, which takes nothing away but punctuation; null for
 * what cannot be dialed.
 */
export function dialedDigits(text: string): string | null {
  return readDialed(text)?.slice(1) ?? null;
}
