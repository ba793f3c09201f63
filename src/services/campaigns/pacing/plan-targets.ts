import type { EntityManager } from 'typeorm';
import { changeRows, findRow, queryRows, updateRows } from '../../../db/rows.ts';
import { campaigns, type CampaignRow } from '../../../db/tables/campaigns.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { CampaignRules } from '../../../domain/campaign/rules.ts';
import type { CampaignRef, PaceDeps } from './deps.ts';

/** Rows of the file per page: some tenths of a second. */
const pageRows = 5000;

/** `positionOf` (src/domain/campaign/order.ts) in SQL; a test compares the two. */
const positions: Record<CampaignRules['startOrder'], string> = {
  file: 'row_number',
  closing_window: 'row_number',
  latest_first: '-CAST(row_number AS SIGNED)',
  priority: 'CAST(row_number AS SIGNED) - LEAST(1000000, GREATEST(-1000000, priority)) * 1000000000',
};

const insert = (settings: CampaignRow['settings'], which: string) => `
  INSERT IGNORE INTO campaign_targets (campaign_id, \`row_number\`, organization_id, state, phone, zone_key, position, spent_attempts, attempts)
  SELECT ?, \`row_number\`, organization_id, 'queued', phone, zone_key, ${positions[settings.rules?.start_order ?? 'file'].replaceAll('row_number', '`row_number`')}, 0, 0
  FROM contacts WHERE directory_id = ? AND import_number = ? AND organization_id = ? AND ${which} AND state = 'ok'`;

/** The last row of the page, in any state. */
const pageEnd =
  'SELECT `row_number` FROM contacts WHERE directory_id = ? AND import_number = ? AND organization_id = ? AND `row_number` > ? ORDER BY `row_number` LIMIT 1 OFFSET ?';
const lastRow =
  'SELECT MAX(`row_number`) AS `row_number` FROM contacts WHERE directory_id = ? AND import_number = ? AND organization_id = ?';

/**
 * Creates targets with positions for the contacts of the next page of the campaign's import. `done` if all
 * contacts have them, or if the campaign is stopped or over. The campaign's row is locked before it is read,
 * so that a stop either waits or is seen here, and no target is created after the end. The campaign may dial
 * between the pages.
 */
export async function planTargets(
  { db, clock }: Pick<PaceDeps, 'db' | 'clock'>,
  { campaignId: id, organizationId }: CampaignRef,
): Promise<'more' | 'done'> {
  return await inTransaction(db, async (tx) => {
    // guarantee: stopped-campaign-plans-no-rows
    const campaign = await findRow(tx, campaigns, { id, organizationId }, { isLocked: true });
    if (
      campaign === null ||
      campaign.plannedAt !== null ||
      campaign.importNumber === null ||
      isOver(campaign)
    )
      return 'done';
    const { plannedThroughRow: from, settings } = campaign;
    const source = [campaign.directoryId, campaign.importNumber, organizationId];
    const [end]: { row_number: string | number }[] = await queryRows(tx, {
      organizationId,
      sql: pageEnd,
      values: [...source, from, pageRows - 1],
    });
    const [last]: { row_number: string | number | null }[] =
      end === undefined ? await queryRows(tx, { organizationId, sql: lastRow, values: source }) : [];
    const through = Number(end?.row_number ?? last?.row_number ?? 0);
    await changeRows(tx, {
      organizationId,
      sql: insert(settings, '`row_number` > ? AND `row_number` <= ?'),
      values: [id, ...source, from, through],
    });
    await updateRows(tx, campaigns, {
      where: { id, organizationId },
      change: {
        plannedThroughRow: Math.max(from, through),
        plannedAt: end === undefined ? clock.now() : null,
      },
    });
    return end === undefined ? 'done' : 'more';
  });
}

/** Creates targets for these rows of the campaign's import that can be called and have none. */
export async function addTargets(
  tx: EntityManager,
  { id, organizationId, directoryId, importNumber, settings }: CampaignRow,
  rowNumbers: readonly number[],
): Promise<void> {
  await changeRows(tx, {
    organizationId,
    sql: insert(settings, `\`row_number\` IN (${rowNumbers.map(() => '?').join(',')})`),
    values: [id, directoryId, importNumber, organizationId, ...rowNumbers],
  });
}

function isOver({ state, stopMode }: CampaignRow): boolean {
  return stopMode !== null || state === 'completed' || state === 'failed';
}
