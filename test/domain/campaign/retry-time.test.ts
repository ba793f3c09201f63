import { describe, expect, test } from '@jest/globals';
import type { RetryRule } from '../../../src/domain/campaign/retry-plan.ts';
import { dueAfter } from '../../../src/domain/campaign/retry-time.ts';
import { rulesOf } from '../../../src/domain/campaign/rules.ts';
import type { CampaignSettings } from '../../../src/domain/campaign/settings.ts';

const zone = 'Europe/Berlin';
const minuteMs = 60_000;
const morning = { start_time: '09:00', end_time: '12:00' };
const afternoon = { start_time: '12:00', end_time: '17:00' };
const everyDay = (hours: typeof morning) =>
  Array.from({ length: 7 }, (_, day_of_week) => ({ day_of_week, ...hours }));

type Slots = NonNullable<CampaignSettings['schedule_config']>['slots'];

const windowOf = (slots: Slots) =>
  rulesOf(
    {
      retry_config: null,
      max_concurrency: null,
      schedule_config: { timezone: zone, slots },
      circuit_breaker: null,
      rules: {},
    },
    {},
  ).window;

function due(
  rule: Partial<RetryRule>,
  {
    spentAttempts = 0,
    at = '2026-11-20T09:00:00Z',
    slots = [...everyDay(morning), ...everyDay(afternoon)],
  } = {},
): string {
  const found = dueAfter({
    rule: { waitsMs: [], maxRetries: 9, isNextDay: false, isOtherPartOfDay: false, ...rule },
    spentAttempts,
    now: new Date(at),
    window: windowOf(slots),
    zones: [zone],
  });
  return found.toISOString();
}

describe('the time of a retry', () => {
  test.each([
    ['the first attempt, the first wait alone counts', 0, '2026-11-20T09:01:00.000Z'],
    ['the second attempt, the second wait alone counts', 1, '2026-11-20T09:02:00.000Z'],
    ['all waits are used, it is in another part of the day', 2, '2026-11-20T11:00:00.000Z'],
  ])('of a rule with two waits: after %s', (_title, spentAttempts, expected) => {
    const rule = { waitsMs: [minuteMs, 2 * minuteMs], isOtherPartOfDay: true };
    expect(due(rule, { spentAttempts })).toBe(expected);
  });

  test.each([
    ['at the same hour where its wait is shorter', 60 * minuteMs, '2026-11-21T09:00:00.000Z'],
    ['after its wait where that is longer', 48 * 60 * minuteMs, '2026-11-22T09:00:00.000Z'],
  ])('of the next day is %s', (_title, waitMs, expected) => {
    expect(due({ waitsMs: [waitMs], isNextDay: true })).toBe(expected);
  });

  test('finds another part of the day that the window has on one day of the week only', () => {
    // From a Friday afternoon: every day has an afternoon, and only Fridays have a morning.
    const slots = [...everyDay(afternoon), { day_of_week: 4, ...morning }];
    expect(
      due({ waitsMs: [0], isOtherPartOfDay: true }, { spentAttempts: 1, at: '2026-11-20T13:00:00Z', slots }),
    ).toBe('2026-11-27T08:00:00.000Z');
  });

  test('is the wait alone where the window never opens', () => {
    const rule = { waitsMs: [minuteMs], isOtherPartOfDay: true };
    expect(due(rule, { spentAttempts: 1, slots: [] })).toBe('2026-11-20T09:01:00.000Z');
  });

  test('is the wait alone where the window has no other part of the day', () => {
    const rule = { waitsMs: [minuteMs], isOtherPartOfDay: true };
    expect(due(rule, { spentAttempts: 1, slots: everyDay(morning) })).toBe('2026-11-20T09:01:00.000Z');
  });
});
