import { In, type EntityManager } from 'typeorm';
import { changeRows, findRows } from '../../../db/rows.ts';
import { contacts, type ContactRow } from '../../../db/tables/contacts.ts';
import type { CellFinding } from '../../../domain/directory/findings.ts';
import type { ImportTotals } from '../../../domain/directory/totals.ts';
import { noteInBlocks } from './blocks.ts';
import type { ImportRef } from './insert-contacts.ts';
import { countEmpty } from './read-rows.ts';

/** Maximum number of numbers and rows per statement, because their cells are held at once. */
const maxAtOnce = 500;

const forbidden: CellFinding = { code: 'do_not_call', level: 'error', column: null };
const finding = JSON.stringify(forbidden);

/**
 * Changes rows that passed before a later row of the file forbade their number. They are not called either,
 * and the totals count them so.
 */
export async function forbidLate(
  tx: EntityManager,
  ref: ImportRef,
  { phones, totals }: { phones: readonly string[]; totals: ImportTotals },
): Promise<void> {
  for (let from = 0; from < phones.length; from += maxAtOnce) {
    const some = phones.slice(from, from + maxAtOnce);
    for (
      let rows = await letThrough(tx, ref, some);
      rows.length > 0;
      rows = await letThrough(tx, ref, some)
    ) {
      await forbid(tx, ref, rows);
      for (const { cells } of rows) countEmpty(totals, cells, -1);
      totals.ok -= rows.length;
      totals.doNotCall += rows.length;
      totals.findings.do_not_call = (totals.findings.do_not_call ?? 0) + rows.length;
    }
  }
}

type LetThrough = Pick<ContactRow, 'rowNumber' | 'cells'>;

async function letThrough(
  tx: EntityManager,
  { directoryId, organizationId, importNumber }: ImportRef,
  phones: string[],
): Promise<LetThrough[]> {
  return await findRows(
    tx,
    contacts,
    { organizationId, phone: In(phones), directoryId, importNumber, state: 'ok' },
    { select: ['rowNumber', 'cells'], take: maxAtOnce },
  );
}

async function forbid(tx: EntityManager, ref: ImportRef, rows: readonly LetThrough[]): Promise<void> {
  const { directoryId, organizationId, importNumber } = ref;
  await changeRows(tx, {
    organizationId,
    sql: `UPDATE contacts SET state = 'do_not_call', findings = CASE WHEN findings IS NULL THEN ? ELSE CONCAT(LEFT(findings, CHAR_LENGTH(findings) - 1), ?) END
     WHERE directory_id = ? AND import_number = ? AND organization_id = ? AND \`row_number\` IN (${rows.map(() => '?').join(',')})`,
    values: [
      `[${finding}]`,
      `,${finding}]`,
      directoryId,
      importNumber,
      organizationId,
      ...rows.map(({ rowNumber }) => rowNumber),
    ],
  });
  await noteInBlocks(
    tx,
    ref,
    rows.map(({ rowNumber }) => ({
      rowNumber,
      state: 'do_not_call' as const,
      findings: [forbidden],
      phone: null,
      cells: '',
    })),
  );
}
