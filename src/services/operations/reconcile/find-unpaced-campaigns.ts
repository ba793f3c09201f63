import { acrossOrganizations, selectFrom } from '../../../db/rows.ts';
import { campaignTargets } from '../../../db/tables/campaign-targets.ts';
import { campaigns } from '../../../db/tables/campaigns.ts';
import type { ReconcileDeps } from './deps.ts';
import type { FindOrphanedCallsInput } from './find-orphaned-calls.ts';
import { nextAfterId, pageSize, rethrow, withoutWorkflow } from './internal.ts';

/** A campaign that has something to do, and that nothing paces. */
export interface UnpacedCampaign {
  campaignId: number;
  organizationId: number;
}

export interface UnpacedCampaignPage {
  campaigns: UnpacedCampaign[];
  /** Row id to go on after; null when this was the last page. */
  nextAfterId: number | null;
}

/**
 * Looks at one page of the campaigns of all organizations that were started and are not over, and asks
 * Temporal about each. One that is paused is looked at too, and one that failed while rows of it are in
 * calls: those are settled by what paces it. Changes nothing.
 */
export async function findUnpacedCampaigns({
  deps: { db, clock, executions },
  input: { afterId, graceMs },
  signal,
}: {
  deps: Pick<ReconcileDeps, 'db' | 'clock' | 'executions'>;
  input: FindOrphanedCallsInput;
  signal: AbortSignal;
}): Promise<UnpacedCampaignPage> {
  const before = new Date(clock.now().getTime() - graceMs);
  const query = selectFrom(
    acrossOrganizations(db, 'campaigns of every organization are compared with Temporal'),
    campaigns,
    { as: 'campaign' },
  )
    .select(['campaign.id', 'campaign.uuid', 'campaign.organizationId'])
    .where('campaign.state IN (:...states) AND campaign.id > :afterId', {
      states: ['syncing', 'running', 'paused', 'failed'],
      afterId,
    })
    // The moment of its start, or of the last resumption: a start that cannot be made is put back.
    .andWhere('(campaign.breakerSince IS NULL OR campaign.breakerSince < :before)', { before });
  const inCall = query
    .subQuery()
    .select('1')
    .from(campaignTargets, 'target')
    .where("target.campaignId = campaign.id AND target.state = 'processing'")
    .getQuery();
  const page = await query
    .andWhere(`(campaign.state <> 'failed' OR EXISTS ${inCall})`)
    .orderBy('campaign.id', 'ASC')
    .limit(pageSize)
    .getMany()
    .catch(rethrow);
  const found = await withoutWorkflow(page, {
    signal,
    stateOf: ({ uuid }) => executions.campaignState(uuid),
  });
  return {
    campaigns: found.map(({ row: { id: campaignId, organizationId } }) => ({ campaignId, organizationId })),
    nextAfterId: nextAfterId(page),
  };
}
