import { describe, expect, test } from '@jest/globals';
import { dayOf, lastDays, monthOf } from '../../../src/domain/usage/days.ts';

const shown = ({ from, until }: { from: Date; until: Date }) => [from.toISOString(), until.toISOString()];
const hoursOf = ({ from, until }: { from: Date; until: Date }) =>
  (until.getTime() - from.getTime()) / 3_600_000;

describe('days of a zone', () => {
  test.each([
    ['an ordinary one', { date: '2026-11-21', zone: 'Europe/Berlin' }, '2026-11-20T23:00:00.000Z', 24],
    ['clocks go forward', { date: '2026-03-29', zone: 'Europe/Berlin' }, '2026-03-28T23:00:00.000Z', 23],
    ['clocks go back', { date: '2026-10-25', zone: 'Europe/Berlin' }, '2026-10-24T22:00:00.000Z', 25],
    [
      'clocks go forward at midnight: the day begins at one',
      { date: '2026-04-24', zone: 'Africa/Cairo' },
      '2026-04-23T22:00:00.000Z',
      23,
    ],
    [
      'clocks go back to midnight: the day contains both midnights',
      { date: '2026-10-25', zone: 'Atlantic/Azores' },
      '2026-10-25T00:00:00.000Z',
      25,
    ],
    [
      'half an hour of summer time',
      { date: '2026-04-05', zone: 'Australia/Lord_Howe' },
      '2026-04-04T13:00:00.000Z',
      24.5,
    ],
    [
      'a zone with an offset in quarter hours',
      { date: '2026-11-21', zone: 'Asia/Kathmandu' },
      '2026-11-20T18:15:00.000Z',
      24,
    ],
    ['the 29th of February', { date: '2028-02-29', zone: 'UTC' }, '2028-02-29T00:00:00.000Z', 24],
  ])('%s', (_title, named, from, hours) => {
    const day = dayOf(named);
    expect([day?.from.toISOString(), day === null ? null : hoursOf(day)]).toEqual([from, hours]);
  });

  test('a day that a time zone skipped is empty', () => {
    expect(
      hoursOf(
        dayOf({ date: '2011-12-30', zone: 'Pacific/Apia' }) ?? { from: new Date(0), until: new Date(1) },
      ),
    ).toBe(0);
  });

  test.each(['2026-02-29', '2026-02-30', '2026-04-31', 'tomorrow', ''])('%j is not a valid day', (date) => {
    expect(dayOf({ date, zone: 'UTC' })).toBeNull();
  });

  test('the last days end with today, without gaps and overlaps, even when clocks change', () => {
    const days = lastDays({ now: new Date('2026-03-30T21:59:59.999Z'), zone: 'Europe/Berlin', count: 3 });
    expect(days.map(({ date }) => date)).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
    expect(days.map(hoursOf)).toEqual([24, 23, 24]);
    expect(days.slice(1).map(({ from }) => from)).toEqual(days.slice(0, -1).map(({ until }) => until));
    expect(
      lastDays({ now: new Date('2026-03-30T22:00:00.000Z'), zone: 'Europe/Berlin', count: 1 })[0]?.date,
    ).toBe('2026-03-31');
  });

  test('a month is the current one in the time zone, from its midnight to that of the next month', () => {
    const now = new Date('2026-10-31T23:30:00.000Z');
    expect(shown(monthOf({ now, zone: 'UTC' }))).toEqual([
      '2026-10-01T00:00:00.000Z',
      '2026-11-01T00:00:00.000Z',
    ]);
    expect(shown(monthOf({ now, zone: 'Europe/Berlin' }))).toEqual([
      '2026-10-31T23:00:00.000Z',
      '2026-11-30T23:00:00.000Z',
    ]);
    expect(shown(monthOf({ now: new Date('2026-12-31T12:00:00.000Z'), zone: 'UTC' }))[1]).toBe(
      '2027-01-01T00:00:00.000Z',
    );
  });
});
