import { In, type EntityManager } from 'typeorm';
import { findRow, findRows, updateRows } from '../../../db/rows.ts';
import { campaignTargets, type CampaignTargetRow } from '../../../db/tables/campaign-targets.ts';
import { campaigns, type CampaignRow } from '../../../db/tables/campaigns.ts';
import type { DialPolicyRow } from '../../../db/tables/dial-policies.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { carrierAction } from '../../../domain/campaign/carrier-outage.ts';
import { waitsForLines } from '../../../domain/campaign/lines.ts';
import { rulesOf, type CampaignRules } from '../../../domain/campaign/rules.ts';
import type { WaitReason } from '../../../domain/campaign/wait-reason.ts';
import { findDialLimit, findOutage, noteProbe, ruleOf } from '../../telephony/index.ts';
import { isStopped } from '../dial-policy/is-stopped.ts';
import { lockPolicy } from '../dial-policy/lock-policy.ts';
import { countPlaces } from '../../media/index.ts';
import { findCandidates } from './candidates.ts';
import { readCapacity, type Capacity } from './capacity.ts';
import type { CampaignRef, PaceDeps } from './deps.ts';
import { passed } from './passed.ts';
import { nextStartAt, readPaces, spendStarts, startsNow, type OwnPace, type Paces } from './paces.ts';
import { findDialingVersion, type DialingVersion, type VersionFault } from './version.ts';
import { writeAttempts, type WrittenAttempt } from './write-attempts.ts';

/** Rows claimed at once. One transaction writes them in some hundredths of a second. */
const maxRows = 50;
/** Rows to look at for each row that may be claimed, because many may be suppressed. */
const lookedAt = 4;
/** How long a campaign counts as wanting lines after it last wanted some. */
const wantsLinesMs = 3000;

export type Claimed =
  /**
   * The claim is committed and the calls can be started. `reason` says why there are not more; null = nothing
   * prevents more.
   */
  | {
      kind: 'claimed';
      attempts: WrittenAttempt[];
      version: DialingVersion | null;
      reason: WaitReason | null;
      until: Date | null;
      lookAgain: boolean;
    }
  /** The carrier takes no dials and must be asked whether it answers again. */
  | { kind: 'ask_carrier'; configurationId: number }
  /** The campaign is no longer running. */
  | { kind: 'not_running' }
  /** No row of it can be dialed with its present agent or hours. */
  | { kind: 'fault'; fault: VersionFault | 'windows_never_open' };

interface Claim {
  deps: PaceDeps;
  ref: CampaignRef;
  /** The campaign's own pace. */
  own: OwnPace;
}

/**
 * Claims the next rows of a campaign in one transaction, which locks the organization's policy and so its
 * row. It writes their calls (`pending`), the attempts and the dials that caps count, and the rows become
 * `processing`. So two concurrent claims never take the same row, line or number. If a process dies between
 * the claim and the start, the check for late rows starts the calls.
 */
export async function claimPage({ deps, ref, own }: Claim): Promise<Claimed> {
  const { campaignId: id, organizationId } = ref;
  return await inTransaction(deps.db, async (tx) => {
    const campaign = await findRow(tx, campaigns, { id, organizationId }, { isLocked: true });
    if (campaign === null || campaign.state !== 'running' || campaign.stopMode !== null)
      return { kind: 'not_running' };
    const now = deps.clock.now();
    // guarantee: claims-lock-the-dial-policy
    const policy = await lockPolicy(tx, organizationId, now);
    if (await isStopped(tx, organizationId)) return nothing('stopped', null);
    const version = await findDialingVersion(tx, campaign);
    if ('fault' in version) return { kind: 'fault', fault: version.fault };
    return await claim(tx, { deps, campaign, policy, version, own, now });
  });
}

interface Claiming {
  deps: PaceDeps;
  campaign: CampaignRow;
  policy: DialPolicyRow;
  version: DialingVersion;
  own: Claim['own'];
  now: Date;
}

