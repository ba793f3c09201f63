import type { CampaignEstimate } from '../../../contract/campaigns.ts';
import { findRow, getRow } from '../../../db/rows.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import { directories, type DirectoryRow } from '../../../db/tables/directories.ts';
import { boundsOf, estimateCalls, type UsualCalls } from '../../../domain/campaign/estimate.ts';
import { freeLines, linesFor } from '../../../domain/campaign/lines.ts';
import type { DialPolicy } from '../../../domain/campaign/policy.ts';
import { rulesOf, type CampaignRules } from '../../../domain/campaign/rules.ts';
import type { CampaignSettings } from '../../../domain/campaign/settings.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { organizationOfKey } from '../../../domain/files/key.ts';
import { zonesOf } from '../../../domain/phone/zones.ts';
import { allowedCallerNumbers } from '../../../domain/telephony/caller-number.ts';
import { findAgent } from '../../agents/index.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { findOutbound, readPolicy, usualCallLimits } from '../../telephony/index.ts';
import { readInUse, readRivals } from '../pacing/capacity.ts';
import type { CampaignDeps } from '../records/deps.ts';
import { countRowsToCall } from '../targets/rows-to-call.ts';
import { readUsualCalls } from '../targets/usual-calls.ts';
import { toEstimate } from './estimate-mapper.ts';
import { findCampaign } from './internal.ts';
import { readLatestDue } from './recent-pace.ts';

type EstimateDeps = Pick<CampaignDeps, 'campaignCounts' | 'carriers' | 'limits'>;

export interface EstimateInput {
  fileKey: string;
  /** Null = usual calls are assumed. */
  agentId: number | null;
  configurationId: number | null;
  settings: CampaignSettings;
}

/** How long settings take to call everybody of a file once. Throws NotFoundError. */
export async function estimateCampaign({
  ctx,
  deps,
  input: { fileKey, agentId, configurationId, settings },
}: {
  ctx: ServiceContext;
  deps: EstimateDeps;
  input: EstimateInput;
}): Promise<CampaignEstimate> {
  const { organizationId } = ctx;
  const isOurs = organizationOfKey(fileKey) === organizationId;
  const directory = isOurs ? await findRow(ctx.db, directories, { fileKey, organizationId }) : null;
  if (directory === null) throw new NotFoundError('Directory not found');
  if (agentId !== null) await findAgent(ctx.db.manager, ctx, agentId);
  return await estimate(ctx, deps, { directory, campaign: null, agentId, configurationId, settings });
}

/** The same for what is left of a campaign. Throws NotFoundError. */
export async function estimateRest({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: EstimateDeps;
  input: { id: number };
}): Promise<CampaignEstimate> {
  const { organizationId } = ctx;
  const campaign = await findCampaign(ctx.db.manager, ctx, input.id);
  const { agentId, configurationId, settings } = campaign;
  const directory = await getRow(ctx.db, directories, { id: campaign.directoryId, organizationId });
  return await estimate(ctx, deps, { directory, campaign, agentId, configurationId, settings });
}

interface Estimated extends Omit<EstimateInput, 'fileKey'> {
  directory: DirectoryRow;
  /** Null = it is not made yet. */
  campaign: CampaignRow | null;
}

async function estimate(
  ctx: ServiceContext,
  deps: EstimateDeps,
  { directory, campaign, agentId, configurationId, settings }: Estimated,
): Promise<CampaignEstimate> {
  const { organizationId, db } = ctx;
  const now = ctx.clock.now();
  const policy = await readPolicy(db, organizationId);
  const rules = rulesOf(settings, policy);
  const room = await readRoom(ctx, deps, { rules, policy, configurationId, campaignId: campaign?.id ?? 0 });
  const usual = await readUsualCalls(db, { organizationId, agentId });
  const isOver =
    campaign !== null && (campaign.stopMode !== null || ['completed', 'failed'].includes(campaign.state));
  const left = isOver
    ? { zones: [], suppressed: 0, recentlyCalled: 0 }
    : await countRowsToCall({
        db,
        counts: deps.campaignCounts,
        directory,
        campaign,
        skipDays: rules.skipRecentlyCalledDays,
        now,
      });
  const since = campaign?.breakerSince ?? campaign?.startedAt ?? now;
  const groups = (left?.zones ?? []).map(({ zoneKey, rows, dueAt }) => ({
    zones: zonesOf(zoneKey),
    rows,
    from: dueAt,
  }));
  const estimateWith = (calls: UsualCalls) =>
    estimateCalls({ groups, rules, lines: Math.max(1, room.lines), usual: calls, since, now });
  const bounds = boundsOf(usual);
  const ends = [bounds.fewest, bounds.most].map((calls) => estimateWith(calls).allCalledAt);
  const latestDueAt =
    campaign === null || campaign.startedAt === null || isOver ? null : await readLatestDue(db, campaign);
  return toEstimate({
    left,
    isOver,
    room,
    rules,
    usual,
    estimated: estimateWith(usual),
    ends,
    latestDueAt,
    now,
  });
}

/** What a campaign has to call with. */
export interface Room {
  hasConnection: boolean;
  lines: number;
  limitedBy: CampaignEstimate['lines_limited_by'];
}

/** The lines that a campaign gets if the other campaigns go on as they are. */
async function readRoom(
  ctx: ServiceContext,
  { carriers, limits = usualCallLimits }: EstimateDeps,
  {
    rules,
    policy,
    configurationId,
    campaignId,
  }: { rules: CampaignRules; policy: DialPolicy; configurationId: number | null; campaignId: number },
): Promise<Room> {
  const { organizationId, db } = ctx;
  const now = ctx.clock.now();
  const choice = await findOutbound(db.manager, ctx, { carriers, id: configurationId });
  const numbers =
    choice.kind === 'ready'
      ? allowedCallerNumbers(choice.configuration.callerNumbers, rules.fromNumberIds).length
      : 0;
  const inUse = (await readInUse(db.manager, organizationId)).lines;
  const rivals = await readRivals(db.manager, { organizationId, except: campaignId, policy, inUse, now });
  const ofAll = freeLines({
    limit: limits.calls,
    reserved: rules.reservedLines,
    live: 0,
    ofCampaigns: rivals.reduce((sum, rival) => sum + (rival.wantsLines ? 0 : rival.inUse), 0),
  });
  const share = linesFor({
    free: ofAll,
    mine: { weight: rules.weight, inUse: 0 },
    others: rivals.map((rival) => ({ ...rival, inUse: 0 })),
    max: null,
  });
  const limitsOf: [Room['limitedBy'], number][] = [
    ['campaign', rules.lines ?? Infinity],
    ['numbers', numbers],
    ['organization', limits.calls - rules.reservedLines],
    ['other_campaigns', share],
  ];
  const [limitedBy, lines] = limitsOf.reduce((least, each) => (each[1] < least[1] ? each : least));
  return { hasConnection: choice.kind === 'ready', lines: Math.max(0, lines), limitedBy };
}
