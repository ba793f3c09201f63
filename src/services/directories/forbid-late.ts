import type { DataSource } from 'typeorm';
import type { CellFinding } from '../../domain/directory/findings.ts';
import type { ImportTotals } from '../../domain/directory/totals.ts';
import type { ImportRef } from './insert-contacts.ts';

/** Numbers of one statement. */
const mostAtOnce = 1000;

const finding = JSON.stringify({ code: 'do_not_call', level: 'error', column: null } satisfies CellFinding);

/** Rows that were let through before a later row of the file forbade their number: they are not to be called either. */
export async function forbidLate(db: DataSource, { directoryId, organizationId, importNumber }: ImportRef, { phones, totals }: { phones: string[]; totals: ImportTotals }): Promise<void> {
  for (let from = 0; from < phones.length; from += mostAtOnce) {
    const some = phones.slice(from, from + mostAtOnce);
    const { affectedRows }: { affectedRows: number } = await db.query(
      `UPDATE contacts SET state = 'do_not_call', findings = CASE WHEN findings IS NULL THEN ? ELSE CONCAT(LEFT(findings, CHAR_LENGTH(findings) - 1), ?) END
       WHERE organization_id = ? AND phone IN (${some.map(() => '?').join(',')}) AND directory_id = ? AND import_number = ? AND state = 'ok'`,
      [`[${finding}]`, `,${finding}]`, organizationId, ...some, directoryId, importNumber],
    );
    totals.ok -= affectedRows;
    totals.doNotCall += affectedRows;
    totals.findings.do_not_call = (totals.findings.do_not_call ?? 0) + affectedRows;
  }
}
