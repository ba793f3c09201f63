import type { Campaign } from '../../../contract/campaigns.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import type { CampaignSettings } from '../../../domain/campaign/settings.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import { badRequest } from '../../calls/index.ts';
import { checkSettings, settingNames } from './check-settings.ts';
import type { CampaignDeps } from '../records/deps.ts';
import { changeCampaign, lockCampaign } from './internal.ts';
import { appendDeed } from '../records/log.ts';
import { auditedCampaign } from './mapper.ts';
import { showCampaign } from './show.ts';
import { requireCampaignAsSeen } from './tag.ts';
import { wakeCampaign } from '../records/wake.ts';

export interface UpdateCampaignInput {
  id: number;
  /** Undefined = unchanged. */
  name: string | undefined;
  /** The settings to change, each as a whole. */
  settings: Partial<CampaignSettings>;
  /** Entity tags of `If-Match`; absent = any state. */
  ifMatch?: string | undefined;
}

/** Settings that the waits of rows depend on. */
const revising = ['schedule_config', 'retry_config', 'rules'] as const;

/**
 * Changes a campaign, even a running one (contract 11.5). Later claims follow the new rules. The pacer
 * decides again the rows that hours or caps had postponed or that wait by the retry plan. The change stands
 * even if Temporal cannot be notified: a sleeping pacer looks by itself within a minute. Throws
 * NotFoundError, ValidationError, PreconditionError (400, or 412 if it does not match `If-Match`).
 */
export async function updateCampaign({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: CampaignDeps;
  input: UpdateCampaignInput;
}): Promise<Campaign> {
  const row = await write(ctx, async (tx) => {
    const campaign = await lockCampaign(tx, ctx, input.id);
    await requireCampaignAsSeen(tx, ctx, { campaign, ifMatch: input.ifMatch });
    if (campaign.state === 'completed' || campaign.state === 'failed')
      throw badRequest(`A campaign that is over cannot be changed; it is ${campaign.state}`);
    const settings = { ...campaign.settings, ...input.settings };
    const changed = Object.keys(input.settings).concat(input.name === undefined ? [] : ['name']);
    if (changed.length === 0) return campaign;
    requireFixed(campaign, settings);
    await checkSettings(tx, ctx, {
      deps,
      settings,
      configurationId: campaign.configurationId,
      changed: settingNames.filter((name) => name in input.settings),
    });
    const before = auditedCampaign(campaign);
    const isRevised = campaign.state !== 'created' && revising.some((name) => name in input.settings);
    await changeCampaign(tx, campaign, {
      settings,
      ...(isRevised ? { reviseAfterRow: 0 } : {}),
      ...(input.name === undefined ? {} : { name: input.name }),
    });
    await appendDeed(tx, ctx, {
      campaign,
      entry: {
        event: 'campaign_changed',
        message: `Changed: ${changed.join(', ')}`,
        details: { changed },
      },
    });
    await appendAudit(tx, {
      action: 'campaign.changed',
      subjectKind: 'campaign',
      subjectId: campaign.id,
      changes: { changed },
      states: { before, after: auditedCampaign(campaign) },
    });
    return campaign;
  });
  await wakeCampaign(ctx, deps, row);
  return await showCampaign(ctx, deps, row);
}

/** Two rules are used when the first rows are planned and are fixed from then on. */
function requireFixed(
  { state, settings: { rules } }: CampaignRow,
  { rules: wished }: CampaignSettings,
): void {
  if (state === 'created') return;
  if ((wished?.start_order ?? 'file') !== (rules?.start_order ?? 'file'))
    throw badRequest('start_order cannot change after the start');
  if ((wished?.agent_version ?? 'published') !== (rules?.agent_version ?? 'published'))
    throw badRequest('agent_version cannot change after the start');
}
