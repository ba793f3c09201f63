import type { NarrowedQuery } from '../../../db/rows.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import { isObject, own } from '../../../domain/graph/definition.ts';

/** The summed usage of calls. */
export interface Usage {
  callCount: number;
  /** Sum of the whole seconds that each ended call shows. */
  durationSeconds: number;
  /** Sum over the calls whose cost is known; null when no cost is known. */
  costUsd: number | null;
}

export const noUsage: Usage = { callCount: 0, durationSeconds: 0, costUsd: null };

/**
 * The database server adds, so that money is never added as binary fractions. All columns are in
 * ix_calls_usage.
 */
// guarantee: money-added-as-decimals
const sums = {
  call_count: 'COUNT(*)',
  seconds: 'SUM(ROUND(call.durationSeconds))',
  usd: 'SUM(call.costUsd)',
};

/** The usage of the selected calls. */
export async function sumUsage(query: NarrowedQuery<CallRow>): Promise<Usage> {
  return toUsage(await withSums(query.select([])).getRawOne());
}

/** The usage of the selected calls, by the value of an SQL expression. */
export async function sumUsageBy(
  query: NarrowedQuery<CallRow>,
  expression: string,
): Promise<Map<number, Usage>> {
  const rows = await withSums(query.select(expression, 'part')).groupBy('part').getRawMany<unknown>();
  return new Map(rows.map((row) => [numberAt(row, 'part'), toUsage(row)]));
}

function withSums(query: NarrowedQuery<CallRow>): NarrowedQuery<CallRow> {
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

/** Reads a sum or count, which servers return as a number or as decimal text; a sum over no rows is NULL. */
export function numberAt(row: unknown, key: string): number {
  return Number((isObject(row) ? own(row, key) : null) ?? 0);
}
