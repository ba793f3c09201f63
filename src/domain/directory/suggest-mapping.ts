import type { Mapping } from './mapping.ts';
import {
  isDoNotCallName,
  isIdentifierName,
  isPriorityName,
  isZoneName,
  phoneNameRank,
} from './mapping-words.ts';

/**
 * A mapping by the names of the columns. The phone is `phone_number` in any case, otherwise the leftmost
 * column with a usual name. The identifier is the leftmost `customer_id` or `ext_customer_id` (contract
 * 11.4). Null if no column has the name of a phone column.
 */
export function suggestMapping(columns: readonly string[]): Mapping | null {
  const phone =
    columns.find((name) => phoneNameRank(name) === 2) ?? columns.find((name) => phoneNameRank(name) === 1);
  if (phone === undefined) return null;
  return {
    phone,
    identifier: columns.find(isIdentifierName) ?? null,
    timeZone: columns.find(isZoneName) ?? null,
    doNotCall: columns.find(isDoNotCallName) ?? null,
    priority: columns.find(isPriorityName) ?? null,
    openingLine: openingLine(columns),
    skipped: [],
    defaultCountry: null,
    duplicates: 'first',
  };
}

function openingLine(columns: readonly string[]): Mapping['openingLine'] {
  const named = (wanted: string): string | null =>
    columns.find((name) => name.trim().toLowerCase() === wanted) ?? null;
  const type = named('greeting_override_type');
  return type === null
    ? null
    : { type, text: named('greeting_override_text'), recordingId: named('greeting_override_recording_id') };
}
