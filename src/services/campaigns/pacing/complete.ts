import { In } from 'typeorm';
import {
  acrossOrganizations,
  changeRows,
  findRow,
  findRows,
  queryRows,
  updateRows,
} from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { campaignTargets } from '../../../db/tables/campaign-targets.ts';
import { campaigns } from '../../../db/tables/campaigns.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { processedOutcomes, unrungOutcomes } from '../../../domain/campaign/outcome.ts';
import { appendCampaignLog } from '../records/log.ts';
import type { CampaignRef, PaceDeps } from './deps.ts';

/**
 * Completes a campaign once none of its rows is queued, in a call or waiting for a retry (contract 11.6).
 * Answers whether the campaign is over.
 */
export async function completeCampaign(
  { db, clock }: Pick<PaceDeps, 'db' | 'clock'>,
  { campaignId: id, organizationId }: CampaignRef,
): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    const campaign = await findRow(tx, campaigns, { id, organizationId }, { isLocked: true });
    if (campaign === null || campaign.state === 'completed' || campaign.state === 'failed') return true;
    const isStopped = campaign.stopMode !== null;
    if (!isStopped && (campaign.state !== 'running' || campaign.plannedAt === null)) return false;
    // guarantee: waiting-target-keeps-campaign-open
    for (const state of ['processing', 'queued', 'waiting'] as const)
      if ((await findRow(tx, campaignTargets, { campaignId: id, organizationId, state })) !== null)
        return false;
    const now = clock.now();
    await updateRows(tx, campaigns, {
      where: { id, organizationId },
      change: {
        state: 'completed',
        completedAt: now,
        plannedAt: campaign.plannedAt ?? now,
        waitReason: null,
        waitUntil: null,
      },
    });
    await appendCampaignLog(tx, campaign, {
      clock,
      ...(isStopped
        ? { event: 'campaign_stopped', message: 'The campaign was stopped; the last of its calls has ended' }
        : { event: 'campaign_completed', message: 'Every contact has an outcome' }),
    });
    return true;
  });
}

/** How many rows one transaction of a stop settles. */
const sweptRows = 2000;

/** The outcome of the row's last attempt that may have rung. */
const lastRung = `(SELECT rung.outcome FROM campaign_attempts AS rung WHERE rung.campaign_id = campaign_targets.campaign_id AND rung.\`row_number\` = campaign_targets.\`row_number\` AND rung.organization_id = campaign_targets.organization_id
  AND rung.outcome NOT IN (?) ORDER BY rung.attempt_number DESC LIMIT 1)`;

/**
 * A row keeps the outcome of its last dial, whatever later attempts came to. A row that never rang is
 * `canceled`. Its state is that of a row whose attempts are exhausted; the assignments run from left to right.
 */
// guarantee: stopped-rows-end-like-exhausted-ones
const close = `UPDATE campaign_targets SET outcome = COALESCE(IF(outcome IN (?), ${lastRung}, NULL), NULLIF(outcome, 'not_dialed'), 'canceled'), state = IF(outcome IN (?), 'processed', 'failed'), due_at = NULL, wait_reason = NULL, settled_at = ? WHERE campaign_id = ? AND organization_id = ?`;

/**
 * Closes a page of the waiting rows of a stopped campaign; answers whether there may be more. First it goes
 * through all rows once, page by page in order, because a search for the remaining rows would read the closed
 * ones again for each page. Then it searches for rows that came to wait meanwhile. Contacts that were never
 * planned have no rows in the campaign.
 */
export async function sweepStopped(
  { db, clock }: Pick<PaceDeps, 'db' | 'clock'>,
  { campaignId, organizationId }: CampaignRef,
  memory: { sweptThrough: number },
): Promise<boolean> {
  const [last]: { last_row: string | number | null }[] = await queryRows(
    acrossOrganizations(db, 'the last row by the primary key of a campaign whose row is read'),
    {
      sql: 'SELECT MAX(`row_number`) AS last_row FROM campaign_targets WHERE campaign_id = ?',
      values: [campaignId],
    },
  );
  const closeRows = async ({ which, values }: { which: string; values: unknown[] }) =>
    await inTransaction(db, (tx) =>
      changeRows(tx, {
        organizationId,
        sql: `${close} AND ${which}`,
        values: [
          unrungOutcomes,
          unrungOutcomes,
          processedOutcomes,
          clock.now(),
          campaignId,
          organizationId,
          ...values,
        ],
      }),
    );
  if (memory.sweptThrough < Number(last?.last_row ?? 0)) {
    const [from, through] = [memory.sweptThrough, memory.sweptThrough + sweptRows];
    await closeRows({
      which: "`row_number` > ? AND `row_number` <= ? AND state IN ('queued', 'waiting')",
      values: [from, through],
    });
    memory.sweptThrough = through;
    return true;
  }
  for (const state of ['waiting', 'queued'] as const) {
    if ((await findRow(db.manager, campaignTargets, { campaignId, organizationId, state })) === null)
      continue;
    if ((await closeRows({ which: 'state = ? LIMIT ?', values: [state, sweptRows] })) > 0) return true;
  }
  return false;
}

/** Calls asked to end in one round, concurrently. That makes some hundred per second. */
const hungUpAtOnce = 20;

/**
 * Ends some calls of a campaign that was stopped with `hang_up`. A process asks each call once. Answers
 * whether there are more.
 */
export async function hangUpSome(
  { db, calls: starter }: Pick<PaceDeps, 'db' | 'calls'>,
  { campaignId, organizationId }: CampaignRef,
  asked: Set<number>,
): Promise<boolean> {
  const live = await findRows(
    db,
    calls,
    { organizationId, campaignId, state: In(['pending', 'admitted', 'talking']) },
    { select: ['id', 'uuid'], order: { createdAt: 'ASC' } },
  );
  const unasked = live.filter((each) => !asked.has(each.id));
  await Promise.all(
    unasked.slice(0, hungUpAtOnce).map(async ({ id, uuid }) => {
      await starter.cancelCall(uuid);
      asked.add(id);
    }),
  );
  return unasked.length > hungUpAtOnce;
}
