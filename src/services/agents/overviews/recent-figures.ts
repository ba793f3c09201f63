import { In, MoreThanOrEqual } from 'typeorm';
import type { WorkflowOverview } from '../../../contract/agent-overviews.ts';
import { queryRows, selectFrom } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { percentile95 } from '../../../domain/usage/percentile.ts';
import type { ServiceContext } from '../../kernel/index.ts';

const days = 7;
/** Newest calls of each agent whose latency counts, so that a page reads few turns. */
const maxTimedCalls = 20;

/** Calls, outcomes and latency of each agent in the last 7 days (contract 1.5). */
export async function recentFigures(
  ctx: ServiceContext,
  agentIds: readonly number[],
): Promise<(agentId: number) => WorkflowOverview['last_7_days']> {
  const since = new Date(ctx.clock.now().getTime() - days * 24 * 3600 * 1000);
  const [counts, waits] = [await countOutcomes(ctx, agentIds, since), await readWaits(ctx, agentIds, since)];
  return (id) => {
    const own = counts.get(id) ?? [];
    return {
      calls: own.reduce((sum, { count }) => sum + count, 0),
      outcomes: own
        .flatMap(({ disposition, count }) => (disposition === null ? [] : [{ disposition, calls: count }]))
        .toSorted((one, other) => other.calls - one.calls || (one.disposition < other.disposition ? -1 : 1)),
      latency_p95_ms: percentile95(waits.get(id) ?? []),
    };
  };
}

interface OutcomeCount {
  disposition: string | null;
  count: number;
}

async function countOutcomes(
  { db, organizationId }: ServiceContext,
  agentIds: readonly number[],
  since: Date,
): Promise<Map<number, OutcomeCount[]>> {
  const rows: { agent: string; disposition: string | null; count: string }[] = await selectFrom(db, calls, {
    as: 'call',
    organizationId,
  })
    .select('call.agentId', 'agent')
    .addSelect('call.disposition', 'disposition')
    .addSelect('COUNT(*)', 'count')
    .andWhere({ agentId: In([...agentIds]), createdAt: MoreThanOrEqual(since) })
    .groupBy('call.agentId')
    .addGroupBy('call.disposition')
    .getRawMany();
  const found = new Map<number, OutcomeCount[]>();
  for (const { agent, disposition, count } of rows)
    found.set(Number(agent), [...(found.get(Number(agent)) ?? []), { disposition, count: Number(count) }]);
  return found;
}

/** Milliseconds that callers waited for replies, by agent. */
async function readWaits(
  { db, organizationId }: ServiceContext,
  agentIds: readonly number[],
  since: Date,
): Promise<Map<number, number[]>> {
  // JSON_VALID: a turn may hold a lone surrogate, which JSON functions of the servers refuse.
  const rows: { agent: string | number; waits: string }[] = await queryRows(db, {
    organizationId,
    sql: `SELECT newest.agent_id AS agent, CAST(JSON_EXTRACT(CASE WHEN JSON_VALID(turns.events) THEN turns.events ELSE '[]' END, '$[*].payload.latency_seconds') AS CHAR) AS waits FROM (SELECT id, agent_id, ROW_NUMBER() OVER (PARTITION BY agent_id ORDER BY created_at DESC, id DESC) AS place FROM calls WHERE organization_id = ? AND agent_id IN (${agentIds.map(() => '?').join(', ')}) AND created_at >= ? AND channel <> 'text') AS newest JOIN turns ON turns.call_id = newest.id AND turns.organization_id = ? WHERE newest.place <= ? HAVING waits IS NOT NULL`,
    values: [organizationId, ...agentIds, since, organizationId, maxTimedCalls],
  });
  const found = new Map<number, number[]>();
  for (const { agent, waits } of rows) {
    const seconds: unknown = JSON.parse(waits);
    const known = found.get(Number(agent)) ?? [];
    found.set(Number(agent), known);
    if (Array.isArray(seconds))
      for (const each of seconds) if (typeof each === 'number') known.push(Math.round(each * 1000));
  }
  return found;
}
