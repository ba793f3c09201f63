import { readsAsDate } from './reads-as-date.ts';
import { readsAsSeveral } from './reads-as-several.ts';

/** A number without spaces and punctuation, as a 422 quotes it (contract 5.4). */
export const phoneNumberPattern = String.raw`^\+?[1-9]\d{6,14}$`;

const phoneNumber = new RegExp(phoneNumberPattern);
const extension = /^\+?\d{1,6}$/;
const sipAddress = /^sips?:[^\s@]+@[^\s@]+$/i;

/**
 * The number to dial for what a client wrote: `+` and 7 to 15 digits (E.164), the first not 0. Spaces, `-`,
 * `.`, `(`, `)` and one leading `+` do not count. Null if it cannot be dialed. A customer's PBX also takes
 * extensions and `sip:` addresses, as written (contract 5.4). A date or a range of numbers is not a number
 * (contract 11.2).
 */
export function readDialed(text: string, { isOwnPbx = false }: { isOwnPbx?: boolean } = {}): string | null {
  const trimmed = text.trim();
  const compact = trimmed.replaceAll(/[\s\-.()]/g, '');
  if (phoneNumber.test(compact)) {
    if (readsAsDate(trimmed) || readsAsSeveral(trimmed)) return null;
    return compact.startsWith('+') ? compact : `+${compact}`;
  }
  if (isOwnPbx && sipAddress.test(trimmed)) return trimmed;
  return isOwnPbx && extension.test(compact) ? compact : null;
}
