import { counted } from '../../../domain/counted.ts';
import { findRows } from '../../../db/rows.ts';
import { campaigns, type CampaignRow } from '../../../db/tables/campaigns.ts';
import { repairDirectory, type Repair } from '../../contacts/index.ts';
import type { ServiceContext, Write } from '../../kernel/index.ts';
import { addTargets } from '../pacing/plan-targets.ts';
import type { CampaignDeps } from '../records/deps.ts';
import { appendDeed } from '../records/log.ts';
import { wakeCampaign } from '../records/wake.ts';

/**
 * Repairs rows of a directory (`repairDirectory`), also for the campaigns that call its rows and are not
 * over: they call the repaired rows, too. Answers their ids.
 */
export async function repairRows({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: Pick<CampaignDeps, 'directories' | 'campaignRuns'>;
  input: { directoryId: number; repairedDirectoryId: number };
}): Promise<Repair & { campaignIds: number[] }> {
  const extended = new Map<number, CampaignRow>();
  const repair = await repairDirectory({
    ctx,
    deps: deps.directories,
    input,
    added: async (tx, origin, rowNumbers) => {
      for (const campaign of await openCampaigns(tx, origin)) {
        await addRows(tx, ctx, campaign, rowNumbers);
        extended.set(campaign.id, campaign);
      }
    },
  });
  for (const campaign of extended.values()) await wakeCampaign(ctx, deps, campaign);
  return { ...repair, campaignIds: [...extended.keys()] };
}

async function openCampaigns(
  tx: Write,
  { id, organizationId, importNumber }: { id: number; organizationId: number; importNumber: number },
): Promise<CampaignRow[]> {
  const users = await findRows(
    tx,
    campaigns,
    { organizationId, directoryId: id, importNumber },
    { isLocked: true },
  );
  return users.filter(
    ({ state, stopMode, parentCampaignId }) =>
      parentCampaignId === null && stopMode === null && state !== 'completed' && state !== 'failed',
  );
}

/** A campaign that still reads its rows finds later ones by itself. */
async function addRows(
  tx: Write,
  ctx: ServiceContext,
  campaign: CampaignRow,
  rowNumbers: number[],
): Promise<void> {
  const planned =
    campaign.plannedAt === null ? rowNumbers.filter((row) => row <= campaign.plannedThroughRow) : rowNumbers;
  if (planned.length > 0) await addTargets(tx, campaign, planned);
  await appendDeed(tx, ctx, {
    campaign,
    entry: {
      event: 'rows_repaired',
      message: `${counted(rowNumbers.length, 'repaired row')} added`,
      details: { rows: rowNumbers.length },
    },
  });
}
