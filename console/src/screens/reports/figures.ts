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

/** As many days as a report may cover. */
export const maxDays = 92;

const lengthOf = ({ from, to }: Range): number =>
  Math.round((Date.parse(`${to}T12:00:00Z`) - Date.parse(`${from}T12:00:00Z`)) / 86_400_000) + 1;

export const isDay = (text: unknown): text is string =>
  typeof text === 'string' &&
  /^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text) &&
  !Number.isNaN(Date.parse(`${text}T12:00:00Z`));

/** Whether the days are in order, and not more than a report may cover. */
export const isRange = (range: Range): boolean => lengthOf(range) >= 1 && lengthOf(range) <= maxDays;

/** A chosen period, and as many days before it. */
export const chosenRanges = (now: Range): { now: Range; before: Range; days: number } => {
  const days = lengthOf(now);
  return { now, before: { from: dayAfter(now.from, -days), to: dayAfter(now.from, -1) }, days };
};

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

/** What a report is narrowed to, by id. */
export interface Narrowing {
  agent?: number | undefined;
  campaign?: number | undefined;
}

/**
 * The filters of the list of calls that choose a group's calls, of those that the report is narrowed to. Null for calls
 * that have nothing to be grouped by.
 */
export function filtersOf(
  by: ReportGrouping,
  { key, name }: Pick<Group, 'key' | 'name'>,
  { from, to, agent, campaign }: Range & Narrowing,
): string | null {
  if (key === '') return null;
  if (by === 'agent' && name === null) return null;
  const own = {
    day: `date:${key}`,
    agent: `agent:"${name ?? ''}"`,
    version: `version:${key}`,
    campaign: `campaign:${key}`,
    disposition: `outcome:"${key}"`,
  }[by];
  return [
    own,
    ...(agent === undefined || by === 'agent' ? [] : [`agent:${agent}`]),
    ...(campaign === undefined || by === 'campaign' ? [] : [`campaign:${campaign}`]),
    ...(by === 'day' ? [] : [`after:${from} before:${dayAfter(to, 1)}`]),
  ].join(' ');
}
