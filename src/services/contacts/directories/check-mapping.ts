import type { Mapping } from '../../../domain/directory/mapping.ts';
import { suggestMapping } from '../../../domain/directory/suggest-mapping.ts';
import { PreconditionError } from '../../../domain/errors.ts';

const plain: Mapping = {
  phone: '',
  identifier: null,
  timeZone: null,
  doNotCall: null,
  priority: null,
  openingLine: null,
  skipped: [],
  defaultCountry: null,
  duplicates: 'first',
};

/**
 * The mapping that the column names suggest. Without a name like that of a phone column, no column is chosen
 * for the phone.
 */
export function suggestedMapping(columns: string[]): Mapping {
  return suggestMapping(columns) ?? plain;
}

/** Every column that a mapping names. */
function namedColumns({
  phone,
  identifier,
  timeZone,
  doNotCall,
  priority,
  openingLine,
  skipped,
}: Mapping): string[] {
  const named = [
    phone === '' ? null : phone,
    identifier,
    timeZone,
    doNotCall,
    priority,
    openingLine?.type,
    openingLine?.text,
    openingLine?.recordingId,
    ...skipped,
  ];
  return named.filter((name) => typeof name === 'string');
}

/** Throws PreconditionError (400) if a mapping names a column that the file does not have. */
export function requireColumns(mapping: Mapping, columns: readonly string[]): void {
  const missing = [...new Set(namedColumns(mapping))].filter((name) => !columns.includes(name));
  if (missing.length > 0)
    throw new PreconditionError(
      `The file has no column ${missing.map((name) => `'${name}'`).join(', ')}; it has ${columns.map((name) => `'${name}'`).join(', ')}`,
      { status: 400 },
    );
}

/** The mapping for new columns: what still exists stays, the rest is suggested again. */
export function carriedMapping(mapping: Mapping, columns: string[]): Mapping {
  const suggested = suggestedMapping(columns);
  const kept = (name: string | null, otherwise: string | null) =>
    name !== null && columns.includes(name) ? name : otherwise;
  const hasOpening =
    mapping.openingLine !== null &&
    Object.values(mapping.openingLine).every((name) => name === null || columns.includes(name));
  return {
    phone: kept(mapping.phone, suggested.phone) ?? '',
    identifier: kept(mapping.identifier, suggested.identifier),
    timeZone: kept(mapping.timeZone, suggested.timeZone),
    doNotCall: kept(mapping.doNotCall, suggested.doNotCall),
    priority: kept(mapping.priority, suggested.priority),
    openingLine: hasOpening ? mapping.openingLine : suggested.openingLine,
    skipped: mapping.skipped.filter((name) => columns.includes(name)),
    defaultCountry: mapping.defaultCountry,
    duplicates: mapping.duplicates,
  };
}

/** Throws PreconditionError (400) if no phone column is chosen. */
export function requirePhoneColumn({ phone }: Mapping): void {
  if (phone === '')
    throw new PreconditionError(
      'The file has no column `phone_number`: choose the column with the phone numbers',
      { status: 400 },
    );
}
