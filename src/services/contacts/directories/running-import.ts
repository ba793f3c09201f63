import { findRow } from '../../../db/rows.ts';
import { directories } from '../../../db/tables/directories.ts';
import { changeImporting, type ImportDeps, type ImportRef } from './import-contacts.ts';
import { removeContacts } from './insert-contacts.ts';
import { percentRead } from './mapper.ts';

/** The progress of an import; null if the directory no longer waits for it. */
export async function readImport({
  deps: { db },
  input: { directoryId, organizationId, importNumber },
}: {
  deps: Pick<ImportDeps, 'db'>;
  input: ImportRef;
}): Promise<{ rows: number; ok: number; percent: number } | null> {
  const row = await findRow(db.manager, directories, {
    id: directoryId,
    organizationId,
    importNumber,
    state: 'importing',
  });
  return row === null ? null : { rows: row.totals.rows, ok: row.totals.ok, percent: percentRead(row) };
}

const faults = {
  canceled: 'The check was canceled',
  given_up: 'The check was given up: a fault of the service',
};

/**
 * Ends the wait for an import that will not be completed, and removes its rows. A completed import stays. A
 * repeated call changes nothing.
 */
export async function abandonImport({
  deps: { db },
  input: { reason, ...ref },
}: {
  deps: Pick<ImportDeps, 'db'>;
  input: ImportRef & { reason: keyof typeof faults };
}): Promise<void> {
  await changeImporting(db, ref, { state: 'failed', fault: faults[reason] });
  const hasFailed = await findRow(db.manager, directories, {
    id: ref.directoryId,
    organizationId: ref.organizationId,
    importNumber: ref.importNumber,
    state: 'failed',
  });
  if (hasFailed !== null) await removeContacts(db, ref);
}
