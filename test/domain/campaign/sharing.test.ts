import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { breakerTrips, countFailures } from '../../../src/domain/campaign/breaker.ts';
import { isCapped } from '../../../src/domain/campaign/caps.ts';
import { freeLines, linesFor, waitsForLines } from '../../../src/domain/campaign/lines.ts';
import { positionOf } from '../../../src/domain/campaign/order.ts';
import { linesOfRamp, nextTokenAt, takeTokens } from '../../../src/domain/campaign/pace.ts';
import { propertySeed } from '../../support/seed.ts';

const start = Date.parse('2026-11-22T10:00:00Z');
const minutes = (count: number) => new Date(start + count * 60_000);

describe('caps of a number', () => {
  const caps = { perHour: 1, perDay: 3, perWeek: 7 };
  test.each([
    ['never dialed', [], null],
    ['dialed a minute ago', [-1], 59],
    ['dialed an hour ago', [-60], null],
    ['three times today', [-1380, -600, -60], 60],
    ['in any order', [-60, -1380, -600], 60],
    ['the strictest cap counts', [-1380, -600, -1], 60],
  ])('%s', (_title, dials, until) => {
    expect(isCapped({ caps, dials: dials.map(minutes), now: minutes(0) })).toEqual(
      until === null ? null : { until: minutes(until) },
    );
  });

  test('allow seven in a week', () => {
    expect(
      isCapped({
        caps,
        dials: [1, 2, 3, 4, 5, 6, 6.5].map((days) => minutes(-days * 1440)),
        now: minutes(0),
      }),
    ).toEqual({ until: minutes(1440 / 2) });
  });

  test('count nothing if they are null, and never free a number if they are 0', () => {
    const many = Array.from({ length: 50 }, (_, index) => minutes(-index));
    expect(
      isCapped({ caps: { perHour: null, perDay: null, perWeek: null }, dials: many, now: minutes(0) }),
    ).toBeNull();
    expect(
      isCapped({ caps: { perHour: 0, perDay: null, perWeek: null }, dials: [], now: minutes(0) }),
    ).toEqual({ until: minutes(60) });
  });

  // guarantee: caps-limit-dials-of-a-number
  test('never let a number be dialed more often than any cap says in any period of its length', () => {
    const seed = propertySeed('caps');
    const cap = fc.option(fc.integer({ min: 1, max: 8 }));
    fc.assert(
      fc.property(
        fc.record({ perHour: cap, perDay: cap, perWeek: cap }),
        fc.array(fc.integer({ min: 0, max: 600 }), { minLength: 20, maxLength: 60 }),
        (limits, pauses) => {
          const dials: Date[] = [];
          let now = minutes(0);
          for (const pause of pauses) {
            now = new Date(now.getTime() + pause * 60_000);
            const capped = isCapped({ caps: limits, dials, now });
            expect(
              capped === null ||
                isCapped({ caps: limits, dials, now: new Date(capped.until.getTime() - 1) }) !== null,
            ).toBe(true);
            now = capped?.until ?? now;
            expect(isCapped({ caps: limits, dials, now })).toBeNull();
            dials.push(now);
          }
          for (const [max, hours] of [
            [limits.perHour, 1],
            [limits.perDay, 24],
            [limits.perWeek, 168],
          ] as const) {
            const inStretches = dials.map(
              (last) =>
                dials.filter((each) => each <= last && each.getTime() > last.getTime() - hours * 3_600_000)
                  .length,
            );
            expect(Math.max(...inStretches)).toBeLessThanOrEqual(max ?? Infinity);
          }
        },
      ),
      { seed, numRuns: 150 },
    );
  });
});

