import type { EntityManager } from 'typeorm';
import { countRows, deleteRows, findRow, getRow, updateRows } from '../../../db/rows.ts';
import { campaignAttempts, type CampaignAttemptRow } from '../../../db/tables/campaign-attempts.ts';
import { campaignTargets, type CampaignTargetRow } from '../../../db/tables/campaign-targets.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import { campaigns, type CampaignRow } from '../../../db/tables/campaigns.ts';
import { numberDials } from '../../../db/tables/number-dials.ts';
import { outcomeOfCanceled } from '../../../domain/campaign/canceled.ts';
import { outcomeOfCall, waitReasonOf, type CallFacts } from '../../../domain/campaign/call-outcome.ts';
import { readCallbackTime } from '../../../domain/campaign/callback-time.ts';
import { unrungOutcomes, type TargetOutcome } from '../../../domain/campaign/outcome.ts';
import { rulesOf } from '../../../domain/campaign/rules.ts';
import { countsEarlier, settle } from '../../../domain/campaign/settle.ts';
import { clocksOf } from '../../../domain/campaign/windows.ts';
import { own } from '../../../domain/graph/definition.ts';
import { zonesOf } from '../../../domain/phone/zones.ts';
import type { ReportCallEnd } from '../../calls/index.ts';
import { factsOfCall } from './call-facts.ts';
import { readDial } from './read-dial.ts';
import { readPolicy } from '../../telephony/index.ts';

/** Settles the row of a campaign whose call ended. */
export const reportCallEnd: ReportCallEnd = (tx, { call, workflow, at }) =>
  settleTarget(tx, { call, facts: factsOfCall(call, workflow), at });

interface EndedAttempt {
  call: Pick<CallRow, 'id' | 'organizationId' | 'campaignId'>;
  facts: CallFacts;
  at: Date;
}

/**
 * Settles a call's row in its campaign, in the transaction that ends the call. So a row has its outcome as
 * soon as its call has one, and the line is free at once. Null for a call without a campaign, and if the row
 * is already settled.
 */
export async function settleTarget(
  tx: EntityManager,
  { call: { id: callId, organizationId, campaignId }, facts, at }: EndedAttempt,
): Promise<TargetOutcome | null> {
  if (campaignId === null) return null;
  const attempt = await findRow(tx, campaignAttempts, { callId, organizationId, campaignId });
  if (attempt === null) return null;
  const where = { campaignId, rowNumber: attempt.rowNumber, organizationId };
  const target = await getRow(tx, campaignTargets, where, { isLocked: true });
  // Already settled, or claimed again for a newer attempt.
  if (target.state !== 'processing' || target.callId !== callId) return null;
  const campaign = await getRow(tx, campaigns, { id: campaignId, organizationId });
  const isLast = campaign.stopMode !== null || target.phone === erased;
  const outcome = await judge(tx, { callId, organizationId, facts, isLast });
  const { isSpent, ...settled } = await decide(tx, { campaign, attempt, target, outcome, facts, isLast, at });
  await updateRows(tx, campaignAttempts, {
    where: { ...where, attemptNumber: attempt.attemptNumber },
    change: { outcome, isSpent, settledAt: at },
  });
  await updateRows(tx, campaignTargets, {
    where,
    change: {
      ...settled,
      spentAttempts: target.spentAttempts + (isSpent ? 1 : 0),
      outcome,
      phoneNumberId: null,
      claimedUntil: null,
      settledAt: at,
    },
  });
  // guarantee: undelivered-dial-counts-for-no-cap
  if (unrungOutcomes.includes(outcome)) await deleteRows(tx, numberDials, { callId, organizationId });
  return outcome;
}

/** The number of an erased person. */
const erased = '';

async function judge(
  tx: EntityManager,
  {
    callId,
    organizationId,
    facts,
    isLast,
  }: { callId: number; organizationId: number; facts: CallFacts; isLast: boolean },
): Promise<TargetOutcome> {
  const outcome = outcomeOfCall(facts);
  if (outcome !== 'canceled') return outcome;
  const { wasDialed, isInDoubt } = await readDial(tx, { callId, organizationId });
  return outcomeOfCanceled({ isLast, wasDialed, isInDoubt: isInDoubt || facts.isInDoubt });
}

interface Deciding {
  campaign: CampaignRow;
  attempt: CampaignAttemptRow;
  target: CampaignTargetRow;
  outcome: TargetOutcome;
  facts: CallFacts;
  isLast: boolean;
  at: Date;
}

async function decide(
  tx: EntityManager,
  { campaign: { settings }, attempt, target, outcome, facts, isLast, at }: Deciding,
) {
  const { campaignId, rowNumber, organizationId } = attempt;
  const rules = rulesOf(settings, await readPolicy(tx, organizationId));
  const zones = zonesOf(target.zoneKey);
  const [clock = 'UTC'] = clocksOf(rules.window, zones);
  const callback = readCallbackTime({ value: own(facts.gathered, 'callback_at'), zone: clock, now: at });
  const sameBefore = !countsEarlier.includes(outcome)
    ? 0
    : await countRows(tx, campaignAttempts, { campaignId, rowNumber, organizationId, outcome });
  return settle({
    rules,
    target: { spentAttempts: target.spentAttempts, sameBefore },
    outcome,
    now: at,
    callbackAt: callback.kind === 'at' ? callback.at : null,
    // guarantee: broken-conversation-spends-attempt
    wasAnswered: facts.wasAnswered,
    because: waitReasonOf(facts),
    isLast,
    zones,
    jitter: jitterOf(rowNumber, attempt.attemptNumber),
  });
}

/**
 * From 0 to 1, spread over the rows and stable for an attempt, so that rows that failed together do not come
 * back together.
 */
function jitterOf(rowNumber: number, attemptNumber: number): number {
  return (Math.imul(rowNumber * 31 + attemptNumber, 0x9e3779b1) >>> 0) / 2 ** 32;
}
