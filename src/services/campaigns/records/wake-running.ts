import { In } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { campaigns } from '../../../db/tables/campaigns.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { CampaignDeps } from './deps.ts';
import { wakeCampaign } from './wake.ts';

/** Maximum number that one request wakes. The others look by themselves within a minute. */
const maxWoken = 100;
/** Concurrent requests to Temporal. */
const atOnce = 10;

/**
 * Wakes the pacers of the organization's running campaigns after a committed change that concerns all of
 * them. The latest campaigns come first. It stops when Temporal is unavailable.
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
