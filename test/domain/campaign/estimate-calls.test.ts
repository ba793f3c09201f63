import { describe, expect, test } from '@jest/globals';
import {
  boundsOf,
  estimateCalls,
  lineSeconds,
  type UsualCalls,
} from '../../../src/domain/campaign/estimate.ts';
import { rulesOf } from '../../../src/domain/campaign/rules.ts';
import type { CampaignRulesInput } from '../../../src/domain/campaign/settings.ts';

/** Each call lasts a minute, answered or not. */
const minute: UsualCalls = { answeredShare: 0.5, answeredSeconds: 90, unansweredSeconds: 30, calls: 0 };
/** Thursday, 9:00 in Chicago, 10:00 in New York. */
const now = new Date('2026-11-19T15:00:00Z');
const berlin = ['Europe/Berlin'];
const newYork = ['America/New_York'];
const chicago = ['America/Chicago'];
const losAngeles = ['America/Los_Angeles'];

interface Given {
  groups?: { zones: string[]; rows: number; from?: string }[];
  hours?: [string, string] | null;
  zone?: string;
  days?: number[];
  rules?: CampaignRulesInput;
  lines?: number;
  pace?: number;
  usual?: UsualCalls;
  at?: string;
  policy?: [string, string];
}

function estimated({
  groups = [{ zones: newYork, rows: 600 }],
  hours = null,
  zone = 'UTC',
  days = [0, 1, 2, 3, 4],
  rules = { window_zone: 'contact' },
  lines = 10,
  pace = 100,
  usual = minute,
  at = now.toISOString(),
  policy,
}: Given) {
  const start = new Date(at);
  const {
    beginsAt,
    allCalledAt,
    dialingMs,
    groups: each,
  } = estimateCalls({
    groups: groups.map(({ from, ...group }) => ({
      ...group,
      from: from === undefined ? null : new Date(from),
    })),
    rules: rulesOf(
      {
        retry_config: null,
        max_concurrency: null,
        circuit_breaker: null,
        rules,
        schedule_config:
          hours === null
            ? null
            : {
                timezone: zone,
                slots: days.map((day_of_week) => ({ day_of_week, start_time: hours[0], end_time: hours[1] })),
              },
      },
      {
        startsPerSecond: pace,
        ...(policy === undefined
          ? {}
          : { window: { slots: days.map((day) => ({ day, start: policy[0], end: policy[1] })) } }),
      },
    ),
    lines,
    usual,
    since: start,
    now: start,
  });
  const text = (when: Date | null) => when?.toISOString().replace('.000Z', 'Z') ?? null;
  return {
    begins: text(beginsAt),
    ends: text(allCalledAt),
    minutes: dialingMs / 60_000,
    each: each.map(({ endsAt, neverOpens }) => (neverOpens ? 'never' : text(endsAt))),
  };
}

test('a dial uses its line as long as answered and unanswered calls do on average', () => {
  expect(lineSeconds(minute)).toBe(60);
  expect(lineSeconds({ answeredShare: 0.25, answeredSeconds: 100, unansweredSeconds: 20, calls: 9 })).toBe(
    40,
  );
});

