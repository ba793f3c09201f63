import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Slot } from '../../../../src/domain/campaign/weekly-hours.ts';
import { zonesOf } from '../../../../src/domain/phone/zones.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import {
  attemptsOf,
  campaignOf,
  insertCampaign,
  setPolicy,
  targetsOf,
} from '../../../support/campaign-world.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  databases,
  type TestClock,
  type TestDatabase,
} from '../../../support/database.ts';
import { insertOpenHost } from '../../../support/media/open-host.ts';
import { createPaceRounds, type PaceRounds } from '../../../support/pace-rounds.ts';
import { isWithin } from '../../../support/wall-clock.ts';

const sunday = (start_time: string, end_time: string, timezone = 'Europe/Berlin') => ({
  timezone,
  slots: [{ day_of_week: 6, start_time, end_time }],
});

describe.each(databases)('a campaign during a night with a clock change, on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let clock: TestClock;
  let paced: PaceRounds;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    await insertOpenHost(database.db, { maxCalls: 1000, leaseExpiresAt: new Date('2036-01-01T00:00:00Z') });
  });
  afterAll(() => database.drop());

  const at = async (moment: string) => {
    clock = createTestClock(moment);
    ctx = await createTestContext(database.db, { clock });
    await setPolicy(ctx, { startsPerSecond: 1000 });
    paced = createPaceRounds(ctx, clock);
  };
  beforeEach(() => at('2026-03-29T00:50:00.000Z'));

  // guarantee: pacer-wakes-at-next-opening
  test('opens hours that begin in the skipped hour at the first moment after it, to the second', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: 3,
      numbers: 1,
      settings: { schedule_config: sunday('02:30', '03:30'), retry_config: { enabled: false } },
    });
    expect(await paced.round(campaign)).toMatchObject({
      dialed: 0,
      reason: 'outside_window',
      until: '2026-03-29T01:00:00.000Z',
    });
    clock.set(new Date('2026-03-29T00:59:59.999Z'));
    expect((await paced.round(campaign)).dialed).toBe(0);
    clock.set(new Date('2026-03-29T01:00:00.000Z'));
    expect((await paced.roundAndEnd(campaign)).dialed).toBe(1);
    clock.set(new Date('2026-03-29T01:30:00.000Z'));
    expect(await paced.round(campaign)).toMatchObject({ dialed: 0, until: '2026-04-05T00:30:00.000Z' });
    expect(await campaignOf(ctx, campaign)).toMatchObject({
      waitReason: 'outside_window',
      waitUntil: new Date('2026-04-05T00:30:00.000Z'),
    });
  });

  test('opens hours in a repeated hour twice: a retry between them waits for the second time', async () => {
    await at('2026-10-25T00:29:00.000Z');
    const campaign = await insertCampaign(ctx, {
      contacts: 1,
      settings: {
        schedule_config: sunday('02:00', '02:30'),
        retry_config: { max_retries: 2, retry_delay_seconds: 120 },
      },
    });
    expect((await paced.roundAndEnd(campaign)).dialed).toBe(1);
    expect(await targetsOf(ctx, campaign)).toMatchObject([
      { state: 'waiting', waitReason: 'outside_window', dueAt: new Date('2026-10-25T01:00:00.000Z') },
    ]);
    clock.set(new Date('2026-10-25T01:00:00.000Z'));
    expect((await paced.roundAndEnd(campaign)).dialed).toBe(1);
    clock.set(new Date('2026-10-25T01:29:59.000Z'));
    expect((await paced.roundAndEnd(campaign)).dialed).toBe(1);
  });

  test.each([
    '2026-03-28T20:00:00.000Z',
    '2026-10-24T20:00:00.000Z',
    '2026-11-01T03:00:00.000Z',
    '2026-03-08T04:00:00.000Z',
  ])('from %s on dials every contact, and none outside the hours of its own clock', async (moment) => {
    await at(moment);
    const slots: Slot[] = [5, 6].flatMap((day) => [
      { day, start: '00:30', end: '02:45' },
      { day, start: '23:15', end: '23:45' },
    ]);
    const zoneKeys = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', ''];
    const schedule_config = {
      timezone: 'Europe/London',
      slots: slots.map(({ day, start, end }) => ({ day_of_week: day, start_time: start, end_time: end })),
    };
    const campaign = await insertCampaign(ctx, {
      contacts: zoneKeys.map((zoneKey) => ({ zoneKey })),
      numbers: 5,
      settings: {
        schedule_config,
        retry_config: { max_retries: 2, retry_delay_seconds: 3600 },
        rules: { window_zone: 'contact', caps: { per_hour: null, per_day: null, per_week: null } },
      },
    });
    await paced.runToItsEnd(campaign);
    const attempts = await attemptsOf(ctx, campaign);
    expect(attempts).toHaveLength(15);
    const outside = attempts.filter(
      ({ rowNumber, begunAt }) =>
        !isWithin({
          campaign: slots,
          policy: null,
          campaignZone: 'Europe/London',
          isInContactZone: true,
          zones: zonesOf(zoneKeys[rowNumber - 1] ?? ''),
          at: begunAt,
        }),
    );
    expect(
      outside.map(({ rowNumber, begunAt }) => `${zoneKeys[rowNumber - 1]} ${begunAt.toISOString()}`),
    ).toEqual([]);
  });
});
