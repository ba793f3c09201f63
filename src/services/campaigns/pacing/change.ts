import { counted } from '../../../domain/counted.ts';
import { findRow, queryRows, updateRows } from '../../../db/rows.ts';
import type { CampaignLogRow } from '../../../db/tables/campaign-logs.ts';
import { campaigns, type CampaignRow } from '../../../db/tables/campaigns.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { countFailures, breakerTrips } from '../../../domain/campaign/breaker.ts';
import type { TargetOutcome } from '../../../domain/campaign/outcome.ts';
import type { CampaignRules } from '../../../domain/campaign/rules.ts';
import type { WaitReason } from '../../../domain/campaign/wait-reason.ts';
import { appendCampaignLog } from '../records/log.ts';
import type { CampaignRef, PaceDeps } from './deps.ts';
import type { VersionFault } from './version.ts';

type Deps = Pick<PaceDeps, 'db' | 'clock'>;
type Entry = Pick<CampaignLogRow, 'level' | 'event' | 'message'> & { details?: Record<string, unknown> };

/**
 * Changes a campaign that is still as it was read, and logs the change. False if another process changed it
 * first.
 */
async function change(
  { db, clock }: Deps,
  { campaignId: id, organizationId }: CampaignRef,
  { from, to, entry }: { from: readonly CampaignRow['state'][]; to: Partial<CampaignRow>; entry: Entry },
): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    const campaign = await findRow(tx, campaigns, { id, organizationId }, { isLocked: true });
    if (campaign === null || !from.includes(campaign.state)) return false;
    await updateRows(tx, campaigns, { where: { id, organizationId }, change: to });
    await appendCampaignLog(tx, campaign, { clock, ...entry });
    return true;
  });
}

const faultWords: Record<VersionFault, string> = {
  agent_archived: 'The agent was archived, so no more calls are made',
  agent_not_published: 'The agent no longer has a published version, so no more calls are made',
};

/** Contract 11.6: a campaign fails if its agent can no longer be called. Live calls end by themselves. */
export async function failCampaign(deps: Deps, ref: CampaignRef, fault: VersionFault): Promise<void> {
  await change(deps, ref, {
    from: ['syncing', 'running'],
    to: { state: 'failed', waitReason: null, waitUntil: null, completedAt: deps.clock.now() },
    entry: { level: 'error', event: fault, message: faultWords[fault] },
  });
}

/** Fails a campaign whose contacts could not be read. */
export async function failSync(deps: Deps, ref: CampaignRef, fault: string): Promise<void> {
  await change(deps, ref, {
    from: ['syncing', 'running'],
    to: {
      state: 'failed',
      syncFault: fault,
      waitReason: null,
      waitUntil: null,
      completedAt: deps.clock.now(),
    },
    entry: {
      level: 'error',
      event: 'campaign_sync_failed',
      message: `The contacts could not be read: ${fault}`,
    },
  });
}

/**
 * Pauses a campaign whose hours open for none of its contacts. It does so at once, without failing rows,
 * because the hours may be a mistake.
 */
export async function pauseForHours(deps: Deps, ref: CampaignRef): Promise<void> {
  await change(deps, ref, {
    from: ['running'],
    to: { state: 'paused', waitReason: 'window_never_opens', waitUntil: null },
    entry: {
      level: 'error',
      event: 'windows_never_open',
      message: 'The calling hours do not open for any of its contacts; change them and resume the campaign',
    },
  });
}

/** Pauses a campaign whose calls fail too often (contract 11.6). Answers whether it did. */
export async function tripBreaker(
  deps: Deps,
  campaign: Pick<CampaignRow, 'id' | 'organizationId' | 'breakerSince'>,
  { breaker }: Pick<CampaignRules, 'breaker'>,
): Promise<boolean> {
  if (!breaker.isOn) return false;
  const { id: campaignId, organizationId, breakerSince } = campaign;
  const from = new Date(
    Math.max(deps.clock.now().getTime() - breaker.windowMs, breakerSince?.getTime() ?? 0),
  );
  const sql =
    'SELECT outcome, COUNT(*) AS ended FROM campaign_attempts WHERE campaign_id = ? AND settled_at >= ? AND organization_id = ? GROUP BY outcome';
  const rows: { outcome: TargetOutcome; ended: string | number }[] = await queryRows(deps.db, {
    organizationId,
    sql,
    values: [campaignId, from, organizationId],
  });
  const outcomes: Partial<Record<TargetOutcome, number>> = Object.fromEntries(
    rows.map(({ outcome, ended }) => [outcome, Number(ended)]),
  );
  if (!breakerTrips({ breaker, outcomes })) return false;
  const { failed, ended } = countFailures(outcomes);
  const message = `${failed} of ${counted(ended, 'call')} within ${Math.round(breaker.windowMs / 1000)} s failed; the campaign is paused`;
  return await change(
    deps,
    { campaignId, organizationId },
    {
      from: ['running'],
      to: { state: 'paused', waitReason: 'breaker', waitUntil: null },
      entry: {
        level: 'warning',
        event: 'circuit_breaker_tripped',
        message,
        details: { failed, ended, outcomes },
      },
    },
  );
}

/** Reasons that need attention, with the log entry written when they begin. */
const troubles: Partial<Record<WaitReason, string>> = {
  carrier_down: 'The carrier does not take calls; dialing waits for it, and no attempt is spent',
  no_media_host: 'No media host has room for a call; dialing waits for one',
};

/**
 * Records why nothing is dialed now, for people. Written when the reason changes. A reason that concerns
 * every row goes to the log, too.
 */
export async function noteWait(
  deps: Deps,
  { id, organizationId, waitReason, waitUntil }: CampaignRow,
  { reason, until }: { reason: WaitReason | null; until: Date | null },
): Promise<void> {
  if (waitReason === reason && (waitUntil?.getTime() ?? null) === (until?.getTime() ?? null)) return;
  await inTransaction(deps.db, async (tx) => {
    const campaign = await findRow(tx, campaigns, { id, organizationId }, { isLocked: true });
    if (campaign?.state !== 'running') return;
    await updateRows(tx, campaigns, {
      where: { id, organizationId },
      change: { waitReason: reason, waitUntil: until },
    });
    const entry = entryOf(campaign.waitReason, reason);
    if (entry !== null) await appendCampaignLog(tx, campaign, { clock: deps.clock, ...entry });
  });
}

function entryOf(before: string | null, now: WaitReason | null): Entry | null {
  if (now === before) return null;
  const begins = now === null ? undefined : troubles[now];
  if (now !== null && begins !== undefined) return { level: 'warning', event: now, message: begins };
  return before !== null && Object.hasOwn(troubles, before)
    ? { level: 'info', event: 'dialing_goes_on', message: 'Rows can be dialed again' }
    : null;
}
