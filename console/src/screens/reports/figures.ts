import type { CallReport, CallReportFigures, ReportGrouping } from '../../../../src/contract/call-reports.ts';
import { dayAfter } from '../../app/days.ts';

export type Group = CallReport['groups'][number];

/** Days as `2026-11-20`, both included. */
export interface Range {
  from: string;
  to: string;
}

/** The last days up to today, and as many days before them. */
export function rangesOf(today: string, days: number): { now: Range; before: Range } {
  const from = dayAfter(today, 1 - days);
  return { now: { from, to: today }, before: { from: dayAfter(from, -days), to: dayAfter(from, -1) } };
}

/** How much more or less than before, as a share: 0.5 is half as much again. Null without a figure before. */
export function changeOf(now: number | null, before: number | null | undefined): number | null {
  if (now === null || before === null || before === undefined || before === 0) return null;
  return (now - before) / before;
}

/** The share of calls with the most frequent disposition; null without any. */
export function topDisposition({
  dispositions,
}: CallReportFigures): { disposition: string; share: number } | null {
  const sum = dispositions.reduce((total, { calls }) => total + calls, 0);
  const [top] = dispositions.toSorted((one, other) => other.calls - one.calls);
  return top === undefined ? null : { disposition: top.disposition, share: top.calls / sum };
}

/**
 * The filters of the list of calls that choose a group's calls. Null for a group that they cannot choose: of a version,
 * and of calls that have nothing to be grouped by.
 */
export function filtersOf(by: ReportGrouping, group: Group, { from, to }: Range): string | null {
  if (by === 'day') return `date:${group.key}`;
  const dates = `after:${from} before:${dayAfter(to, 1)}`;
  if (by === 'campaign') return group.key === '' ? null : `campaign:${group.key} ${dates}`;
  if (by === 'disposition') return group.key === '' ? null : `outcome:"${group.key}" ${dates}`;
  if (by === 'agent') return group.name === null ? null : `agent:"${group.name}" ${dates}`;
  return null;
}
