import { MoreThan, type DataSource, type EntityManager, type EntitySchema } from 'typeorm';
import { acrossOrganizations, findRow, selectFrom, updateRows } from '../../../db/rows.ts';
import { agentVersions, type AgentVersionRow } from '../../../db/tables/agent-versions.ts';
import { agents } from '../../../db/tables/agents.ts';
import { deliveries, type DeliveryRow } from '../../../db/tables/deliveries.ts';
import { tools } from '../../../db/tables/tools.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { mapToolSecrets } from '../../../domain/agent-tools/secrets.ts';
import { isSecretHeader } from '../../../domain/delivery/masking.ts';
import { mapSecretsOf } from '../../../domain/graph/secrets.ts';
import { mapSettingsSecrets } from '../../../domain/models/settings-secrets.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import { toolPlace } from '../../agents/index.ts';
import { definitionPlace, resealerOf, settingsPlace } from '../../kernel/index.ts';

const pageSize = 200;
const why = 'the key rotation of the operator covers every organization';

/**
 * Seals the secrets in definitions, settings, tools and webhook headers under the first key: those under an
 * older key, and those that an earlier release stored in clear. Answers the number of changed rows.
 */
export async function rotateDocuments({
  db,
  secrets,
}: {
  db: DataSource;
  secrets: SecretBox;
}): Promise<number> {
  const inVersions = await eachId(db, agentVersions, 'TRUE', (tx, id) => resealVersion(tx, secrets, id));
  const inHeaders = await eachId(db, deliveries, "row.headers <> '[]'", (tx, id) =>
    resealHeaders(tx, secrets, id),
  );
  const inTools = await eachId(db, tools, 'TRUE', (tx, id) => resealTool(tx, secrets, id));
  return inVersions + inHeaders + inTools;
}

/** Locks the agent's row first, because a draft's settings change in place under that lock. */
async function resealVersion(tx: EntityManager, secrets: SecretBox, id: number): Promise<boolean> {
  const found = await findRow(acrossOrganizations(tx, why), agentVersions, { id });
  if (
    found === null ||
    (await findRow(
      tx,
      agents,
      { id: found.agentId, organizationId: found.organizationId },
      { isLocked: true },
    )) === null
  )
    return false;
  const version = await findRow(acrossOrganizations(tx, why), agentVersions, { id }, { isLocked: true });
  if (version === null) return false;
  const { organizationId } = version;
  const change: Pick<AgentVersionRow, 'definition' | 'settings'> = {
    definition: mapSecretsOf(version.definition, resealerOf(secrets, definitionPlace(organizationId))),
    settings: mapSettingsSecrets(version.settings, resealerOf(secrets, settingsPlace(organizationId))),
  };
  if (
    JSON.stringify(change) === JSON.stringify({ definition: version.definition, settings: version.settings })
  )
    return false;
  return (await updateRows(tx, agentVersions, { where: { id, organizationId }, change })) === 1;
}

async function resealHeaders(tx: EntityManager, secrets: SecretBox, id: number): Promise<boolean> {
  const row: DeliveryRow | null = await findRow(
    acrossOrganizations(tx, why),
    deliveries,
    { id },
    { isLocked: true },
  );
  if (row === null) return false;
  const reseal = resealerOf(secrets, definitionPlace(row.organizationId));
  const headers = row.headers.map(({ key, value }) => ({
    key,
    value: isSecretHeader(key) && value.trim() !== '' ? reseal(value) : value,
  }));
  if (headers.every(({ value }, index) => value === row.headers[index]?.value)) return false;
  return (
    (await updateRows(tx, deliveries, {
      where: { id, organizationId: row.organizationId },
      change: { headers },
    })) === 1
  );
}

async function resealTool(tx: EntityManager, secrets: SecretBox, id: number): Promise<boolean> {
  const row = await findRow(acrossOrganizations(tx, why), tools, { id }, { isLocked: true });
  if (row === null) return false;
  const { organizationId } = row;
  const definition = mapToolSecrets(row.definition, resealerOf(secrets, toolPlace(organizationId)));
  if (JSON.stringify(definition) === JSON.stringify(row.definition)) return false;
  return (await updateRows(tx, tools, { where: { id, organizationId }, change: { definition } })) === 1;
}

/**
 * Calls `change` for every row of all organizations that meets the SQL condition, each in its own
 * transaction. Answers how many rows it changed.
 */
async function eachId<Row extends { id: number }>(
  db: DataSource,
  table: EntitySchema<Row>,
  condition: string,
  change: (tx: EntityManager, id: number) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  for (let after = 0; ;) {
    const rows = await selectFrom(acrossOrganizations(db, why), table, { as: 'row' })
      .select('row.id')
      .where({ id: MoreThan(after) })
      .andWhere(condition)
      .orderBy('row.id')
      .take(pageSize)
      .getMany();
    for (const { id } of rows) if (await inTransaction(db, (tx) => change(tx, id))) count += 1;
    const last = rows.at(-1);
    if (last === undefined) return count;
    after = last.id;
  }
}
