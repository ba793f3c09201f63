import { In, IsNull, type EntityManager } from 'typeorm';
import type { DeletedTelephonyConfiguration } from '../../../contract/telephony-configurations.ts';
import { countRows, deleteRows, findRow, findRows } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { campaigns } from '../../../db/tables/campaigns.ts';
import { carrierOutages } from '../../../db/tables/carrier-outages.ts';
import { phoneLegs } from '../../../db/tables/phone-legs.ts';
import { phoneNumbers } from '../../../db/tables/phone-numbers.ts';
import { telephonyConfigurations } from '../../../db/tables/telephony-configurations.ts';
import { openCampaignStates } from '../../../domain/campaign/state.ts';
import { ConflictError } from '../../../domain/errors.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import { openCredentials } from './configurations.ts';
import { findConnection } from './internal.ts';
import { auditedConnection } from './mapper.ts';

/**
 * Deletes a connection with its numbers (contract 12.1); nothing changes at the carrier. Throws
 * NotFoundError, and ConflictError while live calls use it or an unfinished campaign names it.
 */
export async function deleteConnection({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { id: number };
}): Promise<DeletedTelephonyConfiguration> {
  const { organizationId } = ctx;
  return await write(ctx, async (tx) => {
    const row = await findConnection(tx, ctx, input.id, { isLocked: true });
    // guarantee: connection-in-use-not-deleted
    await requireNoCalls(tx, ctx, row.id);
    await requireNoCampaign(tx, ctx, row.id);
    const removed = await deleteRows(tx, phoneNumbers, { configurationId: row.id, organizationId });
    await deleteRows(tx, carrierOutages, { configurationId: row.id, organizationId });
    await deleteRows(tx, telephonyConfigurations, { id: row.id, organizationId });
    await appendAudit(tx, {
      action: 'telephony_configuration.deleted',
      subjectKind: 'telephony_configuration',
      subjectId: row.id,
      changes: { phoneNumbers: removed },
      states: { before: auditedConnection(row, openCredentials(ctx.secrets, row)), after: null },
    });
    return { message: 'Telephony configuration deleted' };
  });
}

/** Hanging up a live call needs the credentials of its connection. */
async function requireNoCalls(
  tx: EntityManager,
  { organizationId }: ServiceContext,
  configurationId: number,
): Promise<void> {
  const legs = await findRows(
    tx,
    phoneLegs,
    { organizationId, configurationId, endedAt: IsNull() },
    { select: ['callId'] },
  );
  if (legs.length === 0) return;
  const live = await countRows(tx, calls, {
    organizationId,
    id: In(legs.map(({ callId }) => callId)),
    state: In(['pending', 'admitted', 'talking', 'ending']),
  });
  if (live > 0) throw new ConflictError('Live calls use this telephony configuration');
}

/** A campaign without a connection of its own does not count: it uses the organization's choice. */
async function requireNoCampaign(
  tx: EntityManager,
  { organizationId }: ServiceContext,
  configurationId: number,
): Promise<void> {
  const using = await findRow(
    tx,
    campaigns,
    { organizationId, configurationId, state: In([...openCampaignStates]) },
    { select: ['id', 'name'] },
  );
  if (using !== null) throw new ConflictError(`This telephony configuration is used by campaign ${using.id}`);
}
