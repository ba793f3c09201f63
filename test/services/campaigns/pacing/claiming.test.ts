import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { agents } from '../../../../src/db/tables/agents.ts';
import { calls, type CallRow } from '../../../../src/db/tables/calls.ts';
import { campaignTargets } from '../../../../src/db/tables/campaign-targets.ts';
import { campaigns, type CampaignRow } from '../../../../src/db/tables/campaigns.ts';
import { numberDials } from '../../../../src/db/tables/number-dials.ts';
import { UnavailableError } from '../../../../src/domain/errors.ts';
import { positionOf } from '../../../../src/domain/campaign/order.ts';
import { inTransaction } from '../../../../src/db/transaction.ts';
import { pace, type PaceDeps, type Paced } from '../../../../src/services/campaigns/index.ts';
import { completeCampaign, sweepStopped } from '../../../../src/services/campaigns/pacing/complete.ts';
import { claimPage } from '../../../../src/services/campaigns/pacing/claim-page.ts';
import { planTargets } from '../../../../src/services/campaigns/pacing/plan-targets.ts';
import { syncCampaign } from '../../../../src/services/campaigns/pacing/sync.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { suppress } from '../../../../src/services/contacts/index.ts';
import { hasFreeLine } from '../../../../src/services/calls/start/free-line.ts';
import type { CallInput } from '../../../../src/temporal/port.ts';
import {
  attemptsOf,
  callsOf,
  campaignOf,
  endCall,
  eventsOf,
  insertCampaign,
  phoneOf,
  setPolicy,
  targetsOf,
} from '../../../support/campaign-world.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  bothDatabases,
  statementsUnderWay,
  type TestClock,
  type TestDatabase,
} from '../../../support/database.ts';
import { insertPhoneCall } from '../../../support/media/phone-call.ts';
import { createFakeCarrierPort } from '../../../support/fake-carrier.ts';
import { createInstantTimer } from '../../../support/instant-timer.ts';
import { insertOpenHost } from '../../../support/media/open-host.ts';
import { insertConnection } from '../../../support/telephony.ts';
import { until } from '../../../support/until.ts';

