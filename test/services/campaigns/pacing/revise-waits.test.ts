import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { campaignTargets } from '../../../../src/db/tables/campaign-targets.ts';
import { campaigns, type CampaignRow } from '../../../../src/db/tables/campaigns.ts';
import { columns } from '../../../../src/db/rows.ts';
import type { CampaignSettings } from '../../../../src/domain/campaign/settings.ts';
import { setDialPolicy } from '../../../../src/services/campaigns/index.ts';
import {
  campaignOf,
  endCall,
  insertCampaign,
  phoneOf,
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
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';

const everyDay = (start_time: string, end_time: string) => ({
  timezone: 'UTC',
  slots: [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({ day_of_week, start_time, end_time })),
});

describe.each(databases)('an edit of hours or caps on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let clock: TestClock;
  let paced: PaceRounds;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    await insertOpenHost(database.db, { maxCalls: 1000, leaseExpiresAt: new Date('2036-01-01T00:00:00Z') });
  });
  afterAll(() => database.drop());

  beforeEach(async () => {
    clock = createTestClock('2026-11-23T17:59:00.000Z'); // a Monday
    ctx = await createTestContext(database.db, { clock });
    await setPolicy(ctx, { startsPerSecond: 1000 });
    paced = createPaceRounds(ctx, clock, { paceMs: 800 });
  });

  const edit = async ({ id, settings }: CampaignRow, change: Partial<CampaignSettings>) =>
    void (await ctx.db
      .getRepository(campaigns)
      .update({ id }, columns<object>({ settings: { ...settings, ...change }, reviseAfterRow: 0 })));
  /**
   * Makes rounds until every wait is decided again, however slow the machine is. Answers how many rows were
   * dialed.
   */
  const revised = async (campaign: CampaignRow) => {
    for (let dialed = 0; ;) {
      dialed += (await paced.round(campaign)).dialed;
      if ((await campaignOf(ctx, campaign)).reviseAfterRow === null)
        return dialed + (await paced.round(campaign)).dialed;
    }
  };
  const dues = async (campaign: CampaignRow) => {
    const counted = new Map<string, number>();
    for (const { state, dueAt, waitReason } of await targetsOf(ctx, campaign)) {
      const key = `${state} ${waitReason} ${dueAt?.toISOString().slice(5, 16)}`;
      counted.set(key, (counted.get(key) ?? 0) + 1);
    }
    return Object.fromEntries(counted);
  };
  /**
   * Fifty rows that were busy a minute before the hours ended, with a retry planned two minutes later. They
   * lie far apart in the file, so that they take several pages.
   */
  const put50Off = async () => {
    const contacts = Array.from({ length: 50 }, (_, index) => ({
      rowNumber: (index + 1) * 1000,
      phone: phoneOf(index + 1),
    }));
    const campaign = await insertCampaign(ctx, {
      contacts,
      numbers: 50,
      settings: { schedule_config: everyDay('09:00', '18:00') },
    });
    await paced.roundAndEnd(campaign);
    expect(await dues(campaign)).toEqual({ 'waiting outside_window 11-24T09:00': 50 });
    return campaign;
  };

  // guarantee: window-edit-moves-waiting-targets
  test('moves 50 rows that wait for the hours to the time of their plan, when they are dialed; later hours postpone them further', async () => {
    const campaign = await put50Off();
    await edit(campaign, { schedule_config: everyDay('11:00', '17:00') });
    await revised(campaign);
    expect(await dues(campaign)).toEqual({ 'waiting outside_window 11-24T11:00': 50 });
    await edit(campaign, { schedule_config: everyDay('09:00', '20:00') });
    await revised(campaign);
    expect((await paced.round(campaign)).until).toBe('2026-11-23T18:01:00.000Z');
    expect(await dues(campaign)).toEqual({ 'waiting retry 11-23T18:01': 50 });
    clock.set(new Date('2026-11-23T18:01:00.000Z'));
    expect((await paced.round(campaign)).dialed).toBe(50);
  });

  test('during closed hours frees the rows that wait for them as soon as they open, whenever the rows were postponed', async () => {
    const campaign = await put50Off();
    clock.set(new Date('2026-11-23T21:30:00.000Z'));
    await edit(campaign, { schedule_config: everyDay('09:00', '22:00') });
    expect(await revised(campaign)).toBe(50);
  });

  test('leaves planned waits and promised callbacks unchanged, and hours that never open for a row change nothing for it', async () => {
    const campaign = await put50Off();
    const at = new Date('2026-11-24T15:00:00.000Z');
    const ended = new Date('2026-11-24T14:58:00.000Z'); // the plan says two minutes later
    await ctx.db
      .getRepository(campaignTargets)
      .update(
        { campaignId: campaign.id, rowNumber: 1000 },
        { waitReason: 'retry', dueAt: at, notBefore: at, settledAt: ended },
      );
    await ctx.db
      .getRepository(campaignTargets)
      .update(
        { campaignId: campaign.id, rowNumber: 2000 },
        { waitReason: 'callback', outcome: 'callback', dueAt: at, notBefore: at },
      );
    await edit(campaign, { schedule_config: { timezone: 'UTC', slots: [] } });
    await revised(campaign);
    expect(await dues(campaign)).toEqual({
      'waiting retry 11-24T15:00': 1,
      'waiting callback 11-24T15:00': 1,
      'waiting outside_window 11-24T09:00': 48,
    });
    await edit(campaign, { schedule_config: everyDay('10:00', '18:00') });
    await revised(campaign);
    expect(await dues(campaign)).toEqual({
      'waiting retry 11-24T15:00': 1,
      'waiting callback 11-24T15:00': 1,
      'waiting outside_window 11-24T10:00': 48,
    });
  });

  // guarantee: retry-edit-moves-waiting-targets
  test('reaches rows on many pages that wait by the retry plan: the edited plan counts from the end of their call, and ends rows without a further retry', async () => {
    clock.set(new Date('2026-11-23T10:00:00.000Z'));
    const contacts = Array.from({ length: 12 }, (_, index) => ({
      rowNumber: (index + 1) * 4000,
      phone: phoneOf(index + 1),
    }));
    const campaign = await insertCampaign(ctx, { contacts, numbers: 12 });
    await paced.roundAndEnd(campaign);
    expect(await dues(campaign)).toEqual({ 'waiting retry 11-23T10:02': 12 });
    clock.set(new Date('2026-11-23T10:01:00.000Z'));
    await edit(campaign, { retry_config: { retry_delay_seconds: 3600 } });
    await revised(campaign);
    expect(await dues(campaign)).toEqual({ 'waiting retry 11-23T11:00': 12 });
    await edit(campaign, { retry_config: { retry_delay_seconds: 300 } });
    await revised(campaign);
    expect(await dues(campaign)).toEqual({ 'waiting retry 11-23T10:05': 12 });
    clock.set(new Date('2026-11-23T10:05:00.000Z'));
    await edit(campaign, { retry_config: { enabled: false } });
    expect(await revised(campaign)).toBe(0);
    expect(await dues(campaign)).toEqual({ 'processed null undefined': 12 });
    expect((await campaignOf(ctx, campaign)).state).toBe('completed');
  });

  test('of the retry plan ends a row whose last attempt was held back, by its last spent attempt', async () => {
    clock.set(new Date('2026-11-23T10:00:00.000Z'));
    const campaign = await insertCampaign(ctx, { contacts: 2, numbers: 2 });
    await paced.roundAndEnd(campaign);
    clock.set(new Date('2026-11-23T10:02:00.000Z'));
    await paced.round(campaign);
    for (const call of await paced.live(campaign))
      await endCall(ctx, call, {
        disposition: 'canceled',
        retryClass: 'none',
        notDialed: 'campaign_not_running',
      });
    await edit(campaign, { retry_config: { retry_on_busy: false } });
    await revised(campaign);
    expect(
      (await targetsOf(ctx, campaign)).map(
        ({ state, outcome, spentAttempts }) => `${state} ${outcome} ${spentAttempts}`,
      ),
    ).toEqual(['processed busy 1', 'processed busy 1']);
  });

  test('of the organization frees rows that its caps had postponed', async () => {
    await setPolicy(ctx, { startsPerSecond: 1000, caps: { perHour: 1, perDay: null, perWeek: null } });
    const campaign = await insertCampaign(ctx, {
      contacts: Array.from({ length: 4 }, () => ({ phone: phoneOf(1) })),
      numbers: 4,
      settings: { retry_config: { enabled: false } },
    });
    await paced.roundAndEnd(campaign);
    await paced.round(campaign);
    expect(await dues(campaign)).toEqual({ 'processed null undefined': 1, 'waiting capped 11-23T18:59': 3 });
    await setDialPolicy({
      ctx,
      deps: { campaignRuns: { start: () => Promise.resolve(), wake: () => Promise.resolve('delivered') } },
      input: {
        reserved_lines: 0,
        starts_per_second: 1000,
        caps: { per_hour: 3, per_day: null, per_week: null },
        window: null,
      },
    });
    expect((await paced.round(campaign)).dialed).toBe(2);
    expect(await dues(campaign)).toMatchObject({ 'waiting capped 11-23T18:59': 1 });
  });
});
