import type { CampaignActivity } from '../../../contract/campaigns.ts';
import { queryRows } from '../../../db/rows.ts';
import { reachedOutcomes, unrungOutcomes } from '../../../domain/campaign/outcome.ts';
import { type ServiceContext, wireTimestamp } from '../../kernel/index.ts';
import { readTimestamp } from '../pacing/raw.ts';
import { findCampaign } from './internal.ts';

const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(', ');
const number = "FLOOR(TIMESTAMPDIFF(SECOND, '1970-01-01 00:00:00', settled_at) / ?)";

/** Ended calls of a campaign by interval, up to the latest one (ours). Throws NotFoundError. */
export async function getCampaignActivity({
  ctx,
  input: { id, bucketSeconds, limit },
}: {
  ctx: ServiceContext;
  input: { id: number; bucketSeconds: number; limit: number };
}): Promise<CampaignActivity> {
  const { organizationId } = await findCampaign(ctx.db.manager, ctx, id);
  const last = await latestEnd(ctx, id);
  if (last === null) return { bucket_seconds: bucketSeconds, buckets: [] };
  const bucketMs = bucketSeconds * 1000;
  const lastNumber = Math.floor(last.getTime() / bucketMs);
  const firstNumber = lastNumber - limit + 1;
  const rows: { number: string | number; calls: string | number; reached: string | number }[] =
    await queryRows(ctx.db, {
      organizationId,
      sql: `SELECT ${number} AS number, SUM(outcome NOT IN (${placeholders(unrungOutcomes)})) AS calls, SUM(outcome IN (${placeholders(reachedOutcomes)})) AS reached
        FROM campaign_attempts WHERE campaign_id = ? AND organization_id = ? AND settled_at >= ? AND outcome IS NOT NULL
        GROUP BY number ORDER BY number`,
      values: [
        bucketSeconds,
        ...unrungOutcomes,
        ...reachedOutcomes,
        id,
        organizationId,
        new Date(firstNumber * bucketMs),
      ],
    });
  const found = new Map(rows.map((row) => [Number(row.number), row]));
  const begun = Math.max(firstNumber, Math.min(lastNumber, ...found.keys()));
  return {
    bucket_seconds: bucketSeconds,
    buckets: Array.from({ length: lastNumber - begun + 1 }, (_, at) => {
      const row = found.get(begun + at);
      return {
        from: wireTimestamp(new Date((begun + at) * bucketMs)),
        calls: Number(row?.calls ?? 0),
        reached: Number(row?.reached ?? 0),
      };
    }),
  };
}

async function latestEnd({ db, organizationId }: ServiceContext, id: number): Promise<Date | null> {
  const [row]: { last: Date | string | null }[] = await queryRows(db, {
    organizationId,
    sql: 'SELECT MAX(settled_at) AS last FROM campaign_attempts WHERE campaign_id = ? AND organization_id = ?',
    values: [id, organizationId],
  });
  return row === undefined || row.last === null ? null : readTimestamp(row.last);
}
