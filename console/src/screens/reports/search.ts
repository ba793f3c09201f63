import type { ReportGrouping } from '../../../../src/contract/call-reports.ts';
import { isDay, isRange } from './figures.ts';

export const periods = [7, 30, 90] as const;
export type Period = (typeof periods)[number];

export const groupings = [
  'day',
  'agent',
  'version',
  'campaign',
  'disposition',
] as const satisfies readonly ReportGrouping[];

/** The state of the reports in their URL. */
export interface ReportsSearch {
  /** Length in days, today included. Absent: 30, or the days from `from` to `to`. */
  days?: Period | undefined;
  /** The first and the last day of a chosen period, both included. */
  from?: string | undefined;
  to?: string | undefined;
  /** Absent: by agent. */
  by?: ReportGrouping | undefined;
  /** Id of the only agent. */
  agent?: number | undefined;
  /** Id of the only campaign. */
  campaign?: number | undefined;
  /** Keys of two groups that are set side by side. */
  one?: string | undefined;
  other?: string | undefined;
}

/** Reads search parameters; what is unknown or wrong is left out. */
export function reportsSearch({
  days,
  from,
  to,
  by,
  agent,
  campaign,
  one,
  other,
}: Record<string, unknown>): ReportsSearch {
  const period = periods.find((each) => each === Number(days));
  const grouping = groupings.find((each) => each === by);
  const hasRange = isDay(from) && isDay(to) && isRange({ from, to });
  return {
    ...(hasRange ? { from, to } : period === undefined ? {} : { days: period }),
    ...(grouping === undefined ? {} : { by: grouping }),
    ...idIn('agent', agent),
    ...idIn('campaign', campaign),
    ...keyIn('one', one),
    ...keyIn('other', other),
  };
}

const idIn = (name: 'agent' | 'campaign', value: unknown) => {
  const id = Number(value);
  return Number.isInteger(id) && id > 0 ? { [name]: id } : {};
};

/** The router reads `one=42` as a number. */
const keyIn = (name: 'one' | 'other', value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? { [name]: String(value) } : {};
