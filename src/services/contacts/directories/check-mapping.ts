import type { DirectoryRow } from '../../../db/tables/directories.ts';
import type { Mapping } from '../../../domain/directory/mapping.ts';
import { proposedPhones, suggestMapping } from '../../../domain/directory/suggest-mapping.ts';
import { isPhoneNumberName } from '../../../domain/directory/mapping-words.ts';
import { PreconditionError } from '../../../domain/errors.ts';

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
  const suggested = suggestMapping(columns);
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
    unassigned: mapping.unassigned,
    duplicates: mapping.duplicates,
  };
}

/** Throws PreconditionError (400) if no phone column is chosen. */
export function requirePhoneColumn({
  mapping: { phone },
  columns,
}: Pick<DirectoryRow, 'mapping' | 'columns'>): void {
  if (phone !== '') return;
  const proposed = proposedPhones(columns);
  throw new PreconditionError(
    proposed.length === 0
      ? 'The file has no column `phone_number`: choose the column with the phone numbers'
      : `Several columns may have the phone numbers, and none is called \`phone_number\`: choose ${proposed.map((name) => `'${name}'`).join(' or ')}`,
    { status: 400 },
  );
}

/** The column `phone_number` in any case. Throws PreconditionError (400) if there is none, or several. */
export function publishedPhone(columns: readonly string[], otherSheet: string | null): string {
  const [phone, ...others] = proposedPhones(columns);
  // guarantee: published-flow-takes-phone-number-alone
  if (phone !== undefined && others.length === 0 && isPhoneNumberName(phone)) return phone;
  const [what, names] =
    phone !== undefined && isPhoneNumberName(phone)
      ? ['several columns `phone_number`', [phone, ...others]]
      : ['no column `phone_number`', columns.slice(0, maxNames)];
  const sheet = otherSheet === null ? '' : `. The sheet '${otherSheet}' has one: make it the first sheet`;
  throw new PreconditionError(
    `The file has ${what}; it has ${names.map((name) => `'${name}'`).join(', ')}. Give the column with the phone numbers that name${sheet}`,
    { status: 400 },
  );
}

/** Names of columns in a message. */
const maxNames = 20;
