import { exposedNames } from './exposed-names.ts';
import type { Mapping } from './mapping.ts';
import { isErrorCell } from './error-cell.ts';

/** The parts of a contact that its call needs. */
export interface ContactToCall {
  rowNumber: number;
  /** Digits with country code, no plus. */
  phone: string;
  identifier: string | null;
  /** In the order of the columns. */
  cells: readonly string[];
}

/**
 * What a contact adds to `initial_context` (contract 11.4): its columns under their own names, all as text,
 * overridden by the service's values. The identifier column is not available under its own name. A cell with
 * a formula error is empty.
 */
export function contactContext({
  columns,
  mapping,
  contact,
}: {
  columns: readonly string[];
  mapping: Mapping;
  contact: ContactToCall;
}): Record<string, unknown> {
  const { phone, identifier } = contact;
  const cellOf = (index: number): string => {
    const cell = contact.cells[index] ?? '';
    return isErrorCell(cell) ? '' : cell;
  };
  const greeting = greetingOverride(mapping.openingLine, (name) =>
    name === null ? '' : cellOf(columns.indexOf(name)).trim(),
  );
  // `fromEntries` makes every name an own key, including `__proto__`.
  return Object.fromEntries<unknown>([
    ...exposedNames(columns, mapping).map(({ name, index }): [string, string] => [name, cellOf(index)]),
    ...(greeting === null ? [] : [['greeting_override', greeting] as const]),
    ...(identifier === null ? [] : [['ext_customer_id', identifier] as const]),
    ['record_key', recordKey(contact)],
    ['phone_number', phone],
    ['called_number', phone],
  ]);
}

/** The key of a contact in its call and in exports (contract 11.4). */
export function recordKey({
  identifier,
  rowNumber,
  phone,
}: Pick<ContactToCall, 'identifier' | 'rowNumber' | 'phone'>): string {
  return identifier === null ? `phone:${phone}` : `ext:${identifier}|${rowNumber}`;
}

/** Null if the row has no greeting. */
function greetingOverride(
  openingLine: Mapping['openingLine'],
  textOf: (column: string | null) => string,
): Record<string, string> | null {
  if (openingLine === null) return null;
  const [type, text, recordingId] = [
    textOf(openingLine.type).toLowerCase(),
    textOf(openingLine.text),
    textOf(openingLine.recordingId),
  ];
  if (type === 'text' && text !== '') return { type, text };
  return type === 'audio' && recordingId !== '' ? { type, recording_id: recordingId } : null;
}
