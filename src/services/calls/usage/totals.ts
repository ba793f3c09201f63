import type { SelectQueryBuilder } from 'typeorm';
import type { CallRow } from '../../../db/tables/calls.ts';
import { isObject, own } from '../../../domain/graph/definition.ts';
import { durationSql } from '../records/filters.ts';

/** What calls used together. */
export interface Usage {
  callCount: number;
  /** Sum of whole seconds, as each call shows them; of calls that have ended. */
  durationSeconds: number;
  /** Sum over the calls whose cost is known; null when none is. */
  costUsd: number | null;
}

export const noUsage: Usage = { callCount: 0, durationSeconds: 0, costUsd: null };

/**
 * Sums made by the server, so that money is never added as binary fractions. The columns are all in
 * ix_calls_usage.
 */
// guarantee: money-added-decimals
const sums = { call_count: 'COUNT(*)', seconds: `SUM(ROUND(${durationSql}))`, usd: 'SUM(call.costUsd)' };

/** What the selected calls used. */
export async function sumUsage(query: SelectQueryBuilder<CallRow>): Promise<Usage> {
  return toUsage(await withSums(query.select([])).getRawOne());
}

/** The same for each value of an SQL expression. */
export async function sumUsageBy(
  query: SelectQueryBuilder<CallRow>,
  expression: string,
): Promise<Map<number, Usage>> {
  const rows = await withSums(query.select(expression, 'part')).groupBy('part').getRawMany<unknown>();
  return new Map(rows.map((row) => [numberAt(row, 'part'), toUsage(row)]));
}

function withSums(query: SelectQueryBuilder<CallRow>): SelectQueryBuilder<CallRow> {
  for (const [name, sum] of Object.entries(sums)) query.addSelect(sum, name);
  return query;
}

function toUsage(row: unknown): Usage {
  const usd = isObject(row) ? own(row, 'usd') : null;
  return {
    callCount: numberAt(row, 'call_count'),
    durationSeconds: numberAt(row, 'seconds'),
    costUsd: usd === null || usd === undefined ? null : Number(usd),
  };
}

/** Servers answer sums and counts as numbers or as decimal text; a sum of nothing is NULL. */
export function numberAt(row: unknown, key: string): number {
  return Number((isObject(row) ? own(row, key) : null) ?? 0);
}
