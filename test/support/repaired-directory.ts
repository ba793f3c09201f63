import type { DataSource } from 'typeorm';
import { contacts } from '../../src/db/tables/contacts.ts';
import { directories } from '../../src/db/tables/directories.ts';

interface Checked {
  directoryId: number;
  organizationId: number;
  state: 'ok' | 'invalid';
  phone: string | null;
  cells: string[];
}

/** Marks an uploaded directory as checked, with one row. */
export async function markChecked(
  db: DataSource,
  { directoryId, organizationId, ...row }: Checked,
): Promise<void> {
  await db.getRepository(directories).update({ id: directoryId }, { state: 'ready', importNumber: 1 });
  await db.getRepository(contacts).insert({
    directoryId,
    organizationId,
    importNumber: 1,
    rowNumber: 1,
    zoneKey: '',
    identifier: null,
    priority: 0,
    findings: null,
    ...row,
  });
}
