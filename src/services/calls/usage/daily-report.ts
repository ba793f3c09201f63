import type { NarrowedQuery } from '../../../db/rows.ts';
import type { DailyReport } from '../../../contract/daily-reports.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import { durationShares, outcomeShares, rangeStarts } from '../../../domain/usage/distribution.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toDailyReport } from './mapper.ts';
import { selectCalls } from '../records/select.ts';
import { numberAt, sumUsage } from './totals.ts';
import { requestedDay } from './requested-day.ts';

export interface DailyReportInput {
  /** `2026-11-21`. */
  date: string;
  /** An IANA name. */
  zone: string;
  /** Absent = all agents. An unknown agent has no calls. */
  agentId?: number | undefined;
}

/** Dispositions of transferred calls; an agent may extract the second one (contract 8.4). */
const transfers: ReadonlySet<string> = new Set(['transfer_call', 'call_transferred']);

/**
 * Figures for the calls of one day (contract 15.2). Throws ValidationError for a day that does not exist.
 */
export async function getDailyReport({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: DailyReportInput;
}): Promise<DailyReport> {
  const { agentId, zone } = input;
  const day = requestedDay(input);
  const select = () => selectCalls(ctx, { ...day, agentId });
  const used = await sumUsage(select());
  const outcomes = await countOutcomes(select());
  const durations = await countDurations(select());
  const completedCount = await select()
    .andWhere('call.state IN (:...ended)', { ended: ['ended', 'refused'] })
    .getCount();
  const transferCount = outcomes
    .filter(({ disposition }) => transfers.has(disposition))
    .reduce((sum, { count }) => sum + count, 0);
  const timedCount = [...durations.values()].reduce((sum, count) => sum + count, 0);
  return toDailyReport({
    day,
    zone,
    agentId,
    used,
    timedCount,
    completedCount,
    transferCount,
    outcomes: outcomeShares(outcomes),
    durations: durationShares(durations),
  });
}

async function countOutcomes(
  query: NarrowedQuery<CallRow>,
): Promise<{ disposition: string; count: number }[]> {
  const rows = await query
    .select('call.disposition', 'disposition')
    .addSelect('COUNT(*)', 'count')
    .andWhere('call.disposition IS NOT NULL')
    .groupBy('call.disposition')
    .getRawMany<{ disposition: string }>();
  return rows.map((row) => ({ disposition: row.disposition, count: numberAt(row, 'count') }));
}

/** Counts of calls by index of `rangeStarts`. */
async function countDurations(query: NarrowedQuery<CallRow>): Promise<Map<number, number>> {
  const index = rangeStarts
    .slice(1)
    .map((start) => `(call.durationSeconds >= ${start})`)
    .join(' + ');
  const rows = await query
    .select(index, 'part')
    .addSelect('COUNT(*)', 'count')
    .andWhere('call.startedAt IS NOT NULL')
    .andWhere('call.durationSeconds IS NOT NULL')
    .groupBy('part')
    .getRawMany<unknown>();
  return new Map(rows.map((row) => [numberAt(row, 'part'), numberAt(row, 'count')]));
}
