import { In } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { campaigns } from '../../../db/tables/campaigns.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { CampaignDeps } from './deps.ts';
import { wakeCampaign } from './wake.ts';

/** As many as one request waits for; the others look by themselves within a minute. */
const maxWoken = 100;
/** Requests to Temporal at once. */
const atOnce = 10;

/**
 * Tells the pacers of the organization's campaigns that go on that what all of them obey has changed, after
 * the change is committed. The latest ones first; none further when Temporal is away.
 */
export async function wakeRunningCampaigns(
  ctx: ServiceContext,
  deps: Pick<CampaignDeps, 'campaignRuns'>,
): Promise<void> {
  const { organizationId, db } = ctx;
  const running = await findRows(
    db,
    campaigns,
    { organizationId, state: In(['syncing', 'running']) },
    { order: { id: 'DESC' }, take: maxWoken },
  );
  for (let from = 0; from < running.length; from += atOnce) {
    const answers = await Promise.all(
      running.slice(from, from + atOnce).map((campaign) => wakeCampaign(ctx, deps, campaign)),
    );
    if (answers.includes('away')) return;
  }
}
