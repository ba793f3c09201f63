import { findRow } from '../../../db/rows.ts';
import { campaignTargets } from '../../../db/tables/campaign-targets.ts';
import { campaigns, type CampaignRow } from '../../../db/tables/campaigns.ts';
import { rulesOf } from '../../../domain/campaign/rules.ts';
import { systemTimer } from '../../../runtime/timer.ts';
import { waitReasons, type WaitReason } from '../../../domain/campaign/wait-reason.ts';
import { areAllInDoubt } from '../targets/in-doubt.ts';
import { askCarrier, readPolicy } from '../../telephony/index.ts';
import { failCampaign, noteWait, pauseForHours, tripBreaker } from './change.ts';
import { completeCampaign, hangUpSome, sweepStopped } from './complete.ts';
import type { CampaignRef, PaceDeps } from './deps.ts';
import { claimPage } from './claim-page.ts';
import { lookAfterLate } from './look-after-late.ts';
import type { OwnPace } from './paces.ts';
import { reviseWaits } from './revise-waits.ts';
import { startAttempts } from './start-attempts.ts';
import { syncCampaign } from './sync.ts';

/** What one process keeps of a campaign between rounds. Losing it does no harm. */
export interface Memory {
  own: OwnPace;
  /** Calls that were asked to end. */
  asked: Set<number>;
  /** The last row that the stop has closed. */
  sweptThrough: number;
  lookedAfterLateAt: number;
  lookedAtBreakerAt: number;
}

export interface Round {
  /** The campaign needs no more rounds. */
  isOver: boolean;
  dialed: number;
  /**
   * Pause before the next round, ms; null = nothing to do before `until`, or before someone changes the
   * campaign.
   */
  restMs: number | null;
  reason: WaitReason | null;
  until: Date | null;
}

interface Pacing {
  deps: PaceDeps;
  ref: CampaignRef;
  memory: Memory;
}

/** Pause before the next look at what may change by itself. */
const soonMs = 100;
const usualMs = 500;
/**
 * Pause of a campaign that can only wait. Others leave a campaign that wants lines its share for 3 s, and it
 * acts within 5 s when dialing is resumed.
 */
const calmMs = 2000;
const lateEachMs = 5000;
/**
 * Pages of waiting rows to decide again before a claim, so that rows that an edit has ended are not dialed
 * meanwhile.
 */
const revisedPages = 10;
const breakerEachMs = 2000;

/**
 * One round: a look at a campaign, and what follows from it. Every round reads again what people may have
 * changed.
 */
export async function paceRound(pacing: Pacing): Promise<Round> {
  const { deps, ref } = pacing;
  const campaign = await findRow(deps.db.manager, campaigns, {
    id: ref.campaignId,
    organizationId: ref.organizationId,
  });
  if (campaign === null) return over;
  await lookAfterSome(pacing, campaign);
  if (campaign.state === 'completed' || campaign.state === 'failed')
    return (await isInCall(pacing)) ? resting({ restMs: null }) : over;
  if (campaign.stopMode !== null) return await stopRound(pacing, campaign);
  if (campaign.state === 'created' || campaign.state === 'paused')
    return resting({
      restMs: null,
      reason: waitReasons.find((each) => each === campaign.waitReason) ?? 'paused',
    });
  if (campaign.importNumber === null || campaign.state === 'syncing')
    return await syncRound(pacing, campaign);
  return await claimRound(pacing, campaign);
}

const over: Round = { isOver: true, dialed: 0, restMs: null, reason: null, until: null };

function resting(round: Partial<Round>): Round {
  return { ...over, isOver: false, ...round };
}

/** Checks late rows in any state of the campaign, because calls go on in a paused one. */
async function lookAfterSome({ deps, memory }: Pacing, campaign: CampaignRow): Promise<void> {
  const nowMs = (deps.timer ?? systemTimer).nowMs();
  if (nowMs - memory.lookedAfterLateAt < lateEachMs) return;
  memory.lookedAfterLateAt = nowMs;
  await lookAfterLate({ deps, campaign });
}

async function syncRound({ deps }: Pacing, campaign: CampaignRow): Promise<Round> {
  const synced = await syncCampaign({ deps, campaign });
  return resting({ restMs: synced === 'waits' ? usualMs : soonMs, reason: 'rows_are_read' });
}