describe.each(bothDatabases)('the pacer of a campaign on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let clock: TestClock;
  /** Inputs of the started calls. */
  let started: CallInput[];
  let isAway: boolean;
  let canceled: string[];
  let deps: PaceDeps;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    await insertOpenHost(database.db, { maxCalls: 1000 });
  });

  afterAll(() => database.drop());

  beforeEach(async () => {
    clock = createTestClock('2026-11-23T10:00:00.000Z'); // a Monday
    ctx = await createTestContext(database.db, { clock });
    await setPolicy(ctx, { startsPerSecond: 1000 });
    started = [];
    isAway = false;
    canceled = [];
    deps = {
      ...ctx,
      timer: createInstantTimer(),
      carriers: new Map([['telnyx', { startCall: () => Promise.resolve() }]]),
      accounts: () => createFakeCarrierPort(),
      calls: {
        startCall: (input) =>
          isAway
            ? Promise.reject(new UnavailableError('Temporal is unavailable', { dependency: 'temporal' }))
            : Promise.resolve(void started.push(input)),
        cancelCall: (uuid) => Promise.resolve(canceled.push(uuid) > 0 ? 'delivered' : 'gone'),
      },
      startImport: () => Promise.resolve(),
      limits: { calls: 100, inboundShare: 2 },
    };
  });

  /** Runs the pacer for a while. Rows are planned before, so that the claim does not depend on timing. */
  async function runPacer(
    { id: campaignId, organizationId }: CampaignRow,
    { paceMs = 250, of = deps }: { paceMs?: number; of?: PaceDeps } = {},
  ): Promise<Paced> {
    const ref = { campaignId, organizationId };
    const campaign = await ctx.db.getRepository(campaigns).findOneByOrFail({ id: campaignId });
    if (campaign.importNumber === null) await syncCampaign({ deps: of, campaign });
    while ((await planTargets(of, ref)) === 'more');
    return await pace({ deps: of, input: { ...ref, paceMs }, signal: new AbortController().signal });
  }
  const live = async (campaign: CampaignRow): Promise<CallRow[]> =>
    (await callsOf(ctx, campaign)).filter(({ state }) => state === 'pending');
  const isUnderWay = async (statement: RegExp): Promise<boolean> =>
    (await statementsUnderWay(database, statement)).length > 0;
  /** Runs the pacer and ends the started calls until the campaign is over. */
  async function runToItsEnd(
    campaign: CampaignRow,
    end: (call: CallRow) => Promise<void> = (call) => endCall(ctx, call),
    maxRuns = 60,
  ): Promise<Paced> {
    for (let runs = 0; runs < maxRuns; runs += 1) {
      const paced = await runPacer(campaign, { paceMs: 20 });
      if (paced.kind === 'over') return paced;
      for (const call of await live(campaign)) await end(call);
      if (paced.until !== null && new Date(paced.until) > clock.now()) clock.set(new Date(paced.until));
      else clock.advance(1000);
    }
    throw new Error(`The campaign is not over after ${maxRuns} runs of the pacer`);
  }

  test('dials every row once and again as its plan says, with outcomes that add up to the rows, and completes the campaign', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: 30,
      numbers: 7,
      settings: { retry_config: { max_retries: 1, retry_delay_seconds: 30 } },
    });
    await runToItsEnd(campaign);
    const [targets, attempts] = [await targetsOf(ctx, campaign), await attemptsOf(ctx, campaign)];
    expect(
      targets.map(({ state, spentAttempts: spent, attempts, outcome }) => ({
        state,
        spent,
        attempts,
        outcome,
      })),
    ).toEqual(targets.map(() => ({ state: 'processed', spent: 2, attempts: 2, outcome: 'busy' })));
    expect(targets).toHaveLength(30);
    expect(attempts.map(({ rowNumber, attemptNumber }) => `${rowNumber}.${attemptNumber}`)).toHaveLength(60);
    expect(
      attempts.filter(({ attemptNumber }) => attemptNumber === 2).every(({ because }) => because === 'busy'),
    ).toBe(true);
    expect(started.map(({ callId }) => callId)).toHaveLength(60);
    expect((await campaignOf(ctx, campaign)).state).toBe('completed');
    expect(await eventsOf(ctx, campaign)).toEqual(['campaign_synced', 'campaign_completed']);
  });

  // guarantee: one-active-call-per-caller-number
  test('gives no row, line or number to two concurrent pacers', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: 60,
      numbers: 9,
      settings: { retry_config: { enabled: false } },
    });
    const end = { isReached: false };
    const twice: unknown[] = [];
    const pacer = async () => {
      while (!end.isReached)
        if ((await runPacer(campaign, { paceMs: 60 })).kind === 'over') end.isReached = true;
    };
    const ender = async () => {
      while (!end.isReached) {
        const held: { held: string | number }[] = await ctx.db.query(
          "SELECT COUNT(*) AS held FROM campaign_targets WHERE organization_id = ? AND state = 'processing' GROUP BY phone_number_id HAVING COUNT(*) > 1",
          [ctx.organizationId],
        );
        twice.push(...held);
        for (const call of await live(campaign)) await endCall(ctx, call);
        clock.advance(100);
      }
    };
    await Promise.all([pacer(), pacer(), pacer(), ender()]);
    expect(twice).toEqual([]);
    expect(await attemptsOf(ctx, campaign)).toHaveLength(60);
    expect(new Set(started.map(({ campaign: row }) => row?.rowNumber)).size).toBe(60);
    expect(started).toHaveLength(60);
  });

  test('claims as many rows per page as there are numbers, lines and starts', async () => {
    const [numbers, lines, starts] = [
      await insertCampaign(ctx, { contacts: 20, numbers: 3 }),
      await insertCampaign(ctx, { contacts: 20, numbers: 20, settings: { max_concurrency: 2 } }),
      await insertCampaign(ctx, { contacts: 20, numbers: 20 }),
    ];
    await runPacer(numbers);
    expect(await live(numbers)).toHaveLength(3);
    expect((await campaignOf(ctx, numbers)).waitReason).toBe('lines_busy');
    await runPacer(lines);
    expect(await live(lines)).toHaveLength(2);
    await setPolicy(ctx, { startsPerSecond: 1 });
    await runPacer(starts);
    expect(await live(starts)).toHaveLength(1);
    clock.advance(1000);
    await runPacer(starts);
    expect(await live(starts)).toHaveLength(2);
  });

  test('leaves reserved lines to other calls', async () => {
    await setPolicy(ctx, { startsPerSecond: 1000, reservedLines: 4 });
    const campaign = await insertCampaign(ctx, { contacts: 20, numbers: 20 });
    await runPacer(campaign, { of: { ...deps, limits: { calls: 10, inboundShare: 0 } } });
    expect(await live(campaign)).toHaveLength(6);
  });

  test.each<[CallRow['state'], CallRow['channel'], number]>([
    ['pending', 'phone', 9],
    ['admitted', 'phone', 9],
    ['talking', 'web', 9],
    ['ending', 'phone', 9],
    ['ended', 'phone', 10],
    ['refused', 'phone', 10],
    ['talking', 'text', 10],
  ])('beside one %s call by %s, claims %i of 10 lines', async (state, channel, claimed) => {
    await insertPhoneCall(ctx, { state, channel });
    const campaign = await insertCampaign(ctx, { contacts: 20, numbers: 20 });
    await runPacer(campaign, { of: { ...deps, limits: { calls: 10, inboundShare: 0 } } });
    expect(await callsOf(ctx, campaign)).toHaveLength(claimed);
  });

  test('counts other live calls against the reserve first: campaigns get the rest of the limit', async () => {
    await setPolicy(ctx, { startsPerSecond: 1000, reservedLines: 5 });
    for (let count = 0; count < 5; count += 1) await insertPhoneCall(ctx, { state: 'talking' });
    const campaign = await insertCampaign(ctx, { contacts: 20, numbers: 20 });
    const few = { ...deps, limits: { calls: 10, inboundShare: 0 } };
    await runPacer(campaign, { of: few });
    expect((await callsOf(ctx, campaign)).length).toBe(5);
    await insertPhoneCall(ctx, { state: 'talking' });
    const [ended] = await live(campaign);
    if (ended === undefined) throw new Error('No row was claimed');
    await endCall(ctx, ended);
    clock.advance(1000);
    expect(await runPacer(campaign, { of: few })).toMatchObject({ dialed: 0 });
  });

  // guarantee: busy-lines-are-shown
  // guarantee: claims-lock-the-dial-policy
  test('never gives the last line both to a campaign and to another call', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: 1,
      settings: { retry_config: { enabled: false } },
    });
    const few = { ...deps, limits: { calls: 1, inboundShare: 0 } };
    await runPacer(campaign, { of: { ...few, limits: { calls: 0, inboundShare: 0 } } }); // its rows have their places
    const { callId } = await insertPhoneCall(ctx, { state: 'ended' });
    const isThrough = { value: false };
    const { claiming } = await inTransaction(ctx.db, async (tx) => {
      expect(await hasFreeLine(tx, ctx, { limits: few.limits, direction: 'outbound' })).toBe(true);
      const claiming = runPacer(campaign, { of: few, paceMs: 1 }).finally(() => (isThrough.value = true));
      await until(
        'the campaign waits, or has claimed the line',
        async () =>
          isThrough.value ||
          (await isUnderWay(/organizations.*FOR UPDATE|INSERT INTO `?(calls|dial_policies)/is)),
      );
      await tx.getRepository(calls).update({ id: callId }, { state: 'pending' });
      return { claiming };
    });
    expect(await claiming).toMatchObject({ dialed: 0, reason: 'lines_busy' });
    expect(await live(campaign)).toEqual([]);
  });

  test('shares lines by weight between two campaigns that want lines, and gives the later one its share', async () => {
    const [heavy, light] = [
      await insertCampaign(ctx, { contacts: 200, numbers: 30, settings: { rules: { weight: 3 } } }),
      await insertCampaign(ctx, { contacts: 200, numbers: 30, settings: { rules: {} } }),
    ];
    const few = { ...deps, limits: { calls: 12, inboundShare: 0 } };
    await runPacer(heavy, { of: few });
    expect(await live(heavy)).toHaveLength(12);
    for (let turn = 0; turn < 6; turn += 1) {
      await runPacer(light, { of: few, paceMs: 20 });
      for (const call of (await live(heavy)).slice(0, 3))
        await endCall(ctx, call, {
          disposition: 'user_hangup',
          retryClass: 'none',
          answeredAt: clock.now(),
          durationSeconds: 20,
        });
      await runPacer(light, { of: few, paceMs: 20 });
      await runPacer(heavy, { of: few, paceMs: 20 });
      clock.advance(500);
    }
    expect({ heavy: (await live(heavy)).length, light: (await live(light)).length }).toEqual({
      heavy: 9,
      light: 3,
    });
  });

  // guarantee: unusable-share-goes-to-others
  test.each([
    ['lines', { max_concurrency: 1 }, 30],
    ['pace', { rules: { starts_per_second: 0.001 } }, 30],
    ['numbers', {}, 1],
  ])(
    'leaves no usable line idle when the %s of another campaign keep it from dialing more',
    async (_what, settings, numbers) => {
      const [slow, big] = [
        await insertCampaign(ctx, { contacts: 200, numbers, settings }),
        await insertCampaign(ctx, { contacts: 200, numbers: 30 }),
      ];
      const few = { ...deps, limits: { calls: 20, inboundShare: 0 } };
      await runPacer(slow, { of: few });
      await runPacer(slow, { of: few });
      await runPacer(big, { of: few });
      expect({ slow: (await live(slow)).length, big: (await live(big)).length }).toEqual({
        slow: 1,
        big: 19,
      });
    },
  );

  test('shares numbers between two campaigns that show the same ones as it shares lines', async () => {
    const big = await insertCampaign(ctx, { contacts: 200, numbers: 10 });
    if (big.configurationId === null) throw new Error('The campaign names no connection');
    const small = await insertCampaign(ctx, { contacts: 200, configurationId: big.configurationId });
    const few = { ...deps, limits: { calls: 10, inboundShare: 0 } };
    await runPacer(big, { of: few });
    await runPacer(small, { of: few, paceMs: 20 });
    for (let turn = 0; turn < 8; turn += 1) {
      for (const call of (await live(big)).slice(0, 1))
        await endCall(ctx, call, {
          disposition: 'user_hangup',
          retryClass: 'none',
          answeredAt: clock.now(),
          durationSeconds: 20,
        });
      await runPacer(big, { of: few, paceMs: 20 });
      await runPacer(small, { of: few, paceMs: 20 });
      clock.advance(500);
    }
    expect({ big: (await live(big)).length, small: (await live(small)).length }).toEqual({
      big: 5,
      small: 5,
    });
  });

  // guarantee: organization-pace-limits-all-campaigns
  test("keeps to the organization's pace for campaigns together that each have a slower pace of their own", async () => {
    await setPolicy(ctx, { startsPerSecond: 1 });
    const campaigns = [];
    for (let count = 0; count < 5; count += 1)
      campaigns.push(
        await insertCampaign(ctx, {
          contacts: 20,
          numbers: 10,
          settings: { rules: { starts_per_second: 0.9 } },
        }),
      );
    const dials: number[] = [];
    for (let seconds = 0; seconds < 3; seconds += 1) {
      for (const campaign of campaigns) await runPacer(campaign, { paceMs: 1 });
      dials.push((await Promise.all(campaigns.map(live))).flat().length);
      clock.advance(1000);
    }
    expect(dials).toEqual([1, 2, 3]);
  });

  // guarantee: slow-pace-kept-across-rounds
  test('keeps a pace of less than one dial per round across rounds and processes, and reports the next start', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: 20,
      numbers: 10,
      settings: { retry_config: { enabled: false }, rules: { starts_per_second: 0.002 } },
    });
    expect(await runPacer(campaign)).toMatchObject({ dialed: 1 });
    for (const call of await live(campaign)) await endCall(ctx, call);
    clock.advance(45_000);
    expect(await runPacer(campaign, { paceMs: 1 })).toMatchObject({
      dialed: 0,
      reason: 'pace',
      until: '2026-11-23T10:08:20.000Z',
    });
    clock.advance(454_000);
    expect(await runPacer(campaign, { paceMs: 1 })).toMatchObject({ dialed: 0, reason: 'pace' });
    clock.advance(1000);
    expect(await runPacer(campaign, { paceMs: 1 })).toMatchObject({ dialed: 1 });
  });

  // guarantee: closed-zones-not-claimed
  test('dials nothing outside the hours, reports the next opening to the second, and dials then', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: 2,
      numbers: 5,
      settings: {
        schedule_config: {
          timezone: 'Europe/Berlin',
          slots: [{ day_of_week: 0, start_time: '14:00', end_time: '15:00' }],
        },
      },
    });
    const paced = await runPacer(campaign);
    expect(paced).toMatchObject({
      kind: 'goes_on',
      reason: 'outside_window',
      until: '2026-11-23T13:00:00.000Z',
      dialed: 0,
      sleepMs: 60_000,
    });
    expect(await campaignOf(ctx, campaign)).toMatchObject({
      waitReason: 'outside_window',
      waitUntil: new Date('2026-11-23T13:00:00.000Z'),
    });
    clock.set('2026-11-23T12:59:59.999Z');
    expect(await runPacer(campaign, { paceMs: 1 })).toMatchObject({ dialed: 0 });
    clock.set('2026-11-23T13:00:00.000Z');
    expect(await runPacer(campaign)).toMatchObject({ dialed: 2, reason: null });
  });

  test("uses each contact's own hours if the campaign says so: contacts asleep are not called, contacts awake are", async () => {
    const schedule = {
      timezone: 'Europe/Berlin',
      slots: [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
        day_of_week,
        start_time: '09:00',
        end_time: '17:00',
      })),
    };
    const campaign = await insertCampaign(ctx, {
      contacts: [{ zoneKey: 'America/New_York' }, { zoneKey: 'Europe/London' }, { zoneKey: '' }],
      numbers: 5,
      settings: { schedule_config: schedule, rules: { window_zone: 'contact' } },
    });
    await runPacer(campaign);
    expect((await targetsOf(ctx, campaign)).map(({ state }) => state)).toEqual([
      'queued',
      'processing',
      'processing',
    ]);
    for (const call of await live(campaign))
      await endCall(ctx, call, {
        disposition: 'user_hangup',
        retryClass: 'none',
        answeredAt: clock.now(),
        durationSeconds: 20,
      });
    expect(await runPacer(campaign)).toMatchObject({
      reason: 'outside_window',
      until: '2026-11-23T14:00:00.000Z',
    });
  });

  test('calls contacts who are awake, however many zones are asleep before theirs', async () => {
    const asleep = Intl.supportedValuesOf('timeZone').filter(
      (zone) => zone.startsWith('America/A') || zone.startsWith('America/C') || zone.startsWith('America/M'),
    );
    expect(asleep.length).toBeGreaterThan(40);
    const schedule = {
      slots: [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
        day_of_week,
        start_time: '09:00',
        end_time: '17:00',
      })),
    };
    const campaign = await insertCampaign(ctx, {
      contacts: [...asleep, 'Europe/Berlin', 'Europe/London'].map((zoneKey) => ({ zoneKey })),
      numbers: 5,
      settings: { schedule_config: schedule, rules: { window_zone: 'contact' } },
    });
    expect(await runPacer(campaign)).toMatchObject({ dialed: 2 });
    expect(
      (await targetsOf(ctx, campaign))
        .filter(({ state }) => state === 'processing')
        .map(({ zoneKey }) => zoneKey),
    ).toEqual(['Europe/Berlin', 'Europe/London']);
  });

  test('pauses a campaign at once if its hours never open', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 2, settings: { schedule_config: { slots: [] } } });
    expect(await runPacer(campaign)).toMatchObject({
      state: 'paused',
      reason: 'window_never_opens',
      needsAttention: true,
    });
    expect(await eventsOf(ctx, campaign)).toEqual(['campaign_synced', 'windows_never_open']);
  });

  const nineToFive = {
    timezone: 'Europe/Berlin',
    slots: [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
      day_of_week,
      start_time: '09:00',
      end_time: '17:00',
    })),
  };

  test('fails rows whose hours never open at once with that reason, dials the others, and completes the campaign', async () => {
    const contacts = [{ zoneKey: 'Europe/Berlin' }, { zoneKey: '+7' }, { zoneKey: 'Europe/Berlin' }];
    const campaign = await insertCampaign(ctx, {
      contacts,
      numbers: 5,
      settings: {
        retry_config: { enabled: false },
        schedule_config: nineToFive,
        rules: { window_zone: 'contact' },
      },
    });
    expect(await runPacer(campaign)).toMatchObject({ dialed: 2, state: 'running' });
    expect((await targetsOf(ctx, campaign))[1]).toMatchObject({
      state: 'failed',
      waitReason: 'window_never_opens',
      attempts: 0,
    });
    expect(await runToItsEnd(campaign)).toMatchObject({
      state: 'completed',
      counts: { processed: 2, failed: 1 },
    });
  });

  // guarantee: never-open-rows-fail-alone
  test('fails rows whose hours never open even when the others are over', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: [{ zoneKey: 'Europe/Berlin' }, { zoneKey: '+7' }],
      row: { importNumber: 1, state: 'running', plannedAt: clock.now() },
      settings: { schedule_config: nineToFive, rules: { window_zone: 'contact' } },
    });
    const row = {
      campaignId: campaign.id,
      organizationId: ctx.organizationId,
      spentAttempts: 0,
      attempts: 0,
    };
    await ctx.db.getRepository(campaignTargets).insert([
      { ...row, rowNumber: 1, phone: phoneOf(1), zoneKey: 'Europe/Berlin', position: 1, state: 'processed' },
      { ...row, rowNumber: 2, phone: phoneOf(2), zoneKey: '+7', position: 2, state: 'queued' },
    ]);
    expect(await runPacer(campaign)).toMatchObject({
      kind: 'over',
      state: 'completed',
      counts: { processed: 1, failed: 1 },
    });
  });

  test('pauses a campaign whose hours open for none of its rows, and loses none of them', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 3, numbers: 1 });
    await runPacer(campaign);
    for (const call of await live(campaign))
      await endCall(ctx, call, {
        disposition: 'user_hangup',
        retryClass: 'none',
        answeredAt: clock.now(),
        durationSeconds: 20,
      });
    await ctx.db
      .getRepository(campaigns)
      .update(
        { id: campaign.id },
        { settings: () => `'${JSON.stringify({ ...campaign.settings, schedule_config: { slots: [] } })}'` },
      );
    clock.advance(1000);
    expect(await runPacer(campaign)).toMatchObject({
      state: 'paused',
      reason: 'window_never_opens',
      counts: { queued: 2, processed: 1, failed: 0 },
    });
  });

  // guarantee: closed-rows-put-off-together
  test('postpones many due rows with closed hours at once, and calls the rows behind them', async () => {
    await setPolicy(ctx, { startsPerSecond: 1 });
    const zoneKeys = [...Array.from({ length: 1200 }, () => 'Pacific/Auckland'), 'Europe/Berlin'];
    const campaign = await insertCampaign(ctx, {
      contacts: zoneKeys.map((zoneKey) => ({ zoneKey })),
      row: { importNumber: 1, state: 'running', plannedAt: clock.now() },
      settings: { schedule_config: nineToFive, rules: { window_zone: 'contact' } },
    });
    const due = (index: number) => new Date(clock.now().getTime() - 100_000 + index);
    await ctx.db.getRepository(campaignTargets).insert(
      zoneKeys.map((zoneKey, index) => ({
        campaignId: campaign.id,
        rowNumber: index + 1,
        organizationId: ctx.organizationId,
        state: 'waiting' as const,
        phone: phoneOf(index + 1),
        zoneKey,
        position: index + 1,
        dueAt: due(index),
        waitReason: 'retry',
        spentAttempts: 1,
        attempts: 1,
        outcome: 'busy' as const,
      })),
    );
    // One contact is in a call, so only its end and time can change anything.
    await ctx.db.getRepository(campaignTargets).insert({
      campaignId: campaign.id,
      rowNumber: 1202,
      organizationId: ctx.organizationId,
      state: 'processing',
      phone: phoneOf(1202),
      zoneKey: 'Europe/Berlin',
      position: 1202,
      spentAttempts: 1,
      attempts: 1,
      claimedUntil: new Date(clock.now().getTime() + 60_000),
    });
    expect(await runPacer(campaign, { paceMs: 1500 })).toMatchObject({ dialed: 1 });
    const targets = await targetsOf(ctx, campaign);
    expect(targets[1200]?.state).toBe('processing');
    expect(
      new Set(
        targets
          .slice(0, 1200)
          .map(({ state, waitReason, dueAt }) => `${state} ${waitReason} ${dueAt?.toISOString()}`),
      ),
    ).toEqual(new Set(['waiting outside_window 2026-11-23T20:00:00.000Z']));
  });

  // guarantee: suppressed-target-closed-undialed
  test('closes rows with suppressed numbers without ringing them, however many there are', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: 40,
      numbers: 2,
      settings: { retry_config: { enabled: false } },
    });
    const phones = Array.from({ length: 38 }, (_, index) => phoneOf(index + 1));
    await inTransaction(ctx.db, (tx) =>
      suppress(tx, {
        organizationId: ctx.organizationId,
        phones,
        source: 'api',
        reason: '',
        callId: null,
        createdByUserId: null,
        at: clock.now(),
      }),
    );
    await runToItsEnd(campaign, undefined, 12);
    const targets = await targetsOf(ctx, campaign);
    expect(
      targets
        .slice(0, 38)
        .every(
          ({ state, outcome, attempts }) => state === 'failed' && outcome === 'suppressed' && attempts === 0,
        ),
    ).toBe(true);
    expect(targets.slice(38).map(({ outcome }) => outcome)).toEqual(['busy', 'busy']);
  });

  // guarantee: recently-called-contacts-skipped
  test('with `skip_recently_called` leaves out whom another campaign has called within these days; its own retries go on', async () => {
    const first = await insertCampaign(ctx, {
      contacts: 2,
      numbers: 5,
      settings: { retry_config: { enabled: false } },
    });
    await runPacer(first);
    for (const call of await live(first)) await endCall(ctx, call);
    clock.advance(8 * 86_400_000);
    const rules = (skip_recently_called: number) => ({
      settings: {
        rules: { skip_recently_called, caps: { per_hour: null, per_day: null, per_week: null } },
      },
    });
    const [later, soon] = [
      await insertCampaign(ctx, { contacts: 3, numbers: 5, ...rules(7) }),
      await insertCampaign(ctx, { contacts: 3, numbers: 5, ...rules(9) }),
    ];
    await runPacer(soon);
    expect((await targetsOf(ctx, soon)).map(({ state, waitReason }) => [state, waitReason])).toEqual([
      ['failed', 'recently_called'],
      ['failed', 'recently_called'],
      ['processing', null],
    ]);
    for (const call of await live(soon)) await endCall(ctx, call);
    clock.advance(3_600_000);
    await runPacer(soon);
    expect((await targetsOf(ctx, soon))[2]).toMatchObject({ state: 'processing', attempts: 2 });
    await runPacer(later);
    expect((await targetsOf(ctx, later)).map(({ state }) => state)).toEqual([
      'processing',
      'processing',
      'failed',
    ]);
  });

  test('dials a number as often as the caps of all campaigns allow, and reports when it may be dialed again', async () => {
    await setPolicy(ctx, { startsPerSecond: 1000, caps: { perHour: 1, perDay: 2, perWeek: null } });
    const [first, second] = [
      await insertCampaign(ctx, { contacts: 1 }),
      await insertCampaign(ctx, { contacts: [{}, {}, { phone: phoneOf(2) }], numbers: 3 }),
    ];
    await runPacer(first);
    await runPacer(second);
    expect(
      (await targetsOf(ctx, second)).map(({ state, waitReason, dueAt }) => ({
        state,
        waitReason,
        dueAt: dueAt?.toISOString() ?? null,
      })),
    ).toEqual([
      { state: 'waiting', waitReason: 'capped', dueAt: '2026-11-23T11:00:00.000Z' },
      { state: 'processing', waitReason: null, dueAt: null },
      { state: 'waiting', waitReason: 'capped', dueAt: '2026-11-23T11:00:00.000Z' },
    ]);
    expect(await ctx.db.getRepository(numberDials).countBy({ organizationId: ctx.organizationId })).toBe(2);
  });

  // guarantee: unstarted-call-started-by-next-round
  test('starts a row once, by the same id, if its worker died between the commit and the start', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 3, numbers: 3 });
    isAway = true;
    await runPacer(campaign);
    expect(started).toEqual([]);
    isAway = false;
    await runPacer(campaign, { paceMs: 1 });
    expect(started).toEqual([]);
    clock.advance(16_000);
    await runPacer(campaign, { paceMs: 1 });
    const [written, attempts] = [await callsOf(ctx, campaign), await attemptsOf(ctx, campaign)];
    expect(started.map(({ callUuid }) => callUuid).toSorted()).toEqual(
      written.map(({ uuid }) => uuid).toSorted(),
    );
    expect(attempts).toHaveLength(3);
    expect(started.map((input) => input.channel)).toEqual(
      written.map(() =>
        expect.objectContaining({ direction: 'outbound', configurationId: campaign.configurationId }),
      ),
    );
  });

  // guarantee: waiting-target-keeps-campaign-open
  test('does not complete a campaign when a call ends between the claim and the check for the end: its row waits for a retry', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 1 });
    await runPacer(campaign);
    for (const call of await live(campaign)) await endCall(ctx, call);
    expect(await targetsOf(ctx, campaign)).toMatchObject([{ state: 'waiting' }]);
    expect(
      await completeCampaign(deps, { campaignId: campaign.id, organizationId: ctx.organizationId }),
    ).toBe(false);
    expect((await campaignOf(ctx, campaign)).state).toBe('running');
  });

  // guarantee: unsettled-ended-call-settled-by-pacer
  test('settles a row whose call ended unreported, and frees its line', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: 1,
      settings: { retry_config: { enabled: false } },
    });
    await runPacer(campaign);
    await ctx.db
      .getRepository(calls)
      .update(
        { campaignId: campaign.id },
        { state: 'ended', disposition: 'no-answer', endedAt: clock.now() },
      );
    clock.advance(16_000);
    expect(await runPacer(campaign)).toMatchObject({
      kind: 'over',
      state: 'completed',
      counts: { processed: 1 },
    });
    expect((await targetsOf(ctx, campaign))[0]).toMatchObject({
      outcome: 'no_answer',
      phoneNumberId: null,
      claimedUntil: null,
    });
  });

  test('claims nothing for a paused campaign, leaves its calls alone, and continues when it is resumed', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 4, numbers: 2 });
    await runPacer(campaign);
    await ctx.db
      .getRepository(campaigns)
      .update({ id: campaign.id }, { state: 'paused', waitReason: 'paused' });
    for (const call of await live(campaign))
      await endCall(ctx, call, {
        disposition: 'user_hangup',
        retryClass: 'none',
        answeredAt: clock.now(),
        durationSeconds: 20,
      });
    expect(await runPacer(campaign)).toMatchObject({
      state: 'paused',
      reason: 'paused',
      dialed: 0,
      counts: { queued: 2, processed: 2 },
    });
    await ctx.db.getRepository(campaigns).update({ id: campaign.id }, { state: 'running' });
    expect(await runPacer(campaign)).toMatchObject({ dialed: 2 });
  });

  test.each(['finish', 'hang_up'] as const)(
    'closes the waiting rows of a stopped campaign (%s), and completes it with its last call',
    async (stopMode) => {
      const campaign = await insertCampaign(ctx, { contacts: 6, numbers: 2 });
      await runPacer(campaign);
      await ctx.db.getRepository(campaigns).update({ id: campaign.id }, { stopMode });
      expect(await runPacer(campaign)).toMatchObject({
        kind: 'goes_on',
        reason: 'stopped',
        counts: { queued: 0, processing: 2, failed: 4 },
      });
      const written = await callsOf(ctx, campaign);
      expect(canceled.toSorted()).toEqual(
        stopMode === 'hang_up' ? written.map(({ uuid }) => uuid).toSorted() : [],
      );
      for (const call of written)
        await endCall(ctx, call, { disposition: 'system_cancelled', retryClass: 'none' });
      expect(await runPacer(campaign)).toMatchObject({ kind: 'over', state: 'completed' });
      expect((await targetsOf(ctx, campaign)).map(({ outcome }) => outcome)).toEqual(
        Array.from({ length: 6 }, () => 'canceled'),
      );
      expect(await eventsOf(ctx, campaign)).toEqual(['campaign_synced', 'campaign_stopped']);
    },
  );

  test.each(['finish', 'hang_up'] as const)(
    'claims nothing for a campaign that is stopped (%s) between the read and the claim',
    async (stopMode) => {
      const campaign = await insertCampaign(ctx, { contacts: 3, numbers: 3, row: { state: 'running' } });
      const ref = { campaignId: campaign.id, organizationId: ctx.organizationId };
      await syncCampaign({ deps, campaign });
      await planTargets(deps, ref);
      await ctx.db.getRepository(campaigns).update({ id: campaign.id }, { stopMode });
      expect(await claimPage({ deps, ref, own: { bucket: null } })).toEqual({ kind: 'not_running' });
      expect(await callsOf(ctx, campaign)).toEqual([]);
      await ctx.db.getRepository(campaigns).update({ id: campaign.id }, { stopMode: null });
      expect(await claimPage({ deps, ref, own: { bucket: null } })).toMatchObject({ kind: 'claimed' });
      expect(await callsOf(ctx, campaign)).toHaveLength(3);
    },
  );

  test('asks a hundred calls of a stopped campaign to end within one short run', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 100, numbers: 100 });
    while ((await live(campaign)).length < 100) await runPacer(campaign);
    await ctx.db.getRepository(campaigns).update({ id: campaign.id }, { stopMode: 'hang_up' });
    await runPacer(campaign, { paceMs: 3000 });
    expect(new Set(canceled).size).toBe(100);
  });

  test("ends a row that waits when its campaign is stopped with its last dial's outcome, or as canceled if it never rang", async () => {
    const campaign = await insertCampaign(ctx, { contacts: 3, numbers: 1 });
    await syncCampaign({ deps, campaign });
    await planTargets(deps, { campaignId: campaign.id, organizationId: campaign.organizationId });
    const outcomes = ['busy', 'not_dialed', null] as const;
    for (const [index, outcome] of outcomes.entries())
      await ctx.db
        .getRepository(campaignTargets)
        .update(
          { campaignId: campaign.id, rowNumber: index + 1 },
          { state: 'waiting', outcome, dueAt: clock.now() },
        );
    await ctx.db.getRepository(campaigns).update({ id: campaign.id }, { stopMode: 'finish' });
    expect(await runPacer(campaign)).toMatchObject({ counts: { processed: 1, failed: 2 } });
    expect((await targetsOf(ctx, campaign)).map(({ outcome }) => outcome)).toEqual([
      'busy',
      'canceled',
      'canceled',
    ]);
  });

  // guarantee: stopped-campaign-plans-no-rows
  test('plans no row after the end of a campaign that ends meanwhile', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 3, row: { state: 'running', importNumber: 1 } });
    const isThrough = { value: false };
    const { planning } = await inTransaction(ctx.db, async (tx) => {
      await tx.getRepository(campaigns).update({ id: campaign.id }, { stopMode: 'finish' });
      const planning = planTargets(deps, {
        campaignId: campaign.id,
        organizationId: ctx.organizationId,
      }).finally(() => (isThrough.value = true));
      await until(
        'planning waits for the campaign',
        async () =>
          isThrough.value ||
          (await isUnderWay(/`?campaigns`?.*FOR UPDATE|INSERT IGNORE INTO campaign_targets/is)),
      );
      await tx
        .getRepository(campaigns)
        .update({ id: campaign.id }, { state: 'completed', plannedAt: clock.now() });
      return { planning };
    });
    expect(await planning).toBe('done');
    expect(await targetsOf(ctx, campaign)).toEqual([]);
  });

  test('closes every row of a large stopped campaign, including one that comes to wait meanwhile', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 4100, numbers: 2 });
    await runPacer(campaign);
    await ctx.db.getRepository(campaigns).update({ id: campaign.id }, { stopMode: 'finish' });
    const ref = { campaignId: campaign.id, organizationId: campaign.organizationId };
    const memory = { sweptThrough: 0 };
    while (await sweepStopped(deps, ref, memory));
    await ctx.db
      .getRepository(campaignTargets)
      .update(
        { campaignId: campaign.id, state: 'processing', rowNumber: 1 },
        { state: 'waiting', dueAt: clock.now() },
      );
    expect([await sweepStopped(deps, ref, memory), await sweepStopped(deps, ref, memory)]).toEqual([
      true,
      false,
    ]);
    const [open, closed] = [
      await ctx.db.getRepository(campaignTargets).countBy({ campaignId: campaign.id, state: 'processing' }),
      await ctx.db.getRepository(campaignTargets).countBy({ campaignId: campaign.id, state: 'failed' }),
    ];
    expect({ open, closed }).toEqual({ open: 1, closed: 4099 });
  });

  test('pauses a campaign whose calls fail too often, with the reason', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: 20,
      numbers: 6,
      settings: { circuit_breaker: { min_calls_in_window: 5 } },
    });
    await runPacer(campaign);
    for (const call of await live(campaign))
      await endCall(ctx, call, { disposition: 'failed', retryClass: 'provider' });
    expect(await runPacer(campaign)).toMatchObject({
      state: 'paused',
      reason: 'breaker',
      needsAttention: true,
      dialed: 0,
    });
    expect(await eventsOf(ctx, campaign)).toEqual(['campaign_synced', 'circuit_breaker_tripped']);
    await ctx.db
      .getRepository(campaigns)
      .update(
        { id: campaign.id },
        { state: 'running', waitReason: null, breakerSince: new Date(clock.now().getTime() + 1) },
      );
    clock.advance(10);
    expect(await runPacer(campaign)).toMatchObject({ state: 'running', dialed: 6 });
  });

  test.each([
    ['archived', { state: 'archived' as const }, 'agent_archived'],
    ['without a published version', { publishedVersionId: null }, 'agent_not_published'],
  ])('fails a campaign whose agent is %s, with the reason', async (_, change, event) => {
    const campaign = await insertCampaign(ctx, { contacts: 2 });
    await ctx.db.getRepository(agents).update({ id: campaign.agentId }, change);
    expect(await runPacer(campaign)).toMatchObject({
      kind: 'over',
      state: 'failed',
      needsAttention: true,
      dialed: 0,
    });
    expect(await eventsOf(ctx, campaign)).toEqual(['campaign_synced', event]);
  });

  test('claims nothing while dialing is stopped for the organization', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 2 });
    await ctx.db.query('UPDATE dial_policies SET stopped_at = ? WHERE organization_id = ?', [
      clock.now(),
      ctx.organizationId,
    ]);
    expect(await runPacer(campaign)).toMatchObject({ dialed: 0, reason: 'stopped', state: 'running' });
    await ctx.db.query('UPDATE dial_policies SET stopped_at = NULL WHERE organization_id = ?', [
      ctx.organizationId,
    ]);
    expect(await runPacer(campaign)).toMatchObject({ dialed: 1 });
  });

  test.each([
    ['dialing is stopped', 'stopped', {}],
    ['the organization has no lines', 'no_line', { limits: { calls: 0, inboundShare: 0 } }],
  ] as const)('while %s, looks at a campaign without calls every 2 s', async (_when, reason, changes) => {
    const campaign = await insertCampaign(ctx, { contacts: 2 });
    if (reason === 'stopped')
      await ctx.db.query('UPDATE dial_policies SET stopped_at = ? WHERE organization_id = ?', [
        clock.now(),
        ctx.organizationId,
      ]);
    expect(await runPacer(campaign, { paceMs: 1900, of: { ...deps, ...changes } })).toMatchObject({
      kind: 'goes_on',
      dialed: 0,
      reason,
      sleepMs: 2000,
    });
  });

  test('makes a campaign without a free number wait with that reason, and follows edits in the next round', async () => {
    const { configurationId, numberIds } = await insertConnection(ctx.db, ctx.organizationId, {
      numbers: [true, true],
    });
    const campaign = await insertCampaign(ctx, {
      contacts: 4,
      configurationId,
      settings: { rules: { from_phone_number_ids: [0] } },
    });
    expect(await runPacer(campaign)).toMatchObject({ dialed: 0, reason: 'no_number' });
    await ctx.db.getRepository(campaigns).update(
      { id: campaign.id },
      {
        settings: () =>
          `'${JSON.stringify({ ...campaign.settings, rules: { from_phone_number_ids: [numberIds[1]] } })}'`,
      },
    );
    await runPacer(campaign);
    const [target] = (await targetsOf(ctx, campaign)).filter(({ state }) => state === 'processing');
    expect(target?.phoneNumberId).toBe(numberIds[1]);
  });

  test('dials the rows of a campaign that were chosen at its creation, without reading the file', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: 3,
      row: { importNumber: 1, totalRows: 1, plannedAt: clock.now() },
      settings: { retry_config: { enabled: false } },
    });
    await ctx.db.getRepository(campaignTargets).insert({
      campaignId: campaign.id,
      rowNumber: 2,
      organizationId: ctx.organizationId,
      state: 'queued',
      phone: phoneOf(2),
      zoneKey: '',
      position: 2,
      spentAttempts: 0,
      attempts: 0,
    });
    await runToItsEnd(campaign);
    expect(
      (await targetsOf(ctx, campaign)).map(({ rowNumber, outcome }) => ({ rowNumber, outcome })),
    ).toEqual([{ rowNumber: 2, outcome: 'busy' }]);
    expect(await eventsOf(ctx, campaign)).toEqual(['campaign_completed']);
  });

  test('dials rows in the order of the campaign', async () => {
    const order = async (start_order: 'priority' | 'latest_first' | 'file') => {
      const campaign = await insertCampaign(ctx, {
        contacts: [{ priority: 1 }, { priority: 5 }, { priority: -2 }],
        settings: {
          retry_config: { enabled: false },
          rules: { start_order, retry_plan: {}, caps: { per_hour: null, per_day: null, per_week: null } },
        },
      });
      await runToItsEnd(campaign);
      const targets = await targetsOf(ctx, campaign);
      expect(targets.map(({ position }) => position)).toEqual(
        targets.map(({ rowNumber }) =>
          positionOf({ startOrder: start_order, rowNumber, priority: [1, 5, -2][rowNumber - 1] ?? 0 }),
        ),
      );
      return (await callsOf(ctx, campaign)).map(({ name }) => Number(name.split('-').at(-1)));
    };
    expect(
      [await order('file'), await order('priority'), await order('latest_first')].map((each) => [
        ...new Set(each),
      ]),
    ).toEqual([
      [1, 2, 3],
      [2, 1, 3],
      [3, 2, 1],
    ]);
  });

  test('gives the call of a row the context of contract 11.6, its own number and its retry', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: 1,
      settings: { retry_config: { retry_delay_seconds: 30 } },
    });
    await runPacer(campaign);
    const [first] = await live(campaign);
    if (first === undefined) throw new Error('No row was claimed');
    expect(first).toMatchObject({
      source: 'campaign',
      campaignId: campaign.id,
      name: `WR-CAMPAIGN-${campaign.id}-1`,
      mode: 'telnyx',
    });
    expect(first.initialContext).toMatchObject({
      phone_number: phoneOf(1),
      called_number: phoneOf(1),
      name: 'Person 1',
      campaign_id: campaign.id,
      direction: 'outbound',
      record_key: `phone:${phoneOf(1)}`,
    });
    expect(first.initialContext).not.toHaveProperty('is_retry');
    await endCall(ctx, first);
    clock.advance(60_000);
    await runPacer(campaign);
    const [second] = await live(campaign);
    expect(second?.initialContext).toMatchObject({
      is_retry: true,
      retry_attempt: 1,
      retry_reason: 'busy',
      source_uuid: expect.stringMatching(/_row_1_retry_1$/),
    });
  });

  test('dials retries before rows that were never dialed', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: 3,
      settings: { retry_config: { retry_delay_seconds: 30 } },
    });
    await runPacer(campaign);
    for (const call of await live(campaign)) await endCall(ctx, call);
    clock.advance(60_000);
    await runPacer(campaign);
    expect(
      (
        await ctx.db
          .getRepository(campaignTargets)
          .findOneByOrFail({ campaignId: campaign.id, state: 'processing' })
      ).rowNumber,
    ).toBe(1);
  });
});
