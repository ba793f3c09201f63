import type { ReportGrouping } from '../../../../src/contract/call-reports.ts';

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
  /** Length in days, today included. Absent: 30. */
  days?: Period | undefined;
  /** Absent: by agent. */
  by?: ReportGrouping | undefined;
  /** Id of the only agent. */
  agent?: number | undefined;
}

/** Reads search parameters; what is unknown or wrong is left out. */
export function reportsSearch({ days, by, agent }: Record<string, unknown>): ReportsSearch {
  const period = periods.find((each) => each === Number(days));
  const grouping = groupings.find((each) => each === by);
  const id = Number(agent);
  return {
    ...(period === undefined ? {} : { days: period }),
    ...(grouping === undefined ? {} : { by: grouping }),
    ...(Number.isInteger(id) && id > 0 ? { agent: id } : {}),
  };
}