describe('everybody is called once at the time that lines, pace and hours give', () => {
  test.each<[string, Given, Partial<ReturnType<typeof estimated>>]>([
    [
      '600 calls of a minute on 10 lines take an hour',
      {},
      { begins: '2026-11-19T15:00:00Z', ends: '2026-11-19T16:00:00Z', minutes: 60 },
    ],
    ['twice the lines take half of it', { lines: 20 }, { ends: '2026-11-19T15:30:00Z' }],
    [
      'a slow pace counts instead of the lines, and the last call still lasts',
      { pace: 0.1 },
      { ends: '2026-11-19T16:41:00Z', minutes: 100 },
    ],
    [
      "the campaign's own pace counts if it is slower",
      { rules: { starts_per_second: 0.1 } },
      { minutes: 100 },
    ],
    [
      "the organization's pace counts if it is slower",
      { rules: { starts_per_second: 5 }, pace: 0.1 },
      { minutes: 100 },
    ],
    [
      'one person takes one call',
      { groups: [{ zones: newYork, rows: 1 }] },
      { ends: '2026-11-19T15:01:00Z' },
    ],
    [
      // 2 + 4 + 6 + 8 + 10 = 30 in five minutes, then 570 at 10 a minute.
      'a ramp adds its lines minute by minute',
      { rules: { ramp: { lines: 2, each_minute: 2 } } },
      { minutes: 62 },
    ],
    [
      'a ramp that adds nothing keeps its lines',
      { rules: { ramp: { lines: 5, each_minute: 0 } } },
      { minutes: 120 },
    ],
    ['nobody to call has no end', { groups: [] }, { begins: null, ends: null, minutes: 0 }],
    [
      // New York opens at 14:00 UTC, so an hour is over; it closes at 22:00.
      'what does not fit into a day continues the next day',
      { groups: [{ zones: newYork, rows: 600 * 8 }], hours: ['09:00', '17:00'] },
      { begins: '2026-11-19T15:00:00Z', ends: '2026-11-20T15:00:00Z', minutes: 480 },
    ],
    [
      'and after the weekend',
      { groups: [{ zones: newYork, rows: 600 * 16 }], hours: ['09:00', '17:00'] },
      { ends: '2026-11-23T15:00:00Z', minutes: 960 },
    ],
    [
      // New York alone from 9:00, Los Angeles alone from its 9:00 at 17:00 UTC.
      'a zone whose hours open later is called later',
      {
        groups: [
          { zones: newYork, rows: 600 },
          { zones: losAngeles, rows: 600 },
        ],
        hours: ['09:00', '17:00'],
      },
      {
        begins: '2026-11-19T15:00:00Z',
        ends: '2026-11-19T18:00:00Z',
        minutes: 120,
        each: ['2026-11-19T16:00:00Z', '2026-11-19T18:00:00Z'],
      },
    ],
    [
      // Both are open: 300 + 600 rows take 90 minutes together.
      'zones that are open together share the lines by their rows',
      {
        groups: [
          { zones: newYork, rows: 300 },
          { zones: chicago, rows: 600 },
        ],
        hours: ['09:00', '17:00'],
      },
      { minutes: 90, each: ['2026-11-19T16:30:00Z', '2026-11-19T16:30:00Z'] },
    ],
    [
      // Berlin closes at 16:00 UTC with 300 of its 600 called, and continues on Friday at 8:00 UTC.
      'of zones that share the lines, one that closes first continues the next day',
      {
        groups: [
          { zones: berlin, rows: 600 },
          { zones: newYork, rows: 600 },
        ],
        hours: ['09:00', '17:00'],
      },
      {
        minutes: 120,
        each: ['2026-11-20T08:30:00Z', '2026-11-19T16:30:00Z'],
        ends: '2026-11-20T08:30:00Z',
      },
    ],
    [
      'with the order of closing hours, that zone is called first',
      {
        groups: [
          { zones: newYork, rows: 600 },
          { zones: berlin, rows: 600 },
        ],
        hours: ['09:00', '17:00'],
        rules: { window_zone: 'contact', start_order: 'closing_window' },
      },
      { minutes: 120, each: ['2026-11-19T17:00:00Z', '2026-11-19T16:00:00Z'] },
    ],
    [
      'a contact who may be in two zones is called while both are open',
      { groups: [{ zones: [...newYork, ...losAngeles], rows: 600 }], hours: ['09:00', '17:00'] },
      { begins: '2026-11-19T17:00:00Z', ends: '2026-11-19T18:00:00Z' },
    ],
    [
      "the organization's hours count, too",
      { hours: ['08:00', '20:00'], policy: ['11:00', '12:00'] },
      { begins: '2026-11-19T16:00:00Z', ends: '2026-11-19T17:00:00Z' },
    ],
    [
      "the campaign's clock counts without a zone",
      { groups: [{ zones: [], rows: 600 }], hours: ['09:00', '17:00'], zone: 'America/Los_Angeles' },
      { begins: '2026-11-19T17:00:00Z' },
    ],
    [
      'rows that are due later are called later',
      { groups: [{ zones: newYork, rows: 100, from: '2026-11-19T18:00:00Z' }] },
      { begins: '2026-11-19T18:00:00Z', ends: '2026-11-19T18:10:00Z', minutes: 10 },
    ],
    [
      // Monday 2026-03-09 is the first weekday after the change: 9:00 is 13:00 UTC and no longer 14:00.
      'after the clocks change, hours open at their new time',
      { at: '2026-03-06T21:30:00Z', hours: ['09:00', '17:00'] },
      { begins: '2026-03-06T21:30:00Z', ends: '2026-03-09T13:30:00Z', minutes: 60 },
    ],
    [
      // Sunday 2026-03-08, 1:00 to 4:00: the hour from 2:00 does not exist, so the hours last from 6:00 to 8:00 UTC.
      'a skipped hour calls nobody',
      {
        at: '2026-03-08T05:00:00Z',
        days: [6],
        hours: ['01:00', '04:00'],
        groups: [{ zones: newYork, rows: 1500 }],
      },
      { begins: '2026-03-08T06:00:00Z', ends: '2026-03-15T05:30:00Z', minutes: 150 },
    ],
    [
      'hours that never open have no end, and say so',
      { days: [], hours: ['09:00', '17:00'] },
      { begins: null, ends: null, each: ['never'] },
    ],
    [
      'rows whose hours never open do not keep the others from their end',
      {
        groups: [
          { zones: ['Mars/Olympus'], rows: 5 },
          { zones: newYork, rows: 600 },
        ],
        hours: ['09:00', '17:00'],
      },
      { ends: '2026-11-19T16:00:00Z', each: ['never', '2026-11-19T16:00:00Z'] },
    ],
    [
      'an end beyond a year is not told',
      { groups: [{ zones: newYork, rows: 10_000_000 }], lines: 1 },
      { begins: '2026-11-19T15:00:00Z', ends: null },
    ],
  ])('%s', (_, given, expected) => {
    expect(estimated(given)).toMatchObject(expected);
  });
});

test('a million people in every zone are estimated without looking at each', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const begun = process.cpuUsage();
  const { ends } = estimated({
    groups: zones.map((zone) => ({ zones: [zone], rows: 2500 })),
    hours: ['09:00', '20:00'],
    lines: 50,
    pace: 1,
  });
  expect(ends).not.toBeNull();
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(1000);
});

test('the bounds are the nearer the more calls were measured, and never beyond nobody or everybody', () => {
  const shares = (answeredShare: number, calls: number) => {
    const { fewest, most } = boundsOf({ answeredShare, answeredSeconds: 90, unansweredSeconds: 25, calls });
    return [fewest, most].map((each) => Math.round(each.answeredShare * 1000) / 1000);
  };
  expect(shares(0.4, 500)).toEqual([0.357, 0.443]);
  expect(shares(0.4, 20)).toEqual([0.185, 0.615]);
  expect(shares(0.4, 0)).toEqual(shares(0.4, 20));
  expect(shares(0.05, 20)).toEqual([0, 0.146]);
});
