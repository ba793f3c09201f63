import type { EntityManager } from 'typeorm';
import { findRow, updateRows } from '../../../db/rows.ts';
import { campaigns, type CampaignRow } from '../../../db/tables/campaigns.ts';
import type { CampaignState } from '../../../domain/campaign/state.ts';
import { NotFoundError, PreconditionError } from '../../../domain/errors.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** Finds a campaign of the organization. Throws NotFoundError for an unknown or foreign one. */
export async function findCampaign(
  manager: EntityManager,
  { organizationId }: Pick<ServiceContext, 'organizationId'>,
  id: number,
  { words = 'Campaign not found', isLocked = false } = {},
): Promise<CampaignRow> {
  const row = Number.isSafeInteger(id)
    ? await findRow(manager, campaigns, { id, organizationId }, { isLocked })
    : null;
  if (row === null) throw new NotFoundError(words);
  return row;
}

/** The campaign, locked. Every change of its state takes this lock. */
export async function lockCampaign(tx: EntityManager, ctx: ServiceContext, id: number): Promise<CampaignRow> {
  // guarantee: campaign-starts-once
  return await findCampaign(tx, ctx, id, { isLocked: true });
}

/** Changes the row and the object that was read from it. */
export async function changeCampaign(
  tx: EntityManager,
  campaign: CampaignRow,
  change: Partial<CampaignRow>,
): Promise<void> {
  Object.assign(campaign, change);
  await updateRows(tx, campaigns, {
    where: { id: campaign.id, organizationId: campaign.organizationId },
    change,
  });
}

/**
 * Throws PreconditionError (400) that names the needed and the present state. `action` completes “to be …”.
 */
export function requireState(
  { state, stopMode }: CampaignRow,
  needed: readonly CampaignState[],
  action: string,
): void {
  // guarantee: campaign-state-conflict-explained
  if (!needed.includes(state))
    throw new PreconditionError(
      `The campaign must be ${needed.join(' or ')} to be ${action}; it is ${state}`,
      {
        status: 400,
      },
    );
  if (stopMode !== null && action !== 'stopped')
    throw new PreconditionError(`The campaign is being stopped, so it cannot be ${action}; it is ${state}`, {
      status: 400,
    });
}
