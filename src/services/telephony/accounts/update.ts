import type {
  TelephonyConfigurationDetail,
  TelephonyCredentials,
} from '../../../contract/telephony-configurations.ts';
import { updateRows } from '../../../db/rows.ts';
import {
  telephonyConfigurations,
  type TelephonyConfigurationRow,
} from '../../../db/tables/telephony-configurations.ts';
import { ConflictError, PreconditionError } from '../../../domain/errors.ts';
import type { Credentials } from '../../../domain/telephony/credentials.ts';
import {
  appendAudit,
  translateTakenName,
  type ServiceContext,
  type Write,
  write,
} from '../../kernel/index.ts';
import { openCredentials, sealCredentials } from './configurations.ts';
import { prepareAccount } from './account.ts';
import type { ConnectionDeps } from './deps.ts';
import {
  findConnection,
  requireFreeName,
  sentCredentials,
  showConnection,
  takenConnectionName,
} from './internal.ts';
import { auditedConnection, toDetail } from './mapper.ts';

/** Undefined fields stay unchanged; credentials are replaced as a whole. */
export interface ConnectionChange {
  id: number;
  name: string | undefined;
  config: TelephonyCredentials | undefined;
}

/**
 * Changes a connection (contract 12.1). Asks the carrier before storing anything. Throws NotFoundError,
 * PreconditionError (400) for another provider or if the carrier refuses, ConflictError for a taken name or
 * if another request has changed the credentials meanwhile, ValidationError for a masked secret without a
 * stored one, CarrierError (502) if the carrier cannot be asked.
 */
export async function updateConnection({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: ConnectionDeps;
  input: ConnectionChange;
}): Promise<TelephonyConfigurationDetail> {
  const { manager } = ctx.db;
  const seen = await findConnection(manager, ctx, input.id);
  if (input.config !== undefined && input.config.provider !== seen.provider)
    throw new PreconditionError('The provider of a telephony configuration cannot change', { status: 400 });
  if (input.name !== undefined) await requireFreeName(manager, ctx, { name: input.name, id: seen.id });
  const credentials = await preparedChange(ctx, deps, seen, input);
  try {
    return await write(ctx, async (tx) => {
      const row = await findConnection(tx, ctx, input.id, { isLocked: true });
      if (credentials !== null && row.credentialsEncrypted !== seen.credentialsEncrypted)
        throw new ConflictError('Another request has just changed this telephony configuration');
      return toDetail(
        await showConnection(tx, ctx, await store(tx, ctx, row, { name: input.name, credentials })),
        deps.carriers,
      );
    });
  } catch (error) {
    throw translateTakenName(error, takenConnectionName(input.name ?? ''));
  }
}

/** The credentials to store; null if they stay unchanged. */
async function preparedChange(
  ctx: ServiceContext,
  deps: ConnectionDeps,
  seen: TelephonyConfigurationRow,
  { name = seen.name, config }: ConnectionChange,
): Promise<Credentials | null> {
  if (config === undefined) return null;
  const stored = openCredentials(ctx.secrets, seen);
  return await prepareAccount({
    deps,
    provider: seen.provider,
    name,
    credentials: sentCredentials(config, stored),
    stored,
  });
}

async function store(
  tx: Write,
  ctx: ServiceContext,
  row: TelephonyConfigurationRow,
  { name, credentials }: { name: string | undefined; credentials: Credentials | null },
): Promise<TelephonyConfigurationRow> {
  const { organizationId } = ctx;
  const change: Partial<TelephonyConfigurationRow> = {
    ...(name === undefined ? {} : { name }),
    ...(credentials === null
      ? {}
      : { credentialsEncrypted: sealCredentials(ctx.secrets, organizationId, credentials) }),
    updatedAt: ctx.clock.now(),
  };
  await updateRows(tx, telephonyConfigurations, { where: { id: row.id, organizationId }, change });
  const changed = { ...row, ...change };
  const fields = [...(name === undefined ? [] : ['name']), ...(credentials === null ? [] : ['config'])];
  const stored = openCredentials(ctx.secrets, row);
  const states = {
    before: auditedConnection(row, stored),
    after: auditedConnection(changed, credentials ?? stored),
  };
  if (fields.length > 0)
    await appendAudit(tx, {
      action: 'telephony_configuration.updated',
      subjectKind: 'telephony_configuration',
      subjectId: row.id,
      changes: { fields },
      states,
    });
  return changed;
}
