import { acrossOrganizations, selectFrom } from '../../../db/rows.ts';
import { campaignTargets } from '../../../db/tables/campaign-targets.ts';
import { campaigns } from '../../../db/tables/campaigns.ts';
import type { ReconcileDeps } from './deps.ts';
import type { FindOrphanedCallsInput } from './find-orphaned-calls.ts';
import { nextAfterId, pageSize, rethrow, withoutWorkflow, type Page } from './internal.ts';

/** A campaign that has work to do while no Workflow paces it. */
export interface UnpacedCampaign {
  campaignId: number;
  organizationId: number;
}

/**
 * Reads one page of the started, unfinished campaigns of all organizations, and asks Temporal about each.
 * Includes paused campaigns, and failed ones whose targets are still in calls, because the pacer settles
 * those calls. Changes nothing.
 */
export async function findUnpacedCampaigns({
  deps: { db, clock, executions },
  input: { afterId, graceMs },
  signal,
}: {
  deps: Pick<ReconcileDeps, 'db' | 'clock' | 'executions'>;
  input: FindOrphanedCallsInput;
  signal: AbortSignal;
}): Promise<Page<UnpacedCampaign>> {
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
    // Skips campaigns that were just started or resumed: that request may still undo a failed start.
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
    items: found.map(({ row: { id: campaignId, organizationId } }) => ({ campaignId, organizationId })),
    nextAfterId: nextAfterId(page),
  };
}
