import { MoreThan, type DataSource, type EntitySchema } from 'typeorm';
import { updateRows } from '../../db/rows.ts';
import { credentials } from '../../db/tables/credentials.ts';
import { webhookSecrets } from '../../db/tables/webhook-secrets.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { SecretBox } from '../../providers/secrets/port.ts';
import { credentialPlace } from '../credentials/internal.ts';
import { secretPlace } from '../webhook-secrets/internal.ts';

const pageSize = 200;

/** Encrypts everything that is sealed under an older key of the ring anew, under the first. Safe to run again. Answers how many texts it changed. */
export async function rotateSecrets({ db, secrets }: { db: DataSource; secrets: SecretBox }): Promise<number> {
  const reseal = (sealed: string, place: ReturnType<typeof secretPlace>) => (sealed === '' || secrets.isCurrent(sealed) ? null : secrets.seal(secrets.open(sealed, place), place));
  const inCredentials = await eachRow(db, credentials, async (row) => {
    const dataEncrypted = reseal(row.dataEncrypted, credentialPlace(row.organizationId));
    if (dataEncrypted === null) return false;
    // Only if nobody changed it meanwhile: then it is sealed under the current key anyway.
    const where = { id: row.id, organizationId: row.organizationId, dataEncrypted: row.dataEncrypted };
    return (await inTransaction(db, (tx) => updateRows(tx, credentials, { where, change: { dataEncrypted } }))) === 1;
  });
  const inWebhookSecrets = await eachRow(db, webhookSecrets, async (row) => {
    const secretEncrypted = reseal(row.secretEncrypted, secretPlace(row.organizationId));
    if (secretEncrypted === null) return false;
    const where = { id: row.id, organizationId: row.organizationId, secretEncrypted: row.secretEncrypted };
    return (await inTransaction(db, (tx) => updateRows(tx, webhookSecrets, { where, change: { secretEncrypted } }))) === 1;
  });
  return inCredentials + inWebhookSecrets;
}

/** Every row of every organization, in pages; answers for how many `change` said yes. */
async function eachRow<Row extends { id: number }>(db: DataSource, table: EntitySchema<Row>, change: (row: Row) => Promise<boolean>): Promise<number> {
  let changed = 0;
  for (let after = 0; ; ) {
    const rows = await db.getRepository(table).createQueryBuilder('row').where({ id: MoreThan(after) }).orderBy('row.id').take(pageSize).getMany();
    for (const row of rows) if (await change(row)) changed += 1;
    const last = rows.at(-1);
    if (last === undefined) return changed;
    after = last.id;
  }
}
