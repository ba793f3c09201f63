import { In } from 'typeorm';
import { maxReportDays, type CallReport, type ReportGrouping } from '../../../contract/call-reports.ts';
import { findRows, queryRows } from '../../../db/rows.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { campaigns } from '../../../db/tables/campaigns.ts';
import { daysBetween, type Day } from '../../../domain/usage/days.ts';
import { outcomeShares } from '../../../domain/usage/distribution.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { CallFilter } from '../records/filters.ts';
import { selectCalls, type CallSelection } from '../records/select.ts';
import { dayIndex } from './by-day.ts';
import { agentNames } from './list-runs.ts';
import { toCallReport, type ReportFigures } from './mapper.ts';
import { refusedDay, requestedDay } from './requested-day.ts';
import { numberAt } from './totals.ts';

export interface CallReportInput {
  /** The first and the last day, `2026-11-21`. */
  from: string;
  to: string;
  /** An IANA name. */
  zone: string;
  groupBy: ReportGrouping;
  /** Absent = all agents. An unknown agent has no calls. */
  agentId?: number | undefined;
  /** Absent = all calls. */
  campaignId?: number | undefined;
  /** From `readFilters`. */
  filters?: readonly CallFilter[];
}

/** Groups beyond these are only counted. */
const maxGroups = 200;

/** What calls are grouped by, as SQL over `call`. Days are numbered, because the server has no time zones. */
const columns = {
  agent: 'call.agentId',
  version: 'call.versionId',
  campaign: 'call.campaignId',
  disposition: 'call.disposition',
} as const satisfies Record<Exclude<ReportGrouping, 'day'>, string>;

/**
 * Figures for the calls of some days, as a whole and by group (contract 15.2). Throws ValidationError for days that do
 * not exist, are in the wrong order or are too many.
 */
export async function getCallReport({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: CallReportInput;
}): Promise<CallReport> {
  const { zone, groupBy, agentId, campaignId, filters = [] } = input;
  const days = requestedDays(input);
  const selection = { from: days[0]?.from, until: days.at(-1)?.until, agentId, campaignId, filters };
  const [total = emptyFigures('')] = await readFigures(ctx, selection, { expression: "''", parameters: {} });
  const by = groupBy === 'day' ? dayOfCall(days) : { expression: columns[groupBy], parameters: {} };
  const found = await readFigures(ctx, selection, by);
  const groups = groupBy === 'day' ? everyDay(days, found) : mostCallsFirst(found);
  const shown = groups.slice(0, maxGroups);
  const names = await namesOf(ctx, groupBy, shown);
  return toCallReport({
    days,
    zone,
    groupBy,
    total,
    groups: shown.map((each) => ({ ...each, name: names.get(each.key) ?? null })),
    leftOut: groups.length - shown.length,
  });
}

/** The index of a call's day. MySQL would take a bare number in a window for the position of a column. */
function dayOfCall(days: readonly Day[]): Grouping {
  const { expression, parameters } = dayIndex(days);
  return { expression: `0 + ${expression}`, parameters };
}

function requestedDays({ from, to, zone }: Pick<CallReportInput, 'from' | 'to' | 'zone'>): Day[] {
  requestedDay({ date: from, zone, field: 'from' });
  requestedDay({ date: to, zone, field: 'to' });
  const days = daysBetween({ from, to, zone });
  if (days.length === 0)
    throw refusedDay({ date: to, field: 'to', fault: 'the last day is before the first' });
  if (days.length > maxReportDays)
    throw refusedDay({ date: to, field: 'to', fault: `a report covers at most ${maxReportDays} days` });
  return days;
}

interface Grouping {
  /** SQL over `call`. */
  expression: string;
  parameters: Record<string, Date>;
}

