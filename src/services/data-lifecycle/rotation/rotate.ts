import { MoreThan, type DataSource, type EntitySchema, type EntityManager } from 'typeorm';
import { acrossOrganizations, selectFrom, updateRows, type WhereIn } from '../../../db/rows.ts';
import { credentials } from '../../../db/tables/credentials.ts';
import { idempotencyKeys } from '../../../db/tables/idempotency-keys.ts';
import { modelConfigurations } from '../../../db/tables/model-configurations.ts';
import { telephonyConfigurations } from '../../../db/tables/telephony-configurations.ts';
import { webhookSecrets } from '../../../db/tables/webhook-secrets.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { SecretBox, SecretPlace } from '../../../providers/secrets/port.ts';
import type { Tickets } from '../../../providers/secrets/tickets.ts';
import { credentialPlace, secretPlace } from '../../identity/index.ts';
import { configurationPlace } from '../../models/index.ts';
import { telephonyPlace } from '../../telephony/index.ts';
import { rotateDocuments } from './rotate-documents.ts';

const pageSize = 200;

interface Rotating {
  db: DataSource;
  secrets: SecretBox;
  /** Seals the stored answers of keyed requests. */
  answers: Tickets;
}

/**
 * Encrypts everything that is sealed under an older key of the ring again, under the first key. Then the
 * older keys can be removed (download links made with them stop working). Safe to repeat. Answers the number
 * of changed texts.
 */
export async function rotateSecrets({ db, secrets, answers }: Rotating): Promise<number> {
  const reseal = (sealed: string, place: SecretPlace) =>
    sealed === '' || secrets.isCurrent(sealed) ? null : secrets.seal(secrets.open(sealed, place), place);
  const inCredentials = await eachRow(db, credentials, 'id', async (row) => {
    const dataEncrypted = reseal(row.dataEncrypted, credentialPlace(row.organizationId));
    // Only if the row has not changed meanwhile (here and below): a new value has the current key anyway.
    return (
      dataEncrypted !== null &&
      (await changed(db, credentials, { ...owned(row), dataEncrypted: row.dataEncrypted }, { dataEncrypted }))
    );
  });
  const inWebhookSecrets = await eachRow(db, webhookSecrets, 'id', async (row) => {
    const secretEncrypted = reseal(row.secretEncrypted, secretPlace(row.organizationId));
    return (
      secretEncrypted !== null &&
      (await changed(
        db,
        webhookSecrets,
        { ...owned(row), secretEncrypted: row.secretEncrypted },
        { secretEncrypted },
      ))
    );
  });
  const inTelephony = await eachRow(db, telephonyConfigurations, 'id', async (row) => {
    const credentialsEncrypted = reseal(row.credentialsEncrypted, telephonyPlace(row.organizationId));
    return (
      credentialsEncrypted !== null &&
      (await changed(
        db,
        telephonyConfigurations,
        { ...owned(row), credentialsEncrypted: row.credentialsEncrypted },
        { credentialsEncrypted },
      ))
    );
  });
  const inModels = await eachRow(db, modelConfigurations, 'organizationId', async (row) => {
    const { organizationId } = row;
    const configurationEncrypted = reseal(row.configurationEncrypted, configurationPlace(organizationId));
    return (
      configurationEncrypted !== null &&
      (await changed(
        db,
        modelConfigurations,
        { organizationId, configurationEncrypted: row.configurationEncrypted },
        { configurationEncrypted },
      ))
    );
  });
  const inAnswers = await eachRow(db, idempotencyKeys, 'id', async (row) => {
    if (row.responseBody === null || secrets.isCurrent(row.responseBody)) return false;
    const text = answers.open(row.responseBody);
    return (
      text !== null &&
      (await changed(
        db,
        idempotencyKeys,
        { ...owned(row), state: row.state },
        { responseBody: answers.seal(text) },
      ))
    );
  });
  // guarantee: rotation-seals-plain-secrets
  return (
    inCredentials +
    inWebhookSecrets +
    inTelephony +
    inModels +
    inAnswers +
    (await rotateDocuments({ db, secrets }))
  );
}

function owned({ id, organizationId }: { id: number; organizationId: number }) {
  return { id, organizationId };
}

async function changed<Row extends { organizationId: number }>(
  db: DataSource,
  table: EntitySchema<Row>,
  where: WhereIn<Row, EntityManager>,
  change: Partial<Row>,
): Promise<boolean> {
  return (await inTransaction(db, (tx) => updateRows(tx, table, { where, change }))) === 1;
}

/** Calls `change` for every row of all organizations, in pages by `key`. Answers how many rows it changed. */
async function eachRow<Key extends 'id' | 'organizationId', Row extends Record<Key, number>>(
  db: DataSource,
  table: EntitySchema<Row>,
  key: Key,
  change: (row: Row) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  for (let after = 0; ;) {
    const rows = await selectFrom(
      acrossOrganizations(db, 'the key rotation of the operator covers every organization'),
      table,
      { as: 'row' },
    )
      .where({ [key]: MoreThan(after) })
      .orderBy(`row.${key}`)
      .take(pageSize)
      .getMany();
    for (const row of rows) if (await change(row)) count += 1;
    const last = rows.at(-1);
    if (last === undefined) return count;
    after = last[key];
  }
}
