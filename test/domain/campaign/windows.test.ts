import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { weeklyHours, type Slot } from '../../../src/domain/campaign/weekly-hours.ts';
import {
  intoWindow,
  neverOpens,
  windowAt,
  type CallingWindow,
} from '../../../src/domain/campaign/windows.ts';
import { propertyRuns, propertySeed } from '../../support/seed.ts';
import { isWithin } from '../../support/wall-clock.ts';

const everyDay = (start: string, end: string): Slot[] =>
  Array.from({ length: 7 }, (_, day) => ({ day, start, end }));

function windowOf({
  campaign = null,
  policy = null,
  campaignZone = 'UTC',
  isInContactZone = false,
}: {
  campaign?: Slot[] | null;
  policy?: Slot[] | null;
  campaignZone?: string;
  isInContactZone?: boolean;
}): CallingWindow {
  return {
    campaign: campaign && weeklyHours(campaign),
    policy: policy && weeklyHours(policy),
    campaignZone,
    isInContactZone,
    isByContact: policy !== null || isInContactZone,
  };
}

const said = (window: CallingWindow, at: string, zones: string[] = []) => {
  const state = windowAt(window, { zones, at: new Date(at) });
  return state.isOpen
    ? `open until ${state.closesAt?.toISOString() ?? 'further notice'}`
    : `closed until ${state.opensAt?.toISOString() ?? 'never'}`;
};

describe('hours of a week', () => {
  test('merges slots that touch or overlap, in order, ignores empty ones, and ends the day at 24:00', () => {
    expect(
      weeklyHours([
        { day: 1, start: '00:00', end: '02:00' },
        { day: 0, start: '20:00', end: '24:00' },
        { day: 0, start: '21:00', end: '22:00' },
        { day: 3, start: '10:00', end: '10:00' },
      ]),
    ).toEqual({ ranges: [{ from: 1200, until: 1560 }] });
  });
});