/** The figures of each group that has calls. */
async function readFigures(
  ctx: ServiceContext,
  selection: CallSelection,
  { expression, parameters }: Grouping,
): Promise<ReportFigures[]> {
  const select = () => selectCalls(ctx, selection).setParameters(parameters).select(expression, 'part');
  const sums = await select()
    .addSelect('COUNT(*)', 'calls')
    .addSelect("SUM(call.state IN ('ended', 'refused'))", 'ended')
    .addSelect('SUM(call.startedAt IS NOT NULL AND call.durationSeconds IS NOT NULL)', 'timed')
    .addSelect('SUM(ROUND(call.durationSeconds))', 'seconds')
    .addSelect('SUM(call.costUsd)', 'usd')
    .groupBy('part')
    .getRawMany<SumRow>();
  const outcomes = await select()
    .addSelect('call.disposition', 'disposition')
    .addSelect('COUNT(*)', 'count')
    .andWhere('call.disposition IS NOT NULL')
    .groupBy('part')
    .addGroupBy('disposition')
    .getRawMany<OutcomeRow>();
  const outcomesOf = Map.groupBy(outcomes, keyOf);
  const waits = new Map((await readWaits(ctx, select(), expression)).map((row) => [keyOf(row), row]));
  return sums.map((row) => {
    const key = keyOf(row);
    const wait = waits.get(key);
    return {
      key,
      calls: numberAt(row, 'calls'),
      endedCalls: numberAt(row, 'ended'),
      timedCalls: numberAt(row, 'timed'),
      durationSeconds: numberAt(row, 'seconds'),
      costUsd: row.usd === null ? null : Number(row.usd),
      latencyP50Ms: wait === undefined ? null : numberAt(wait, 'p50'),
      latencyP95Ms: wait === undefined ? null : numberAt(wait, 'p95'),
      outcomes: outcomeShares(
        (outcomesOf.get(key) ?? []).map((each) => ({
          disposition: each.disposition,
          count: numberAt(each, 'count'),
        })),
      ),
    };
  });
}

interface PartRow {
  part: string | number | null;
}
interface SumRow extends PartRow {
  usd: string | number | null;
}
interface OutcomeRow extends PartRow {
  disposition: string;
}

const keyOf = ({ part }: PartRow): string => String(part ?? '');

/** Percentiles by nearest rank over the calls of each group. The server ranks them, because they may be a million. */
async function readWaits(
  { db, organizationId }: ServiceContext,
  select: ReturnType<typeof selectCalls>,
  expression: string,
): Promise<PartRow[]> {
  const [sql, values] = select
    .addSelect('call.latencyP95Ms', 'wait')
    .addSelect(`ROW_NUMBER() OVER (PARTITION BY ${expression} ORDER BY call.latencyP95Ms)`, 'place')
    .addSelect(`COUNT(*) OVER (PARTITION BY ${expression})`, 'total')
    .andWhere('call.latencyP95Ms IS NOT NULL')
    .getQueryAndParameters();
  const atLeast = (share: number) => `MIN(CASE WHEN place >= ${share} * total THEN wait END)`;
  return await queryRows<PartRow>(db, {
    organizationId,
    sql: `SELECT part, ${atLeast(0.5)} AS p50, ${atLeast(0.95)} AS p95 FROM (${sql}) AS ranked GROUP BY part`,
    values,
  });
}

const emptyFigures = (key: string): ReportFigures => ({
  key,
  calls: 0,
  endedCalls: 0,
  timedCalls: 0,
  durationSeconds: 0,
  costUsd: null,
  latencyP50Ms: null,
  latencyP95Ms: null,
  outcomes: [],
});

/** Days are found by their index. */
function everyDay(days: readonly Day[], found: readonly ReportFigures[]): ReportFigures[] {
  const byIndex = new Map(found.map((each) => [each.key, each]));
  return days.map(({ date }, index) => ({
    ...(byIndex.get(String(index)) ?? emptyFigures(date)),
    key: date,
  }));
}

const mostCallsFirst = (found: readonly ReportFigures[]): ReportFigures[] =>
  found.toSorted((one, other) => other.calls - one.calls || (one.key < other.key ? -1 : 1));

/** Names of groups by key. */
async function namesOf(
  ctx: ServiceContext,
  groupBy: ReportGrouping,
  groups: readonly ReportFigures[],
): Promise<Map<string, string>> {
  const ids = groups.flatMap(({ key }) => (key === '' ? [] : [Number(key)]));
  const { db, organizationId } = ctx;
  switch (groupBy) {
    case 'day':
    case 'disposition':
      return new Map();
    case 'agent':
      return new Map([...(await agentNames(ctx, ids))].map(([id, name]) => [String(id), name]));
    case 'campaign': {
      const rows = await findRows(db, campaigns, { organizationId, id: In(ids) }, { select: ['id', 'name'] });
      return new Map(rows.map(({ id, name }) => [String(id), name]));
    }
    case 'version': {
      const rows = await findRows(
        db,
        agentVersions,
        { organizationId, id: In(ids) },
        { select: ['id', 'agentId', 'number'] },
      );
      const names = await agentNames(
        ctx,
        rows.map(({ agentId }) => agentId),
      );
      return new Map(
        rows.map(({ id, agentId, number }) => [String(id), `${names.get(agentId) ?? ''} v${number}`]),
      );
    }
  }
}