async function claim(tx: EntityManager, claiming: Claiming): Promise<Claimed> {
  const { deps, campaign, policy, version, own, now } = claiming;
  const rules = rulesOf(campaign.settings, policy.policy);
  const capacity = await readCapacity(tx, { deps, campaign, rules, policy: policy.policy, now });
  const paces = await readPaces(tx, { campaign, policy, rules, own, now });
  const starts = startsNow(paces, now);
  const places = await countPlaces(tx);
  // guarantee: claims-need-media-host-capacity
  const wanted = capacity === null ? 0 : Math.min(maxRows, capacity.lines, capacity.numbers.length, places);
  // guarantee: organization-pace-limits-all-campaigns
  const max = Math.min(wanted, starts.all, starts.own);
  const found = await findCandidates(tx, { campaign, rules, now, max: Math.max(1, max * lookedAt) });
  if (found.rowNumbers.length === 0) return await withoutCandidates(tx, { campaign, found });
  if (capacity === null) return nothing('no_number', null);
  const reached = await findDialLimit({
    at: { db: tx, organizationId: campaign.organizationId, now },
    policy: policy.policy,
    secrets: deps.secrets,
    limits: deps.limits,
    versionId: version.version.id,
  });
  // guarantee: campaigns-wait-for-the-next-day
  if (reached !== null) return nothing('daily_limit', reached.until);
  const outage = await findOutage(tx, { ...capacity, organizationId: campaign.organizationId });
  const action = carrierAction(outage, now);
  if (action === 'ask') return { kind: 'ask_carrier', configurationId: capacity.configurationId };
  if (action === 'wait') return nothing('carrier_down', outage?.probeAt ?? null);
  if (places === 0) return nothing('no_media_host', null);
  const room = {
    lines: capacity.lines,
    numbers: capacity.numbers.length,
    own: Math.min(capacity.ownMax, starts.own),
  };
  if (max === 0) {
    await noteWantingLines(tx, campaign, { wantsLines: waitsForLines({ ...room, taken: 0 }), now });
    return withoutRoom({ capacity, rules, paces, now });
  }

  const locked = await lockTargets(tx, campaign, found.rowNumbers);
  const fit = await passed(tx, {
    campaign,
    rules,
    dialRule: ruleOf(policy.policy),
    targets: locked,
    now,
    max: action === 'dial_one' ? 1 : max,
  });
  const attempts = await writeAttempts(tx, { deps, campaign, version, capacity, targets: fit.targets, now });
  await spendStarts(tx, paces, { campaign, own, now, spent: attempts.length });
  if (outage !== null && action === 'dial_one') {
    const until = attempts.length === 0 ? outage.probeAt : await noteProbe(tx, outage, now);
    const lookAgain = attempts.length === 0 && fit.setAside > 0;
    return { kind: 'claimed', attempts, version, reason: 'carrier_down', until, lookAgain };
  }
  const isMore = found.rowNumbers.length > locked.length || fit.leftOver > 0;
  await noteWantingLines(tx, campaign, {
    wantsLines: isMore && attempts.length >= max && waitsForLines({ ...room, taken: attempts.length }),
    now,
  });
  return {
    kind: 'claimed',
    attempts,
    version,
    reason: null,
    until: null,
    lookAgain: found.setAside + fit.setAside > 0 || attempts.length === maxRows,
  };
}

async function withoutCandidates(
  tx: EntityManager,
  { campaign, found }: { campaign: CampaignRow; found: Awaited<ReturnType<typeof findCandidates>> },
): Promise<Claimed> {
  // guarantee: closed-rows-put-off-together
  if (found.setAside > 0)
    return nothing(found.next?.reason ?? null, found.next?.at ?? null, { lookAgain: true });
  if (found.next !== null) return nothing(found.next.reason, found.next.at);
  if (!found.neverOpens) return nothing(campaign.plannedAt === null ? 'rows_are_read' : null, null);
  const { id: campaignId, organizationId } = campaign;
  const isBusy = await findRow(tx, campaignTargets, { campaignId, organizationId, state: 'processing' });
  return isBusy === null && campaign.plannedAt !== null
    ? { kind: 'fault', fault: 'windows_never_open' }
    : nothing('window_never_opens', null);
}

function withoutRoom({
  capacity,
  rules,
  paces,
  now,
}: {
  capacity: Capacity;
  rules: CampaignRules;
  paces: Paces;
  now: Date;
}): Claimed {
  if (capacity.lines > 0 && capacity.numbers.length > 0) return nothing('pace', nextStartAt(paces, now));
  const hasNumbers = rules.fromNumberIds === null || capacity.numbers.length > 0;
  if (capacity.lines > 0 && !hasNumbers) return nothing('no_number', null);
  // guarantee: busy-lines-are-shown
  return nothing(capacity.isInUse ? 'lines_busy' : 'no_line', null);
}

/** While a campaign wants lines, the others leave it its share. */
async function noteWantingLines(
  tx: EntityManager,
  { id, organizationId, wantsLinesUntil }: CampaignRow,
  { wantsLines, now }: { wantsLines: boolean; now: Date },
): Promise<void> {
  if (!wantsLines && (wantsLinesUntil === null || wantsLinesUntil <= now)) return;
  await updateRows(tx, campaigns, {
    where: { id, organizationId },
    change: { wantsLinesUntil: wantsLines ? new Date(now.getTime() + wantsLinesMs) : null },
  });
}

/**
 * Locks the rows in the order in which they were found. Rows that another transaction has locked are skipped.
 */
async function lockTargets(
  tx: EntityManager,
  { id: campaignId, organizationId }: CampaignRow,
  rowNumbers: number[],
): Promise<CampaignTargetRow[]> {
  const rows = await findRows(
    tx,
    campaignTargets,
    { campaignId, organizationId, rowNumber: In(rowNumbers), state: In(['queued', 'waiting']) },
    { isLocked: 'skip_locked' },
  );
  const byRow = new Map(rows.map((row) => [row.rowNumber, row]));
  return rowNumbers.flatMap((rowNumber) => byRow.get(rowNumber) ?? []);
}

function nothing(reason: WaitReason | null, until: Date | null, { lookAgain = false } = {}): Claimed {
  return { kind: 'claimed', attempts: [], version: null, reason, until, lookAgain };
}
