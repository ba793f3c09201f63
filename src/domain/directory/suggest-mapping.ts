import type { Mapping } from './mapping.ts';
import {
  isDoNotCallName,
  isIdentifierName,
  isPhoneName,
  isPhoneNumberName,
  isPriorityName,
  isZoneName,
} from './mapping-words.ts';

/**
 * A mapping by the names of the columns. The phone is `phone_number` in any case, otherwise the only column
 * with a usual name; empty if there is none, or several. The identifier is the leftmost `customer_id` or
 * `ext_customer_id` (contract 11.4).
 */
export function suggestMapping(columns: readonly string[]): Mapping {
  const [proposed = '', ...others] = proposedPhones(columns);
  return {
    // guarantee: phone-column-never-guessed-of-several
    phone: others.length === 0 ? proposed : '',
    identifier: columns.find(isIdentifierName) ?? null,
    timeZone: columns.find(isZoneName) ?? null,
    doNotCall: columns.find(isDoNotCallName) ?? null,
    priority: columns.find(isPriorityName) ?? null,
    openingLine: openingLine(columns),
    skipped: [],
    defaultCountry: null,
    unassigned: 'call',
    duplicates: 'first',
  };
}

/** The columns that may hold the phone numbers: `phone_number` itself, otherwise all with a usual name. */
export function proposedPhones(columns: readonly string[]): string[] {
  const named = columns.filter(isPhoneNumberName);
  const exact = named.filter((name) => name === 'phone_number');
  return [exact, named].find(({ length }) => length > 0) ?? columns.filter(isPhoneName);
}

function openingLine(columns: readonly string[]): Mapping['openingLine'] {
  const named = (wanted: string): string | null =>
    columns.find((name) => name.trim().toLowerCase() === wanted) ?? null;
  const type = named('greeting_override_type');
  return type === null
    ? null
    : { type, text: named('greeting_override_text'), recordingId: named('greeting_override_recording_id') };
}
