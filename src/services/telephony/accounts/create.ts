import type {
  TelephonyConfigurationDetail,
  TelephonyCredentials,
} from '../../../contract/telephony-configurations.ts';
import { countRows, insertRow } from '../../../db/rows.ts';
import {
  telephonyConfigurations,
  type TelephonyConfigurationRow,
} from '../../../db/tables/telephony-configurations.ts';
import type { Credentials } from '../../../domain/telephony/credentials.ts';
import {
  appendAudit,
  translateTakenName,
  lockOrganization,
  type ServiceContext,
  madeBefore,
  once,
  type Write,
  write,
} from '../../kernel/index.ts';
import { sealCredentials } from './configurations.ts';
import { prepareAccount } from './account.ts';
import type { ConnectionDeps } from './deps.ts';
import {
  clearDefault,
  findConnection,
  requireFreeName,
  sentCredentials,
  showConnection,
  takenConnectionName,
} from './internal.ts';
import { auditedConnection, toDetail } from './mapper.ts';

export interface ConnectionInput {
  name: string;
  isDefaultOutbound: boolean;
  config: TelephonyCredentials;
}

interface Creating {
  ctx: ServiceContext;
  deps: ConnectionDeps;
  input: ConnectionInput;
}

/**
 * Stores a connection with sealed credentials; the first one of an organization becomes the default (contract
 * 12.1). Asks the carrier before storing anything: a request that fails afterwards leaves an unused
 * application at the carrier.
 *
 * Throws ConflictError for a taken name, ValidationError for a masked secret, PreconditionError (400) if the
 * carrier refuses, CarrierError (502) if it cannot be asked.
 */
export async function createConnection({
  ctx,
  deps,
  input,
}: Creating): Promise<TelephonyConfigurationDetail> {
  const prepared =
    madeBefore(ctx, 'telephony_configuration') === null ? await prepareNew(ctx, deps, input) : {};
  try {
    return await write(ctx, async (tx) => {
      const answerOf = async (row: TelephonyConfigurationRow) =>
        toDetail(await showConnection(tx, ctx, row), deps.carriers);
      const make = async () => {
        const row = await insertConnection(tx, ctx, { input, credentials: prepared });
        return { id: row.id, answer: await answerOf(row) };
      };
      return await once(tx, {
        kind: 'telephony_configuration',
        make,
        again: async (id) => await answerOf(await findConnection(tx, ctx, id)),
      });
    });
  } catch (error) {
    throw translateTakenName(error, takenConnectionName(input.name));
  }
}

async function prepareNew(
  ctx: ServiceContext,
  deps: ConnectionDeps,
  { name, config }: ConnectionInput,
): Promise<Credentials> {
  const credentials = sentCredentials(config, null);
  await requireFreeName(ctx.db.manager, ctx, { name, id: null });
  return await prepareAccount({ deps, provider: config.provider, name, credentials, stored: null });
}

async function insertConnection(
  tx: Write,
  ctx: ServiceContext,
  { input, credentials }: { input: ConnectionInput; credentials: Credentials },
): Promise<TelephonyConfigurationRow> {
  const { organizationId } = ctx;
  // guarantee: one-default-connection
  await lockOrganization(tx, ctx);
  const isDefault =
    input.isDefaultOutbound || (await countRows(tx, telephonyConfigurations, { organizationId })) === 0;
  if (isDefault) await clearDefault(tx, ctx);
  const now = ctx.clock.now();
  const row = await insertRow(tx, telephonyConfigurations, {
    organizationId,
    name: input.name,
    provider: input.config.provider,
    connectivity: 'api' as const,
    isDefaultOutbound: isDefault ? (true as const) : null,
    credentialsEncrypted: sealCredentials(ctx.secrets, organizationId, credentials),
    inactiveSince: null,
    inactiveReason: null,
    createdAt: now,
    updatedAt: now,
  });
  await appendAudit(tx, {
    action: 'telephony_configuration.created',
    subjectKind: 'telephony_configuration',
    subjectId: row.id,
    states: { before: null, after: auditedConnection(row, credentials) },
  });
  return row;
}