describe('a calling window', () => {
  const office = windowOf({ campaign: everyDay('09:00', '18:00'), campaignZone: 'Europe/Berlin' });

  // guarantee: calling-window-edges-exact
  test.each([
    ['before it opens', '2026-11-20T07:59:59.999Z', 'closed until 2026-11-20T08:00:00.000Z'],
    ['the first instant is within', '2026-11-20T08:00:00.000Z', 'open until 2026-11-20T17:00:00.000Z'],
    ['so is the last', '2026-11-20T16:59:59.999Z', 'open until 2026-11-20T17:00:00.000Z'],
    ['the end is not', '2026-11-20T17:00:00.000Z', 'closed until 2026-11-21T08:00:00.000Z'],
    ['clocks go forward in the night', '2026-03-28T20:00:00.000Z', 'closed until 2026-03-29T07:00:00.000Z'],
    ['clocks go back in the night', '2026-10-24T20:00:00.000Z', 'closed until 2026-10-25T08:00:00.000Z'],
  ])('is exact to the millisecond: %s', (_title, at, expected) => {
    expect(said(office, at)).toBe(expected);
  });

  test.each([
    [
      'a skipped hour opens with the first instant after it',
      'Europe/Berlin',
      ['02:30', '04:00'],
      ['2026-03-29T00:00:00Z', 'closed until 2026-03-29T01:00:00.000Z'],
    ],
    [
      'hours that are skipped completely open a day later',
      'Europe/Berlin',
      ['02:00', '03:00'],
      ['2026-03-29T00:00:00Z', 'closed until 2026-03-30T00:00:00.000Z'],
    ],
    [
      'a repeated hour opens',
      'Europe/Berlin',
      ['02:00', '02:30'],
      ['2026-10-24T23:00:00Z', 'closed until 2026-10-25T00:00:00.000Z'],
    ],
    [
      'and opens again',
      'Europe/Berlin',
      ['02:00', '02:30'],
      ['2026-10-25T00:30:00Z', 'closed until 2026-10-25T01:00:00.000Z'],
    ],
    [
      'hours around it are an hour longer',
      'America/New_York',
      ['00:00', '04:00'],
      ['2026-11-01T04:00:00Z', 'open until 2026-11-01T09:00:00.000Z'],
    ],
    [
      'a summer time of half an hour',
      'Australia/Lord_Howe',
      ['01:30', '02:30'],
      ['2026-04-04T14:30:00Z', 'open until 2026-04-04T16:00:00.000Z'],
    ],
    [
      'a zone of quarter hours',
      'Asia/Kathmandu',
      ['09:00', '10:00'],
      ['2026-11-20T00:00:00Z', 'closed until 2026-11-20T03:15:00.000Z'],
    ],
    [
      'a day that a zone skipped',
      'Pacific/Apia',
      ['09:00', '10:00'],
      ['2011-12-29T21:00:00Z', 'closed until 2011-12-30T19:00:00.000Z'],
    ],
  ])('%s', (_title, campaignZone, [start = '', end = ''], [at = '', expected = '']) => {
    expect(said(windowOf({ campaign: everyDay(start, end), campaignZone }), at)).toBe(expected);
  });

  test('opens an hour of one night a week that a clock change skips in the next week', () => {
    const sunday = windowOf({
      campaign: [{ day: 6, start: '02:00', end: '03:00' }],
      campaignZone: 'Europe/Berlin',
    });
    expect(said(sunday, '2026-03-22T02:00:00Z')).toBe('closed until 2026-04-05T00:00:00.000Z');
  });

  test('in contact zones must be open in every possible zone', () => {
    const window = windowOf({
      campaign: everyDay('09:00', '20:00'),
      isInContactZone: true,
      campaignZone: 'Europe/Berlin',
    });
    expect(said(window, '2026-11-20T13:00:00Z', ['America/New_York', 'America/Chicago'])).toBe(
      'closed until 2026-11-20T15:00:00.000Z',
    );
    expect(said(window, '2026-11-20T15:00:00Z', ['America/New_York', 'America/Chicago'])).toBe(
      'open until 2026-11-21T01:00:00.000Z',
    );
    expect(said(window, '2026-11-20T07:00:00Z', [])).toBe('closed until 2026-11-20T08:00:00.000Z');
  });

  test("takes the organization's hours in the contact's zone, and the campaign's in its own", () => {
    const window = windowOf({
      campaign: everyDay('09:00', '20:00'),
      campaignZone: 'Europe/Berlin',
      policy: everyDay('08:00', '21:00'),
    });
    expect(said(window, '2026-11-20T09:00:00Z', ['America/New_York'])).toBe(
      'closed until 2026-11-20T13:00:00.000Z',
    );
    expect(said(window, '2026-11-20T13:00:00Z', ['America/New_York'])).toBe(
      'open until 2026-11-20T19:00:00.000Z',
    );
  });

  test.each([
    ['no slots', windowOf({ campaign: [] }), []],
    [
      'hours that never meet',
      windowOf({ campaign: everyDay('09:00', '10:00'), policy: everyDay('11:00', '12:00') }),
      [],
    ],
    [
      'zones whose days never meet',
      windowOf({ campaign: everyDay('09:00', '17:00'), isInContactZone: true }),
      ['Europe/London', 'Pacific/Honolulu'],
    ],
    [
      'an unknown zone',
      windowOf({ campaign: everyDay('00:00', '24:00'), isInContactZone: true }),
      ['Europe/Atlantis'],
    ],
  ])('never opens, and says so at once: %s', (_title, window, zones) => {
    expect(said(window, '2026-11-20T09:00:00Z', zones)).toBe('closed until never');
  });

  test('never opens for any contact only if no zone has an open time: hours that do not meet in one zone may meet in two', () => {
    const at = new Date('2026-11-20T09:00:00Z');
    const night = everyDay('06:00', '08:00');
    expect(
      neverOpens(
        windowOf({ campaign: night, campaignZone: 'Europe/Berlin', policy: everyDay('09:00', '20:00') }),
        at,
      ),
    ).toBe(false);
    expect(
      neverOpens(
        windowOf({ campaign: night, isInContactZone: true, policy: everyDay('09:00', '20:00') }),
        at,
      ),
    ).toBe(true);
    expect([
      neverOpens(windowOf({ campaign: [] }), at),
      neverOpens(office, at),
      neverOpens(windowOf({}), at),
    ]).toEqual([true, false, false]);
  });

  test('is always open without hours, and with hours around the clock', () => {
    expect(said(windowOf({}), '2026-11-20T09:00:00Z')).toBe('open until further notice');
    expect(
      said(
        windowOf({ campaign: everyDay('00:00', '24:00'), campaignZone: 'America/New_York' }),
        '2026-10-31T09:00:00Z',
      ),
    ).toBe('open until further notice');
  });

  test('whatever the zones, the hours and the time, agrees with the local clocks about now, the next change and all times between', () => {
    const seed = propertySeed('windows');
    const zone = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'America/St_Johns',
      'Asia/Kolkata',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Pacific/Chatham',
      'America/Sao_Paulo',
      'Africa/Cairo',
      'UTC',
    );
    const near = fc.constantFrom(
      '2026-03-08T07:00:00Z',
      '2026-03-29T01:00:00Z',
      '2026-10-25T01:00:00Z',
      '2026-11-01T06:00:00Z',
      '2026-04-04T15:00:00Z',
      '2026-06-15T12:00:00Z',
    );
    const at = fc
      .tuple(near, fc.integer({ min: -3 * 1440, max: 3 * 1440 }), fc.nat(59_999))
      .map(([moment, minutes, ms]) => new Date(Date.parse(moment) + minutes * 60_000 + ms));
    const time = (minutes: number) =>
      `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    const slot = fc
      .tuple(
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 0, max: 1439 }),
        fc.integer({ min: 1, max: 900 }),
      )
      .map(([day, start, length]) => ({
        day,
        start: time(start),
        end: time(Math.min(1440, start + length)),
      }));
    const slots = fc.array(slot, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(
        fc.record({
          campaign: slots,
          policy: fc.option(slots),
          campaignZone: zone,
          isInContactZone: fc.boolean(),
        }),
        fc.uniqueArray(zone, { maxLength: 3 }),
        at,
        fc
          .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 })
          .map((places) => [...places, 1]),
        (hours, zones, now, places) => {
          const isOpen = (moment: Date) => isWithin({ ...hours, zones, at: moment });
          const state = windowAt(windowOf(hours), { zones, at: now });
          expect(state.isOpen).toBe(isOpen(now));
          const change = state.isOpen ? state.closesAt : state.opensAt;
          const untilMs = change?.getTime() ?? now.getTime() + 7 * 86_400_000;
          expect(change === null || isOpen(change) !== state.isOpen).toBe(true);
          for (const place of places)
            expect(
              isOpen(
                new Date(
                  Math.min(untilMs - 1, Math.floor(now.getTime() + place * (untilMs - now.getTime()))),
                ),
              ),
            ).toBe(state.isOpen);
        },
      ),
      { seed, numRuns: propertyRuns(600) },
    );
  });

  test('keeps a time that is already within the window', () => {
    const at = new Date('2026-11-20T10:00:00Z');
    expect(intoWindow(office, { zones: [], at })).toBe(at);
    expect(intoWindow(office, { zones: [], at: new Date('2026-11-20T18:00:00Z') })?.toISOString()).toBe(
      '2026-11-21T08:00:00.000Z',
    );
    expect(intoWindow(windowOf({ campaign: [] }), { zones: [], at })).toBeNull();
  });
});
