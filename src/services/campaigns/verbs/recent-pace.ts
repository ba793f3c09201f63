import type { DataSource } from 'typeorm';
import { queryRows } from '../../../db/rows.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import type { RecentPace } from '../../../domain/campaign/estimate.ts';
import { readTimestamp } from '../pacing/raw.ts';

/**
 * Maximum number of attempts to read: the last ones before the latest end. So a night between two days of
 * dialing does not count.
 */
const maxAttempts = 2000;

const attempts = `
  SELECT attempt.settled_at, target.state IN ('processed', 'failed') AND target.call_id = attempt.call_id AS is_end
  FROM campaign_attempts attempt JOIN campaign_targets target ON target.campaign_id = attempt.campaign_id AND target.\`row_number\` = attempt.\`row_number\`
  WHERE attempt.campaign_id = ? AND attempt.organization_id = ? AND attempt.settled_at > (SELECT MAX(last.settled_at) FROM campaign_attempts last WHERE last.campaign_id = ?) - INTERVAL 10 MINUTE
  ORDER BY attempt.settled_at DESC LIMIT ${maxAttempts}`;

/** What ended in the ten minutes up to the latest end; null if nothing has ended. */
export async function readRecentPace(
  db: DataSource,
  { id, organizationId }: CampaignRow,
): Promise<RecentPace | null> {
  const [row]: { first: Date | string | null; last: Date | string | null; ended: string | number | null }[] =
    await queryRows(db, {
      organizationId,
      sql: `WITH recent AS (${attempts}) SELECT MIN(settled_at) AS first, MAX(settled_at) AS last, SUM(is_end AND settled_at > (SELECT MIN(settled_at) FROM recent)) AS ended FROM recent`,
      values: [id, organizationId, id],
    });
  return row === undefined || row.first === null || row.last === null
    ? null
    : { from: readTimestamp(row.first), to: readTimestamp(row.last), ended: Number(row.ended) };
}

/** How many dials began in the minute before a moment. Those that ended are found by when they ended. */
export async function countDials(
  db: DataSource,
  { id, organizationId, state }: CampaignRow,
  now: Date,
): Promise<number> {
  if (state === 'created') return 0;
  const since = new Date(now.getTime() - 60_000);
  const [row]: { dials: string | number }[] = await queryRows(db, {
    organizationId,
    sql: 'SELECT COUNT(*) AS dials FROM campaign_attempts WHERE campaign_id = ? AND organization_id = ? AND (settled_at IS NULL OR settled_at > ?) AND begun_at > ?',
    values: [id, organizationId, since, since],
  });
  return Number(row?.dials ?? 0);
}

/** The latest due time of a waiting row; null when no row waits. */
export async function readLatestDue(
  db: DataSource,
  { id, organizationId }: CampaignRow,
): Promise<Date | null> {
  const [row]: { due_at: Date | string }[] = await queryRows(db, {
    organizationId,
    sql: "SELECT due_at FROM campaign_targets WHERE campaign_id = ? AND organization_id = ? AND state = 'waiting' ORDER BY due_at DESC LIMIT 1",
    values: [id, organizationId],
  });
  return row === undefined ? null : readTimestamp(row.due_at);
}