describe('the pace', () => {
  test('lets whole dials begin, keeps the rest, and never saves up more than its burst', () => {
    const first = takeTokens(
      { tokens: 0, at: minutes(0) },
      { perSecond: 2, burst: 5, now: new Date(start + 1700), wanted: 10 },
    );
    expect(first.taken).toBe(3);
    expect(first.bucket.tokens).toBeCloseTo(0.4);
    expect(takeTokens(first.bucket, { perSecond: 2, burst: 5, now: minutes(5), wanted: 10 })).toEqual({
      taken: 5,
      bucket: { tokens: 0, at: minutes(5) },
    });
    expect(nextTokenAt(first.bucket, 2)).toEqual(new Date(start + 2000));
  });

  test('takes no more than is wanted, and adds nothing if the clock goes back', () => {
    expect(
      takeTokens({ tokens: 3, at: minutes(0) }, { perSecond: 1, burst: 5, now: minutes(-1), wanted: 2 }),
    ).toEqual({ taken: 2, bucket: { tokens: 1, at: minutes(0) } });
    expect(
      takeTokens({ tokens: 3, at: minutes(0) }, { perSecond: 1, burst: 5, now: minutes(0), wanted: -1 })
        .taken,
    ).toBe(0);
  });

  test('allows no more dials in any period than its rate and its burst, however often it is asked, and loses none to rounding', () => {
    const seed = propertySeed('pace');
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 50, maxLength: 200 }),
        (perSecond, burst, pauses) => {
          let bucket = { tokens: 0, at: minutes(0) };
          let atMs = start;
          let all = 0;
          let lost = 0;
          for (const pause of pauses) {
            atMs += pause;
            lost += Math.max(0, bucket.tokens + (pause / 1000) * perSecond - burst);
            const took = takeTokens(bucket, { perSecond, burst, now: new Date(atMs), wanted: 1000 });
            all += took.taken;
            bucket = took.bucket;
            const earned = ((atMs - start) / 1000) * perSecond - lost;
            expect(all).toBeLessThanOrEqual(earned + 1e-6);
            expect(all).toBeGreaterThan(earned - 1 - 1e-6);
          }
        },
      ),
      { seed, numRuns: 200 },
    );
  });

  test('of a ramp begins with its lines and gets more with every full minute', () => {
    const ramp = { lines: 5, eachMinute: 3 };
    expect(
      [-1, 0, 0.99, 1, 10].map((after) => linesOfRamp({ ramp, since: minutes(0), now: minutes(after) })),
    ).toEqual([5, 5, 5, 8, 35]);
    expect(linesOfRamp({ ramp: null, since: minutes(0), now: minutes(1) })).toBeNull();
  });
});

// guarantee: other-calls-use-reserve-first
describe('lines that are reserved for other calls', () => {
  test.each([
    ['without live calls', { live: 0, ofCampaigns: 0 }, 5],
    ['other calls take up the reserve first', { live: 5, ofCampaigns: 0 }, 5],
    ['beyond it, campaigns get the rest of the limit', { live: 7, ofCampaigns: 0 }, 3],
    ['campaigns never have more than the limit without the reserve', { live: 5, ofCampaigns: 5 }, 0],
    ['both', { live: 8, ofCampaigns: 3 }, 2],
    ['incoming calls may be more than the limit', { live: 12, ofCampaigns: 0 }, 0],
  ])('%s', (_title, given, expected) => {
    expect(freeLines({ limit: 10, reserved: 5, ...given })).toBe(expected);
  });
});

