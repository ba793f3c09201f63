import type {
  ContactFinding,
  ContactPage,
  Directory,
  DirectoryDetail,
  DirectoryPreview,
} from '../../../contract/directories.ts';
import type { ContactRow } from '../../../db/tables/contacts.ts';
import type { DirectoryRow } from '../../../db/tables/directories.ts';
import { wordsOf } from '../../../domain/directory/words-of.ts';
import type { CellFinding } from '../../../domain/directory/findings.ts';
import type { Mapping } from '../../../domain/directory/mapping.ts';
import type { Reading } from '../../../domain/directory/reading.ts';
import type { ImportTotals } from '../../../domain/directory/totals.ts';
import { wireTimestamp } from '../../kernel/index.ts';

/** `campaigns` call the rows of the directory. */
export function toDirectory(row: DirectoryRow, campaigns: Directory['campaigns']): Directory {
  return {
    id: row.id,
    uuid: row.uuid,
    name: row.name,
    file_key: row.fileKey,
    file_name: row.fileName,
    kind: row.kind,
    file_size: row.bytes,
    sha256: row.sha256,
    state: row.state,
    reading: toReading(row.reading),
    mapping: toMapping(row.mapping),
    columns: row.columns,
    import_number: row.importNumber,
    totals: row.importNumber === 0 ? null : toTotals(row.totals, row.columns),
    progress_percentage: percentRead(row),
    fault: row.fault,
    repaired_from: row.repairedFromId,
    created_by: row.createdByUserId,
    created_at: wireTimestamp(row.createdAt),
    imported_at: row.importedAt === null ? null : wireTimestamp(row.importedAt),
    campaigns,
  };
}

export function toDirectoryDetail(
  row: DirectoryRow,
  { campaigns, sameFile }: { campaigns: Directory['campaigns']; sameFile: readonly DirectoryRow[] },
): DirectoryDetail {
  return {
    ...toDirectory(row, campaigns),
    same_file: sameFile.map(({ id, name, createdAt, importedAt }) => ({
      directory_id: id,
      name,
      created_at: wireTimestamp(createdAt),
      imported_at: importedAt === null ? null : wireTimestamp(importedAt),
    })),
  };
}

/**
 * How much of the file the import has read, 0 to 100. A workbook is read back and forth, so the number is an
 * estimate.
 */
export function percentRead({
  state,
  bytes,
  totals,
}: Pick<DirectoryRow, 'state' | 'bytes' | 'totals'>): number {
  if (state === 'ready') return 100;
  return state === 'importing' && bytes > 0 ? Math.min(99, Math.floor((totals.bytesRead / bytes) * 100)) : 0;
}

export function toReading({
  encoding,
  separator,
  sheet,
  headerLine,
  isGuess = false,
}: Reading): Directory['reading'] {
  return { encoding, is_guess: isGuess, separator, sheet, header_line: headerLine };
}

export function toMapping({
  phone,
  identifier,
  timeZone,
  doNotCall,
  priority,
  openingLine,
  skipped,
  defaultCountry,
  unassigned,
  duplicates,
}: Mapping): Directory['mapping'] {
  const opening =
    openingLine === null
      ? null
      : { type: openingLine.type, text: openingLine.text, recording_id: openingLine.recordingId };
  return {
    phone: phone === '' ? null : phone,
    identifier,
    time_zone: timeZone,
    do_not_call: doNotCall,
    priority,
    opening_line: opening,
    skipped,
    default_country: defaultCountry,
    unassigned_numbers: unassigned,
    duplicates,
  };
}

function toTotals(
  { noPhone, doNotCall, emptyCells, bytesRead: _, attempt: _attempt, findings, ...counts }: ImportTotals,
  columns: readonly string[],
): Directory['totals'] {
  const empty = emptyCells.flatMap((rows, index): [string, number][] =>
    rows === 0 ? [] : [[columns[index] ?? '', rows]],
  );
  return {
    ...counts,
    no_phone: noPhone,
    do_not_call: doNotCall,
    findings: { ...findings },
    empty_cells: Object.fromEntries(empty),
  };
}

type ShownContact = Pick<
  ContactRow,
  'rowNumber' | 'state' | 'phone' | 'zoneKey' | 'identifier' | 'priority' | 'cells' | 'findings'
>;

export function toContact({
  rowNumber,
  state,
  phone,
  zoneKey,
  identifier,
  priority,
  cells,
  findings,
}: ShownContact): Omit<ContactPage['items'][number], 'repeated_in'> {
  return {
    row_number: rowNumber,
    state,
    phone_number: phone,
    time_zone: zoneKey === '' || zoneKey.startsWith('+') ? null : zoneKey,
    identifier,
    priority,
    cells,
    findings: (findings ?? []).map(toFinding),
  };
}

export function toPreviewRow(contact: ShownContact & { line: number }): DirectoryPreview['rows'][number] {
  return { ...toContact(contact), line: contact.line };
}

function toFinding(finding: CellFinding): ContactFinding {
  const { code, level, column, otherRow = null } = finding;
  return { code, level, column, other_row: otherRow, ...wordsOf(finding) };
}

/** A directory as the audit log compares it, without names, which may be those of a person. */
export function auditedDirectory({ reading, mapping, state, importNumber }: DirectoryRow): object {
  return { reading: toReading(reading), mapping: toMapping(mapping), state, import_number: importNumber };
}
