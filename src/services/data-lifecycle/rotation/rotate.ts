import {
  MoreThan,
  type DataSource,
  type EntityManager,
  type EntitySchema,
  type ObjectLiteral,
} from 'typeorm';
import { acrossOrganizations, selectFrom, updateRows, type WhereIn } from '../../../db/rows.ts';
import { credentials } from '../../../db/tables/credentials.ts';
import { idempotencyKeys } from '../../../db/tables/idempotency-keys.ts';
import { modelConfigurations } from '../../../db/tables/model-configurations.ts';
import { secondFactors } from '../../../db/tables/second-factors.ts';
import { telephonyConfigurations } from '../../../db/tables/telephony-configurations.ts';
import { webhookSecrets } from '../../../db/tables/webhook-secrets.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { SecretBox, SecretPlace } from '../../../providers/secrets/port.ts';
import type { Tickets } from '../../../providers/secrets/tickets.ts';
import { credentialPlace, secondFactorPlace, secretPlace } from '../../identity/index.ts';
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
export async function rotateSecrets(rotating: Rotating): Promise<number> {
  const inCredentials = await rotateCredentials(rotating);
  const inWebhookSecrets = await rotateWebhookSecrets(rotating);
  const inTelephony = await rotateTelephony(rotating);
  const inModels = await rotateModels(rotating);
  const inSecondFactors = await rotateSecondFactors(rotating);
  const inAnswers = await rotateAnswers(rotating);
  const inRows = inCredentials + inWebhookSecrets + inTelephony + inModels + inSecondFactors + inAnswers;
  // guarantee: rotation-seals-documents
  return inRows + (await rotateDocuments(rotating));
}

// Each row is changed only if it has not changed meanwhile: a new value has the current key anyway.

async function rotateCredentials({ db, secrets }: Rotating): Promise<number> {
  return await eachRow(db, credentials, 'id', async (row) => {
    const dataEncrypted = resealed(secrets, row.dataEncrypted, credentialPlace(row.organizationId));
    if (dataEncrypted === null) return false;
    const where = { ...owned(row), dataEncrypted: row.dataEncrypted };
    return await changed(db, credentials, where, { dataEncrypted });
  });
}

async function rotateWebhookSecrets({ db, secrets }: Rotating): Promise<number> {
  return await eachRow(db, webhookSecrets, 'id', async (row) => {
    const secretEncrypted = resealed(secrets, row.secretEncrypted, secretPlace(row.organizationId));
    if (secretEncrypted === null) return false;
    const where = { ...owned(row), secretEncrypted: row.secretEncrypted };
    return await changed(db, webhookSecrets, where, { secretEncrypted });
  });
}

async function rotateTelephony({ db, secrets }: Rotating): Promise<number> {
  return await eachRow(db, telephonyConfigurations, 'id', async (row) => {
    const place = telephonyPlace(row.organizationId);
    const credentialsEncrypted = resealed(secrets, row.credentialsEncrypted, place);
    if (credentialsEncrypted === null) return false;
    const where = { ...owned(row), credentialsEncrypted: row.credentialsEncrypted };
    return await changed(db, telephonyConfigurations, where, { credentialsEncrypted });
  });
}

async function rotateModels({ db, secrets }: Rotating): Promise<number> {
  return await eachRow(db, modelConfigurations, 'organizationId', async (row) => {
    const { organizationId } = row;
    const place = configurationPlace(organizationId);
    const configurationEncrypted = resealed(secrets, row.configurationEncrypted, place);
    if (configurationEncrypted === null) return false;
    const where = { organizationId, configurationEncrypted: row.configurationEncrypted };
    return await changed(db, modelConfigurations, where, { configurationEncrypted });
  });
}

async function rotateSecondFactors({ db, secrets }: Rotating): Promise<number> {
  return await eachRow(db, secondFactors, 'userId', async ({ userId, ...row }) => {
    const secretEncrypted = resealed(secrets, row.secretEncrypted, secondFactorPlace(userId));
    if (secretEncrypted === null) return false;
    const where = { userId, secretEncrypted: row.secretEncrypted };
    return await changed(db, secondFactors, where, { secretEncrypted });
  });
}

async function rotateAnswers({ db, secrets, answers }: Rotating): Promise<number> {
  return await eachRow(db, idempotencyKeys, 'id', async (row) => {
    if (row.responseBody === null || secrets.isCurrent(row.responseBody)) return false;
    const text = answers.open(row.responseBody);
    if (text === null) return false;
    const where = { ...owned(row), state: row.state };
    return await changed(db, idempotencyKeys, where, { responseBody: answers.seal(text) });
  });
}

/** The text under the current key; null if it is empty or has that key already. */
function resealed(secrets: SecretBox, sealed: string, place: SecretPlace): string | null {
  return sealed === '' || secrets.isCurrent(sealed) ? null : secrets.seal(secrets.open(sealed, place), place);
}

function owned({ id, organizationId }: { id: number; organizationId: number }) {
  return { id, organizationId };
}

async function changed<Row extends ObjectLiteral>(
  db: DataSource,
  table: EntitySchema<Row>,
  where: WhereIn<Row, EntityManager>,
  change: Partial<Row>,
): Promise<boolean> {
  return (await inTransaction(db, (tx) => updateRows(tx, table, { where, change }))) === 1;
}

/** Calls `change` for every row of all organizations, in pages by `key`. Answers how many rows it changed. */
async function eachRow<Key extends 'id' | 'organizationId' | 'userId', Row extends Record<Key, number>>(
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
