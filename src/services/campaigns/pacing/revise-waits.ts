import { In, type EntityManager } from 'typeorm';
import {
  acrossOrganizations,
  findRow,
  findRows,
  queryRows,
  updateRows,
  upsertRows,
} from '../../../db/rows.ts';
import { campaignTargets, type CampaignTargetRow } from '../../../db/tables/campaign-targets.ts';
import { campaigns } from '../../../db/tables/campaigns.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { replan } from '../../../domain/campaign/replan.ts';
import { reviseWait } from '../../../domain/campaign/revise-wait.ts';
import { rulesOf, type CampaignRules } from '../../../domain/campaign/rules.ts';
import { zonesOf } from '../../../domain/phone/zones.ts';
import { lastSpentOutcomes } from '../targets/last-spent.ts';
import { readDials } from '../targets/read-dials.ts';
import type { CampaignRef, PaceDeps } from './deps.ts';
import { readPolicy } from '../../telephony/index.ts';

/** Rows per page, and the maximum number of them that one page changes: some hundredths of a second. */
const pageRows = 10_000;
const maxRevised = 1000;

const waiting =
  "SELECT `row_number` AS row_no FROM campaign_targets FORCE INDEX (PRIMARY) WHERE campaign_id = ? AND organization_id = ? AND `row_number` > ? AND `row_number` <= ? AND state = 'waiting' ORDER BY `row_number` LIMIT ?";
const lastRow = 'SELECT MAX(`row_number`) AS row_no FROM campaign_targets WHERE campaign_id = ?';

/**
 * Decides the next page of waiting rows again after hours, caps or the retry plan have changed; `done` if
 * that was the last page. The campaign's row is locked meanwhile, so a further change starts again with the
 * first row.
 */
export async function reviseWaits(
  { db, clock }: Pick<PaceDeps, 'db' | 'clock'>,
  { campaignId: id, organizationId }: CampaignRef,
): Promise<'more' | 'done'> {
  return await inTransaction(db, async (tx) => {
    const campaign = await findRow(tx, campaigns, { id, organizationId }, { isLocked: true });
    if (campaign === null || campaign.reviseAfterRow === null) return 'done';
    const [after, through] = [campaign.reviseAfterRow, campaign.reviseAfterRow + pageRows];
    const found: { row_no: string | number }[] = await queryRows(tx, {
      organizationId,
      sql: waiting,
      values: [id, organizationId, after, through, maxRevised],
    });
    const targets = await lockWaiting(
      tx,
      { campaignId: id, organizationId },
      found.map(({ row_no: row }) => Number(row)),
    );
    const rules = rulesOf(campaign.settings, await readPolicy(tx, organizationId));
    await write(tx, organizationId, await revise(tx, { organizationId, targets, rules, now: clock.now() }));
    const reached = found.length === maxRevised ? Number(found.at(-1)?.row_no) : through;
    const [last]: { row_no: string | number | null }[] = await queryRows(
      acrossOrganizations(tx, 'the last row by the primary key of a campaign whose row is locked'),
      { sql: lastRow, values: [id] },
    );
    const isThrough = reached >= Number(last?.row_no ?? 0);
    await updateRows(tx, campaigns, {
      where: { id, organizationId },
      change: { reviseAfterRow: isThrough ? null : reached },
    });
    return isThrough ? 'done' : 'more';
  });
}

interface Revising {
  organizationId: number;
  /** Locked; of one campaign. */
  targets: CampaignTargetRow[];
  rules: CampaignRules;
  now: Date;
}

/** The rows that change, with their new values. */
async function revise(
  tx: EntityManager,
  { organizationId, targets, rules, now }: Revising,
): Promise<CampaignTargetRow[]> {
  const [first] = targets;
  if (first === undefined) return [];
  const dials = await readDials(tx, {
    organizationId,
    phones: [...new Set(targets.map(({ phone }) => phone))],
    caps: rules.caps,
    now,
  });
  const spent = await lastSpentOutcomes(tx, {
    campaignId: first.campaignId,
    organizationId,
    rowNumbers: targets.flatMap(({ rowNumber, spentAttempts }) => (spentAttempts === 0 ? [] : [rowNumber])),
  });
  return targets.flatMap((target) => {
    const row = { ...target, zones: zonesOf(target.zoneKey) };
    // guarantee: retry-edit-moves-waiting-targets
    const replanned = replan({ ...row, spent: spent.get(target.rowNumber) ?? null }, rules);
    if (replanned?.kind === 'over')
      return [
        {
          ...target,
          state: replanned.state,
          outcome: replanned.outcome,
          dueAt: null,
          notBefore: null,
          waitReason: null,
        },
      ];
    const notBefore = replanned?.notBefore ?? target.notBefore;
    const change = reviseWait({
      row: { ...row, notBefore, isReplanned: replanned !== null },
      rules,
      dials: dials.get(target.phone) ?? [],
      now,
    });
    return change === null ? [] : [{ ...target, ...change, notBefore }];
  });
}

async function lockWaiting(
  tx: EntityManager,
  { campaignId, organizationId }: CampaignRef,
  rowNumbers: number[],
): Promise<CampaignTargetRow[]> {
  if (rowNumbers.length === 0) return [];
  return await findRows(
    tx,
    campaignTargets,
    { campaignId, organizationId, rowNumber: In(rowNumbers), state: 'waiting' },
    { isLocked: true },
  );
}

/** One statement writes all rows, which exist and are locked. */
async function write(tx: EntityManager, organizationId: number, rows: CampaignTargetRow[]): Promise<void> {
  if (rows.length === 0) return;
  await upsertRows(
    tx,
    campaignTargets,
    rows.map((row) => ({ ...row, organizationId })),
    ['state', 'outcome', 'dueAt', 'notBefore', 'waitReason'],
  );
}
