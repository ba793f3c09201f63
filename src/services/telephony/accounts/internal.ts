import type { EntityManager } from 'typeorm';
import { validationRecord } from '../../../contract/lax/records.ts';
import type { TelephonyCredentials } from '../../../contract/telephony-configurations.ts';
import { countRows, findRow, updateRows } from '../../../db/rows.ts';
import { phoneNumbers } from '../../../db/tables/phone-numbers.ts';
import {
  telephonyConfigurations,
  type TelephonyConfigurationRow,
} from '../../../db/tables/telephony-configurations.ts';
import { ConflictError, NotFoundError, ValidationError } from '../../../domain/errors.ts';
import { restoreCredentials, type Credentials } from '../../../domain/telephony/credentials.ts';
import { refusingMoved, type ServiceContext, type TakenName } from '../../kernel/index.ts';
import { openCredentials } from './configurations.ts';
import type { ShownConnection } from './mapper.ts';

/** The connection. Throws NotFoundError for an unknown or foreign one. */
export async function findConnection(
  manager: EntityManager,
  { organizationId }: ServiceContext,
  id: number,
  options: { isLocked?: boolean } = {},
): Promise<TelephonyConfigurationRow> {
  const row = await findRow(manager, telephonyConfigurations, { id, organizationId }, options);
  if (row === null) throw new NotFoundError('Telephony configuration not found');
  return row;
}

/** What an answer about the connection shows. */
export async function showConnection(
  manager: EntityManager,
  ctx: ServiceContext,
  row: TelephonyConfigurationRow,
): Promise<ShownConnection> {
  const { organizationId } = ctx;
  const activeNumbers = await countRows(manager, phoneNumbers, {
    configurationId: row.id,
    organizationId,
    isActive: true,
  });
  return { row, credentials: openCredentials(ctx.secrets, row), activeNumbers };
}

/**
 * The credentials of a request, without the provider's name and with stored secrets in place of their masks.
 * Throws ValidationError with the wire's record for a mask without a stored secret.
 */
export function sentCredentials(
  { provider, ...sent }: TelephonyCredentials,
  stored: Credentials | null,
): Credentials {
  const given = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, value ?? null]));
  const { credentials, unknownMask } = refusingMoved(['config', provider], () =>
    restoreCredentials(provider, { sent: given, stored }),
  );
  if (unknownMask === null) return credentials;
  const fault = {
    type: 'value_error',
    msg: 'Value error, this mask matches no stored secret; send the secret in full',
    input: given[unknownMask],
    ctx: { error: {} },
  };
  throw new ValidationError('A masked secret matches no stored secret', {
    detail: [validationRecord(['body', 'config', provider, unknownMask], fault)],
  });
}

/** Leaves the organization without a default connection. */
export async function clearDefault(tx: EntityManager, ctx: ServiceContext): Promise<void> {
  await updateRows(tx, telephonyConfigurations, {
    where: { organizationId: ctx.organizationId, isDefaultOutbound: true },
    change: { isDefaultOutbound: null, updatedAt: ctx.clock.now() },
  });
}

/** Throws ConflictError for a name that another connection has. Checked before the carrier is asked. */
export async function requireFreeName(
  manager: EntityManager,
  { organizationId }: ServiceContext,
  { name, id }: { name: string; id: number | null },
): Promise<void> {
  const other = await findRow(manager, telephonyConfigurations, { organizationId, name });
  if (other !== null && other.id !== id) throw new ConflictError(takenConnectionName(name).message);
}

/** Names are unique in an organization. */
export const takenConnectionName = (name: string): TakenName => ({
  key: 'uq_telephony_configurations_name',
  message: `A telephony configuration named '${name}' already exists`,
});
