import type { ContactState } from '../../../domain/directory/contact-state.ts';
import type { CellFinding } from '../../../domain/directory/findings.ts';
import type { Mapping } from '../../../domain/directory/mapping.ts';
import { createContactReader } from '../../../domain/directory/read-contact.ts';
import type { JudgedRow, RowJudge } from '../../../domain/directory/row-judge.ts';
import type { ImportTotals } from '../../../domain/directory/totals.ts';
import type { FileRow } from '../../../providers/contact-files/port.ts';
import type { NewContact } from './insert-contacts.ts';

/** Makes contacts of a file's rows, and counts them. */
export interface RowReader {
  /** Null for a blank row. */
  read: (row: FileRow, judge: RowJudge) => NewContact | null;
  /** Marks a contact that passed as suppressed if its number is among these. */
  suppress: (contact: NewContact, phones: ReadonlySet<string>) => void;
}

interface RowReaderParts {
  columns: string[];
  mapping: Mapping;
  /** Grows with every row. */
  totals: ImportTotals;
  zoneKeyOf: (phone: string) => string;
  /** Columns in which an empty cell gets a warning. */
  required?: string[];
}

export function createRowReader({ totals, ...parts }: RowReaderParts): RowReader {
  const readContact = createContactReader(parts);
  return {
    read(row, judge) {
      if (row.isBlank) {
        totals.blank += 1;
        return null;
      }
      const { state: byItself, findings, ...contact } = readContact(row);
      const judged = judge.judge({ state: byItself, phone: contact.phone }, row.rowNumber);
      const all = withJudgment(findings, judged, byItself);
      count(totals, { state: judged.state, findings: all, cells: row.cells });
      return {
        ...contact,
        rowNumber: row.rowNumber,
        state: judged.state,
        cells: JSON.stringify(row.cells),
        findings: all,
      };
    },
    suppress(contact, phones) {
      if (contact.state !== 'ok' || contact.phone === null || !phones.has(contact.phone)) return;
      contact.state = 'suppressed';
      contact.findings = [...(contact.findings ?? []), { code: 'suppressed', level: 'error', column: null }];
      totals.ok -= 1;
      totals.suppressed += 1;
      totals.findings.suppressed = (totals.findings.suppressed ?? 0) + 1;
      const cells: string[] = JSON.parse(contact.cells);
      countEmpty(totals, cells, -1);
    },
  };
}

/** Adds what other rows say about this one as a finding. */
function withJudgment(
  findings: CellFinding[] | null,
  { state, otherRow }: JudgedRow,
  byItself: ContactState,
): CellFinding[] | null {
  if (state === byItself || (state !== 'duplicate' && state !== 'do_not_call')) return findings;
  return [
    ...(findings ?? []),
    { code: state, level: 'error', column: null, ...(otherRow === null ? {} : { otherRow }) },
  ];
}

/** Where each state is counted. */
export const totalOf = {
  ok: 'ok',
  invalid: 'invalid',
  duplicate: 'duplicate',
  no_phone: 'noPhone',
  suppressed: 'suppressed',
  do_not_call: 'doNotCall',
} as const satisfies Record<ContactState, keyof ImportTotals>;

function count(
  totals: ImportTotals,
  { state, findings, cells }: { state: ContactState; findings: CellFinding[] | null; cells: string[] },
): void {
  totals.rows += 1;
  // guarantee: import-counts-every-row
  totals[totalOf[state]] += 1;
  for (const { code } of findings ?? []) totals.findings[code] = (totals.findings[code] ?? 0) + 1;
  if (findings?.some(({ level }) => level === 'warning') === true) totals.warned += 1;
  if (state === 'ok') countEmpty(totals, cells, 1);
}

/** Counts a row's empty cells by column, or takes them back if the row is not called after all. */
export function countEmpty({ emptyCells }: ImportTotals, cells: readonly string[], by: 1 | -1): void {
  for (let column = 0; column < emptyCells.length; column += 1) {
    if ((cells[column] ?? '').trim() === '') emptyCells[column] = (emptyCells[column] ?? 0) + by;
  }
}
