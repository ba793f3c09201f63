import { expect, test } from '@jest/globals';
import { estimateCompletion } from '../../../src/domain/campaign/estimate.ts';
import { rulesOf } from '../../../src/domain/campaign/rules.ts';

const settings = (slots: { day_of_week: number; start_time: string; end_time: string }[]) => ({
  retry_config: null,
  max_concurrency: null,
  circuit_breaker: null,
  rules: null,
  schedule_config: { timezone: 'Europe/Berlin', slots },
});
const windowOf = (start: string, end: string) =>
  rulesOf(
    settings([0, 1, 2, 3, 4].map((day_of_week) => ({ day_of_week, start_time: start, end_time: end }))),
    {},
  ).window;
const office = windowOf('09:00', '17:00');
/** 16:00 in Berlin, on a Friday. */
const now = new Date('2026-11-20T15:00:00Z');
/** One row a minute. */
const recent = { from: new Date('2026-11-20T14:50:00Z'), to: now, ended: 10 };
const estimated = (given: Partial<Parameters<typeof estimateCompletion>[0]>) =>
  estimateCompletion({ remaining: 30, recent, window: office, latestDueAt: null, now, ...given })
    ?.toISOString()
    .slice(0, 16) ?? null;

test.each<[string, Parameters<typeof estimated>[0], string | null]>([
  ['remaining rows take as long as the earlier ones', {}, '2026-11-20T15:30'],
  [
    'rows that do not fit into the day continue when the hours open next',
    { remaining: 90 },
    '2026-11-23T08:30',
  ],
  ['and over as many days as needed', { remaining: 60 + 480 + 480 + 5 }, '2026-11-25T08:05'],
  ['nothing ends while the hours are closed', { now: new Date('2026-11-21T12:00:00Z') }, '2026-11-23T08:30'],
  [
    'the estimate includes a row that is due later',
    { latestDueAt: new Date('2026-11-24T10:00:00Z') },
    '2026-11-24T10:00',
  ],
  ['none before a row has ended', { recent: null }, null],
  ['none after too few rows', { recent: { ...recent, ended: 4 } }, null],
  ['none for hours that never open', { window: rulesOf(settings([]), {}).window }, null],
  ['none without remaining rows', { remaining: 0 }, null],
])('%s', (_, given, expected) => {
  expect(estimated(given)).toBe(expected);
});
