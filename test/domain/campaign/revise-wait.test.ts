import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { reviseWait, type WaitingTarget } from '../../../src/domain/campaign/revise-wait.ts';
import { rulesOf } from '../../../src/domain/campaign/rules.ts';
import { postpone } from '../../../src/domain/campaign/settle.ts';
import type { CampaignSettings } from '../../../src/domain/campaign/settings.ts';
import { windowAt } from '../../../src/domain/campaign/windows.ts';
import { propertyRuns, propertySeed } from '../../support/seed.ts';

const settings = (start: string, end: string): CampaignSettings => ({
  retry_config: null,
  max_concurrency: null,
  circuit_breaker: null,
  rules: null,
  schedule_config: {
    timezone: 'Europe/Berlin',
    slots: Array.from({ length: 7 }, (_, day_of_week) => ({ day_of_week, start_time: start, end_time: end })),
  },
});
const hours = (start: string, end: string) => rulesOf(settings(start, end), {});
const noon = new Date('2026-11-23T11:00:00Z');
const evening = new Date('2026-11-23T19:30:00Z');
const row = (given: Partial<WaitingTarget>): WaitingTarget => ({
  dueAt: new Date('2026-11-24T08:00:00Z'),
  waitReason: 'outside_window',
  notBefore: evening,
  outcome: 'busy',
  zones: [],
  ...given,
});
const revised = (given: Partial<WaitingTarget>, rules = hours('09:00', '22:00'), dials: Date[] = []) => {
  const change = reviseWait({ row: row(given), rules, dials, now: noon });
  return change === null ? null : `${change.waitReason} ${change.dueAt?.toISOString().slice(5, 16)}`;
};

describe('after hours or caps have changed', () => {
  test.each<[string, Partial<WaitingTarget>, string | null]>([
    ['a row that waited for the hours waits for its plan', {}, 'retry 11-23T19:30'],
    ['a row without a planned wait may go now', { notBefore: null }, 'retry 11-23T11:00'],
    [
      'a callback that the hours had postponed is made when it was promised',
      { waitReason: 'callback', outcome: 'callback' },
      'callback 11-23T19:30',
    ],
    ['a callback at its time stays', { waitReason: 'callback', outcome: 'callback', dueAt: evening }, null],
    ['a wait of the plan stays', { waitReason: 'retry', dueAt: evening }, null],
    [
      'even one that ends outside the new hours, and is postponed then',
      {
        waitReason: 'retry',
        dueAt: new Date('2026-11-23T22:00:00Z'),
        notBefore: new Date('2026-11-23T22:00:00Z'),
      },
      null,
    ],
    ['so does one of a full carrier', { waitReason: 'no_line', dueAt: evening, outcome: 'capacity' }, null],
    [
      'a full carrier behind closed hours is the reason again',
      { outcome: 'capacity' },
      'no_line 11-23T19:30',
    ],
    [
      'a row that a cap postponed may go without caps',
      { waitReason: 'capped', notBefore: null, outcome: null },
      'retry 11-23T11:00',
    ],
  ])('%s', (_, given, expected) => {
    expect(revised(given)).toBe(expected);
  });

  test('caps that still hold keep rows waiting, and hours that never open change nothing', () => {
    const capped = { ...hours('09:00', '22:00'), caps: { perHour: 1, perDay: null, perWeek: null } };
    expect(revised({ notBefore: null }, capped, [new Date('2026-11-23T10:45:00Z')])).toBe(
      'capped 11-23T11:45',
    );
    expect(
      revised({}, rulesOf({ ...settings('09:00', '10:00'), schedule_config: { slots: [] } }, {})),
    ).toBeNull();
  });

  test('a postponed row is due within the new hours, not before its plan, as if these hours had always held; a second decision changes nothing', () => {
    const time = fc
      .integer({ min: 0, max: 1380 })
      .map(
        (minutes) =>
          `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`,
      );
    const spans = fc.tuple(time, time).filter(([start, end]) => start < end);
    const moments = fc
      .integer({ min: 0, max: 14 * 24 * 60 })
      .map((minutes) => new Date(Date.UTC(2026, 9, 18) + minutes * 60_000));
    fc.assert(
      fc.property(
        spans,
        spans,
        moments,
        fc.integer({ min: 0, max: 3000 }),
        (before, after, settledAt, waitMinutes) => {
          const notBefore = new Date(settledAt.getTime() + waitMinutes * 60_000);
          const put = postpone({
            window: hours(...before).window,
            zones: [],
            now: settledAt,
            at: notBefore,
            reason: 'retry',
          });
          fc.pre(put.waitReason === 'outside_window');
          const rules = hours(...after);
          const given = { ...put, notBefore, outcome: 'busy' as const, zones: [] };
          const change = reviseWait({ row: given, rules, dials: [], now: settledAt });
          const { dueAt, waitReason } = { ...put, ...change };
          if (dueAt === null) throw new Error('The row no longer waits');
          expect(windowAt(rules.window, { zones: [], at: dueAt }).isOpen).toBe(true);
          expect(dueAt >= notBefore).toBe(true);
          expect({ dueAt, waitReason }).toEqual(
            (({ state: _, ...rest }) => rest)(
              postpone({ window: rules.window, zones: [], now: settledAt, at: notBefore, reason: 'retry' }),
            ),
          );
          expect(
            reviseWait({ row: { ...given, dueAt, waitReason }, rules, dials: [], now: settledAt }),
          ).toBeNull();
        },
      ),
      { seed: propertySeed('revised waits'), numRuns: propertyRuns(200) },
    );
  });
});
