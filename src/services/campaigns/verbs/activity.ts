import { In, MoreThanOrEqual } from 'typeorm';
import type { CampaignActivity } from '../../../contract/campaigns.ts';
import { findRows, queryRows } from '../../../db/rows.ts';
import { auditEvents } from '../../../db/tables/audit-events.ts';
import { reachedOutcomes, unrungOutcomes } from '../../../domain/campaign/outcome.ts';
import { findActors, type ServiceContext, wireTimestamp } from '../../kernel/index.ts';
import { readTimestamp } from '../pacing/raw.ts';
import { findCampaign } from './internal.ts';

/** More marks than that say nothing. */
const maxSwitches = 100;
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
  if (last === null) return { bucket_seconds: bucketSeconds, buckets: [], dialing: [] };
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
    dialing: await switchesSince(ctx, new Date(begun * bucketMs)),
  };
}

/** When all dialing of the organization was stopped and resumed. A second stop while it is stopped changes nothing. */
async function switchesSince(
  { db, organizationId }: ServiceContext,
  since: Date,
): Promise<CampaignActivity['dialing']> {
  const rows = await findRows(
    db,
    auditEvents,
    {
      organizationId,
      subjectKind: 'organization',
      subjectKey: String(organizationId),
      action: In(['dialing.stopped', 'dialing.resumed']),
      createdAt: MoreThanOrEqual(since),
    },
    { order: { id: 'DESC' }, take: maxSwitches },
  );
  const turned = rows.filter(({ changes }) => changes['was_so'] !== true).toReversed();
  const actorOf = await findActors(db.manager, organizationId, turned);
  return turned.map((row) => ({
    at: wireTimestamp(row.createdAt),
    is_stopped: row.action === 'dialing.stopped',
    by: actorOf(row).name,
  }));
}

async function latestEnd({ db, organizationId }: ServiceContext, id: number): Promise<Date | null> {
  const [row]: { last: Date | string | null }[] = await queryRows(db, {
    organizationId,
    sql: 'SELECT MAX(settled_at) AS last FROM campaign_attempts WHERE campaign_id = ? AND organization_id = ?',
    values: [id, organizationId],
  });
  return row === undefined || row.last === null ? null : readTimestamp(row.last);
}
