import type { CampaignProgress } from '../../../contract/campaigns.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import { estimateCompletion } from '../../../domain/campaign/estimate.ts';
import { rulesOf, type CampaignRules } from '../../../domain/campaign/rules.ts';
import { closedZones, countWaits } from '../../../domain/campaign/wait-counts.ts';
import { zonesOf } from '../../../domain/phone/zones.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { StateCounts } from '../records/counts.ts';
import type { CampaignDeps } from '../records/deps.ts';
import { findCampaign } from './internal.ts';
import { toProgress } from './mapper.ts';
import { countDials, readLatestDue, readRecentPace } from './recent-pace.ts';
import { readPolicy } from '../../telephony/index.ts';

/** The progress of a campaign (contract 11.5). Throws NotFoundError. */
export async function getCampaignProgress({
  ctx,
  deps: { campaignCounts },
  input,
}: {
  ctx: ServiceContext;
  deps: Pick<CampaignDeps, 'campaignCounts'>;
  input: { id: number };
}): Promise<CampaignProgress> {
  const row = await findCampaign(ctx.db.manager, ctx, input.id);
  const { at, states: counts, outcomes, waits: groups } = await campaignCounts.progress(row);
  const rules = rulesOf(row.settings, await readPolicy(ctx.db.manager, ctx.organizationId));
  const { startsPerSecond, organizationStartsPerSecond } = rules;
  const seen = { campaign: { ...row, window: rules.window }, zonesOf, now: at };
  return toProgress({
    row,
    counts,
    waits: countWaits(groups, seen),
    closedZones: closedZones(groups, seen),
    dialsLastMinute: await countDials(ctx.db, row, at),
    outcomes,
    startsPerSecond: Math.min(startsPerSecond ?? organizationStartsPerSecond, organizationStartsPerSecond),
    estimatedAt: await estimate(ctx, { row, counts, rules }),
  });
}

/** Only for a running campaign whose rows are all known; otherwise there is no estimate. */
async function estimate(
  { db, clock }: ServiceContext,
  { row, counts, rules: { window } }: { row: CampaignRow; counts: StateCounts; rules: CampaignRules },
): Promise<Date | null> {
  if (row.state !== 'running' || row.stopMode !== null || row.plannedAt === null) return null;
  const { queued, waiting, processing } = counts;
  return estimateCompletion({
    remaining: queued + waiting + processing,
    recent: await readRecentPace(db, row),
    latestDueAt: waiting === 0 ? null : await readLatestDue(db, row),
    window,
    now: clock.now(),
  });
}