describe('lines between campaigns', () => {
  const one = (inUse: number, weight = 1) => ({ inUse, weight });
  const wantsLines = (inUse: number, weight = 1, max: number | null = null) => ({
    inUse,
    weight,
    wantsLines: true,
    max,
  });
  test.each([
    ['alone it takes all', { free: 10, mine: one(0), others: [], max: null }, 10],
    ['never more than its own limit', { free: 10, mine: one(3), others: [], max: 5 }, 2],
    ['nor fewer than none after its limit was lowered', { free: 10, mine: one(8), others: [], max: 5 }, 0],
    ['half next to an equal one', { free: 10, mine: one(0), others: [wantsLines(0)], max: null }, 5],
    ['by weight', { free: 12, mine: one(0, 3), others: [wantsLines(0)], max: null }, 9],
    [
      'a campaign that wants no more leaves the rest',
      { free: 6, mine: one(0), others: [{ ...wantsLines(4, 9), wantsLines: false }], max: null },
      6,
    ],
    [
      'a small campaign gets what a big one frees',
      { free: 1, mine: one(0), others: [wantsLines(99)], max: null },
      1,
    ],
    [
      'and the big one does not take it back',
      { free: 1, mine: one(99), others: [wantsLines(0)], max: null },
      0,
    ],
    [
      'a single line goes to the first that asks',
      { free: 1, mine: one(0), others: [wantsLines(0), wantsLines(0)], max: null },
      1,
    ],
    [
      'lines that another cannot use by its own limit are not kept for it',
      { free: 19, mine: one(0), others: [wantsLines(1, 1, 1)], max: null },
      19,
    ],
    [
      'the others share them',
      { free: 20, mine: one(0), others: [wantsLines(0, 1, 2), wantsLines(0)], max: null },
      9,
    ],
    [
      'even if that leaves others less than their limit',
      { free: 20, mine: one(0), others: [wantsLines(0, 1, 1), wantsLines(0, 5, 8)], max: null },
      11,
    ],
    ['no lines are free', { free: 0, mine: one(0), others: [], max: null }, 0],
  ])('%s', (_title, given, expected) => {
    expect(linesFor(given)).toBe(expected);
  });

  test('whatever the weights and the own limits, no usable line stays idle', () => {
    const seed = propertySeed('idle lines');
    const campaign = fc.record({
      weight: fc.integer({ min: 1, max: 9 }),
      max: fc.option(fc.integer({ min: 1, max: 12 })),
      inUse: fc.integer({ min: 0, max: 6 }),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 40 }),
        fc.array(campaign, { minLength: 2, maxLength: 5 }),
        (given, campaigns) => {
          const all = campaigns.map((each) => ({ ...each, wantsLines: true }));
          let free = given;
          for (const mine of all) {
            const taken = linesFor({
              free,
              mine,
              others: all.filter((each) => each !== mine),
              max: mine.max,
            });
            mine.inUse += taken;
            free -= taken;
          }
          expect(free === 0 || all.every(({ inUse, max }) => max !== null && inUse >= max)).toBe(true);
        },
      ),
      { seed },
    );
  });

  test.each([
    ['no line is free', { taken: 0, lines: 0, numbers: 3, own: 5 }, true],
    ['it took all free lines', { taken: 2, lines: 2, numbers: 3, own: 5 }, true],
    ['neither line nor number is free', { taken: 0, lines: 0, numbers: 0, own: 5 }, true],
    [
      "the organization's pace binds, so the campaign with fewer lines goes first",
      { taken: 0, lines: 4, numbers: 3, own: 5 },
      true,
    ],
    ['its own limit, pace or pool binds', { taken: 2, lines: 2, numbers: 3, own: 2 }, false],
    ['it lacks only numbers', { taken: 0, lines: 4, numbers: 0, own: 5 }, false],
  ])('a campaign with more to dial wants lines: %s', (_title, given, expected) => {
    expect(waitsForLines(given)).toBe(expected);
  });

  // guarantee: campaign-gets-its-share-of-lines
  test('whatever the weights, a campaign that begins next to a big one has its share once each call of the big one has ended', () => {
    const seed = propertySeed('lines');
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 100 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        (lines, bigWeight, smallWeight) => {
          let big = lines;
          let small = 0;
          for (let ended = 0; ended < lines; ended += 1) {
            big -= 1;
            big += linesFor({
              free: lines - big - small,
              mine: one(big, bigWeight),
              others: [wantsLines(small, smallWeight)],
              max: null,
            });
            small += linesFor({
              free: lines - big - small,
              mine: one(small, smallWeight),
              others: [wantsLines(big, bigWeight)],
              max: null,
            });
            expect(big + small).toBe(lines);
          }
          expect(small).toBeGreaterThanOrEqual(Math.floor((lines * smallWeight) / (bigWeight + smallWeight)));
        },
      ),
      { seed, examples: [[58, 7, 7]] },
    );
  });
});

describe('the breaker', () => {
  const breaker = { isOn: true, threshold: 0.5, windowMs: 120_000, minCalls: 5 };
  test.each([
    ['half of them failed', { provider: 3, reached: 3 }, true],
    ['fewer failed', { provider: 2, reached: 3 }, false],
    ['too few calls', { provider: 4 }, false],
    [
      'every outcome that the contract calls failed or error',
      { provider: 1, declined: 1, invalid_number: 1, unknown: 1, own_fault: 1, no_answer: 5 },
      true,
    ],
    [
      'calls that were not dialed do not count',
      { provider: 3, no_answer: 1, not_dialed: 9, capacity: 9, suppressed: 9, canceled: 9 },
      false,
    ],
    ['nothing ended', {}, false],
  ])('%s', (_title, outcomes, trips) => {
    expect(breakerTrips({ breaker, outcomes })).toBe(trips);
  });

  test('does not trip when it is off, nor without calls at a threshold of 0', () => {
    expect(breakerTrips({ breaker: { ...breaker, isOn: false }, outcomes: { provider: 9 } })).toBe(false);
    expect(breakerTrips({ breaker: { ...breaker, threshold: 0, minCalls: 0 }, outcomes: {} })).toBe(false);
    expect(countFailures({ provider: 2, busy: 1, capacity: 4 })).toEqual({ failed: 2, ended: 3 });
  });
});

describe('the order of first dials', () => {
  const rows = [
    { rowNumber: 1, priority: 0 },
    { rowNumber: 2, priority: 5 },
    { rowNumber: 3, priority: -2_000_000_000 },
    { rowNumber: 4, priority: 5 },
  ];
  test.each([
    ['file', [1, 2, 3, 4]],
    ['closing_window', [1, 2, 3, 4]],
    ['latest_first', [4, 3, 2, 1]],
    ['priority', [2, 4, 1, 3]],
  ] as const)('%s', (startOrder, order) => {
    const placed = rows.map((row) => ({ row: row.rowNumber, position: positionOf({ startOrder, ...row }) }));
    expect(placed.toSorted((a, b) => a.position - b.position).map(({ row }) => row)).toEqual(order);
    expect(placed.every(({ position }) => Number.isSafeInteger(position))).toBe(true);
  });
});