async function stopRound({ deps, ref, memory }: Pacing, { stopMode }: CampaignRow): Promise<Round> {
  const isMoreInCall = stopMode === 'hang_up' && (await hangUpSome(deps, ref, memory.asked));
  const isMore = await sweepStopped(deps, ref, memory);
  if (!isMore && (await completeCampaign(deps, ref))) return over;
  return resting({ restMs: isMore ? 0 : isMoreInCall ? soonMs : usualMs, reason: 'stopped' });
}

async function claimRound(pacing: Pacing, campaign: CampaignRow): Promise<Round> {
  const { deps, ref, memory } = pacing;
  // guarantee: window-edit-moves-waiting-targets
  for (
    let page = 1;
    campaign.reviseAfterRow !== null && page <= revisedPages && (await reviseWaits(deps, ref)) === 'more';
    page += 1
  );
  if (await tripped(pacing, campaign)) return resting({ restMs: null, reason: 'breaker' });
  const claimed = await claimPage({ deps, ref, own: memory.own });
  if (claimed.kind === 'not_running') return resting({ restMs: soonMs });
  if (claimed.kind === 'fault') {
    if (claimed.fault === 'windows_never_open') await pauseForHours(deps, ref);
    else await failCampaign(deps, ref, claimed.fault);
    return resting({ restMs: 0 });
  }
  if (claimed.kind === 'ask_carrier')
    return await idleRound(pacing, campaign, {
      reason: 'carrier_down',
      until: await askCarrier(deps, {
        configurationId: claimed.configurationId,
        organizationId: ref.organizationId,
      }),
    });
  const { attempts, version, reason, until, lookAgain } = claimed;
  if (version !== null)
    await startAttempts({
      deps,
      campaignUuid: campaign.uuid,
      attempts: attempts.map((written) => ({ written, version })),
    });
  if (attempts.length > 0 || lookAgain) {
    await noteWait(deps, campaign, { reason, until });
    return resting({ dialed: attempts.length, restMs: lookAgain ? 0 : soonMs, reason, until });
  }
  // More rows may be due than were looked at.
  if (campaign.reviseAfterRow !== null) return resting({ restMs: 0, reason, until });
  return await idleRound(pacing, campaign, { reason, until });
}

/**
 * A round without a claim. While there are calls, lines may become free without a notification. Otherwise the
 * next time is known.
 */
async function idleRound(
  pacing: Pacing,
  campaign: CampaignRow,
  { reason, until }: Pick<Round, 'reason' | 'until'>,
): Promise<Round> {
  const { deps, ref } = pacing;
  const isBusy = await isInCall(pacing);
  if (!isBusy && reason === null && (await completeCampaign(deps, ref))) return over;
  const shown =
    isBusy && until === null && !shownInCall.includes(reason) ? await whileBusy(pacing, reason) : reason;
  await noteWait(deps, campaign, { reason: shown, until });
  const isKnown = until !== null && !isBusy && campaign.plannedAt !== null;
  if (isKnown) return resting({ restMs: restUntil(deps, until), reason, until });
  if (campaign.plannedAt === null) return resting({ restMs: soonMs, reason: shown, until });
  return resting({ restMs: isBusy ? usualMs : calmMs, reason: shown, until });
}

/** Reasons that are shown even while there are calls. The others come and go as calls end. */
const shownInCall: readonly (WaitReason | null)[] = ['no_number', 'no_media_host', 'stopped', 'daily_limit'];

/** Of the reasons that come and go as calls end, only that all lines are in use is shown. */
async function whileBusy({ deps, ref }: Pacing, reason: WaitReason | null): Promise<WaitReason | null> {
  if (reason !== 'lines_busy') return null;
  return (await areAllInDoubt(deps, ref)) ? 'line_in_doubt' : reason;
}

/** A time in the near future is waited for here. */
function restUntil({ clock }: PaceDeps, until: Date): number | null {
  const leftMs = until.getTime() - clock.now().getTime();
  return leftMs <= 5000 ? Math.max(20, leftMs) : null;
}

async function isInCall({ deps, ref }: Pacing): Promise<boolean> {
  return (await findRow(deps.db.manager, campaignTargets, { ...ref, state: 'processing' })) !== null;
}

async function tripped({ deps, memory }: Pacing, campaign: CampaignRow): Promise<boolean> {
  const nowMs = (deps.timer ?? systemTimer).nowMs();
  if (nowMs - memory.lookedAtBreakerAt < breakerEachMs) return false;
  memory.lookedAtBreakerAt = nowMs;
  return await tripBreaker(
    deps,
    campaign,
    rulesOf(campaign.settings, await readPolicy(deps.db.manager, campaign.organizationId)),
  );
}
