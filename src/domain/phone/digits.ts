import { createPhoneReader } from './read-phone.ts';
import { readDialed } from './dialed.ts';

const readCell = createPhoneReader(null);

/**
 * A public number as it is compared and stored: digits with country code, no plus. It is read as in a contact
 * file, so that a person has one number in any spelling (`+49 (0)151 …`, `0049 151 …`). A number outside all
 * numbering plans keeps the digits that are dialed (contract 5.4). Null if it is not a number.
 */
export function phoneDigits(text: string): string | null {
  const read = readCell(text);
  // guarantee: suppressed-number-matched-in-any-form
  return read.kind === 'phone' ? read.phone : dialedDigits(text);
}

/** The digits to dial for a number of a request. Only punctuation is removed. Null if it cannot be dialed. */
export function dialedDigits(text: string): string | null {
  return readDialed(text)?.slice(1) ?? null;
}
