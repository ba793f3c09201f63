import type { DailyUsage } from '../../../contract/usage.ts';
import { lastDays, type Day } from '../../../domain/usage/days.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toDailyUsage } from './mapper.ts';
import type { CallFilter } from '../records/filters.ts';
import { selectCalls } from '../records/select.ts';
import { noUsage, sumUsage, sumUsageBy } from './totals.ts';
import { zoneOf } from '../../identity/index.ts';

export interface DailyUsageInput {
  /** Number of days, today included. */
  days: number;
  /** An IANA name; absent = the organization's. */
  zone?: string | undefined;
  /** From `readFilters`. */
  filters?: readonly CallFilter[];
}

/** Usage of the calls that pass the filters, by day in one zone, today included (contract 15.2). */
export async function getDailyUsage({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: DailyUsageInput;
}): Promise<DailyUsage> {
  const zone = input.zone ?? (await zoneOf(ctx));
  const days = lastDays({ now: ctx.clock.now(), zone, count: input.days });
  const all = { from: days[0]?.from, until: days.at(-1)?.until, filters: input.filters ?? [] };
  const { expression, parameters } = dayIndex(days);
  const byDay = await sumUsageBy(selectCalls(ctx, all).setParameters(parameters), expression);
  const total = await sumUsage(selectCalls(ctx, all));
  return toDailyUsage({
    days: days.map(({ date }, index) => ({ date, used: byDay.get(index) ?? noUsage })),
    total,
    zone,
  });
}

/**
 * SQL for the index of a call's day: it counts the later days that had begun when the call was made. The
 * server needs no time zone tables.
 */
export function dayIndex(days: readonly Day[]): { expression: string; parameters: Record<string, Date> } {
  const starts = days.slice(1).map(({ from }, index) => [`day${index + 1}`, from] as const);
  const expression = starts.map(([name]) => `(call.createdAt >= :${name})`).join(' + ');
  return { expression: expression === '' ? '0' : expression, parameters: Object.fromEntries(starts) };
}
