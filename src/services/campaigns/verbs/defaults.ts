import type { CampaignDefaults } from '../../../contract/campaigns.ts';
import { findRow } from '../../../db/rows.ts';
import { campaigns } from '../../../db/tables/campaigns.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { findOutbound, usualCallLimits } from '../../telephony/index.ts';
import type { CampaignDeps } from '../records/deps.ts';
import { shownSettings, usualRetry } from './mapper.ts';

/** Limits for a new campaign, and the settings of the last one (contract 11.5). */
export async function getCampaignDefaults({
  ctx,
  deps,
}: {
  ctx: ServiceContext;
  deps: Pick<CampaignDeps, 'carriers' | 'limits'>;
}): Promise<CampaignDefaults> {
  const last = await findRow(
    ctx.db,
    campaigns,
    { organizationId: ctx.organizationId },
    { order: { createdAt: 'DESC', id: 'DESC' } },
  );
  const choice = await findOutbound(ctx.db.manager, ctx, { carriers: deps.carriers, id: null });
  return {
    concurrent_call_limit: (deps.limits ?? usualCallLimits).calls,
    from_numbers_count: choice.kind === 'ready' ? choice.configuration.activeNumbers : 0,
    default_retry_config: usualRetry,
    last_campaign_settings: last === null ? null : shownSettings(last.settings),
  };
}
