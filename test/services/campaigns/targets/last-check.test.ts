import { lastCheck, stopDialing } from '../../../../src/services/campaigns/index.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { calls, type CallRow } from '../../../../src/db/tables/calls.ts';
import { campaigns, type CampaignRow } from '../../../../src/db/tables/campaigns.ts';
import { campaignTargets } from '../../../../src/db/tables/campaign-targets.ts';
import { numberDials } from '../../../../src/db/tables/number-dials.ts';
import { suppressions } from '../../../../src/db/tables/suppressions.ts';
import { columns } from '../../../../src/db/rows.ts';
import { inTransaction } from '../../../../src/db/transaction.ts';
import { CarrierError } from '../../../../src/domain/telephony/carrier-error.ts';
import type { CampaignSettings } from '../../../../src/domain/campaign/settings.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { claimSeat } from '../../../../src/services/media/index.ts';
import { dialCall, type Dialed, type PhoneDeps } from '../../../../src/services/telephony/index.ts';
import { suppress } from '../../../../src/services/contacts/index.ts';
import {
  callsOf,
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
  bothDatabases,
  type TestClock,
  type TestDatabase,
} from '../../../support/database.ts';
import { createFakeCarrierPort, type FakeCarrierPort } from '../../../support/fake-carrier.ts';
import { createFakeCustomerHttp } from '../../../support/fake-customer-http.ts';
import { insertOpenHost } from '../../../support/media/open-host.ts';
import { createPaceRounds, type PaceRounds } from '../../../support/pace-rounds.ts';

const hourMs = 3_600_000;
const oncePerHour = {
  rules: { caps: { per_hour: 1, per_day: null, per_week: null } },
} satisfies Partial<CampaignSettings>;

describe.each(bothDatabases)('the dial of a campaign on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let clock: TestClock;
  let rounds: PaceRounds;
  let carrier: FakeCarrierPort;
  let deps: PhoneDeps;
  let hostId: string;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ({ hostId } = await insertOpenHost(database.db, { maxCalls: 100 }));
  });

  afterAll(() => database.drop());

  beforeEach(async () => {
    clock = createTestClock('2026-11-23T10:00:00.000Z');
    ctx = await createTestContext(database.db, { clock });
    await setPolicy(ctx, { startsPerSecond: 1000 });
    rounds = createPaceRounds(ctx, clock);
    carrier = createFakeCarrierPort();
    deps = {
      ...ctx,
      accounts: () => carrier,
      http: createFakeCustomerHttp(),
      publicUrl: 'https://parlance.test/',
      checkBeforeDial: (call) => lastCheck(ctx, call),
    };
  });

  /** The first call of a campaign, claimed and not dialed yet. */
  async function claimed(
    settings: Partial<CampaignSettings> = {},
  ): Promise<{ campaign: CampaignRow; call: CallRow }> {
    const campaign = await insertCampaign(ctx, { contacts: 1, settings });
    expect(await rounds.round(campaign)).toMatchObject({ dialed: 1 });
    return { campaign, call: await lastCall(campaign) };
  }

  async function lastCall(campaign: CampaignRow): Promise<CallRow> {
    const call = (await callsOf(ctx, campaign)).at(-1);
    if (call === undefined) throw new Error('No row was claimed');
    return call;
  }

  /** As the call's Workflow asks, with the effect of a refusal on the row. */
  async function dial(
    { id: callId, organizationId, uuid: callUuid }: CallRow,
    { configurationId }: CampaignRow,
  ): Promise<Dialed> {
    await ctx.db.getRepository(calls).update({ id: callId }, { state: 'admitted' });
    await claimSeat({ deps: ctx, input: { callId, organizationId, generation: 1 }, hostId });
    return await dialCall({
      deps,
      input: {
        callId,
        organizationId,
        callUuid,
        configurationId: configurationId ?? 0,
        attempt: 1,
        generation: 1,
        phoneNumberId: null,
        maxDurationMs: 60_000,
        ringingMs: 30_000,
        limitBehindMs: 60_000,
        detectsMachines: false,
      },
    });
  }

  async function endRefused(call: CallRow, dialed: Dialed): Promise<void> {
    if (dialed.kind !== 'refused') throw new Error('It was dialed');
    const { notDialed = null, retryClass } = dialed;
    await endCall(ctx, call, {
      disposition: notDialed === null ? 'error' : 'canceled',
      retryClass,
      notDialed,
    });
  }

  const shown = async (campaign: CampaignRow) =>
    (await targetsOf(ctx, campaign)).map(
      ({ state, outcome, waitReason, spentAttempts }) => `${state} ${outcome} ${waitReason} ${spentAttempts}`,
    );
  const dialsOf = async () =>
    (await ctx.db.getRepository(numberDials).find({ where: { organizationId: ctx.organizationId } })).map(
      ({ dialedAt }) => dialedAt.toISOString(),
    );

  /** Suppresses the number without closing the row, as a process does that did not see the row's call. */
  const suppressNumber = async (row = 1) =>
    void (await ctx.db.getRepository(suppressions).insert(
      columns<object>({
        organizationId: ctx.organizationId,
        phone: phoneOf(row),
        source: 'api',
        reason: '',
        callId: null,
        createdByUserId: null,
        createdAt: clock.now(),
      }),
    ));
  const hours = {
    schedule_config: { timezone: 'UTC', slots: [{ day_of_week: 0, start_time: '09:00', end_time: '10:30' }] },
  };

  // guarantee: suppression-checked-again-at-dial
  test.each<
    [
      string,
      {
        change: () => Promise<unknown>;
        settings?: Partial<CampaignSettings>;
        notDialed: string;
        becomes: string;
      },
    ]
  >([
    [
      'when its number was suppressed',
      { change: () => suppressNumber(), notDialed: 'suppressed', becomes: 'failed suppressed null 0' },
    ],
    [
      'when all dialing was stopped',
      {
        change: () => stopDialing({ ctx }),
        notDialed: 'dialing_stopped',
        becomes: 'waiting not_dialed retry 0',
      },
    ],
    [
      'when its hours have closed',
      {
        change: () => Promise.resolve(clock.advance(hourMs)),
        settings: hours,
        notDialed: 'outside_window',
        becomes: 'waiting not_dialed outside_window 0',
      },
    ],
    [
      'when its campaign was paused',
      {
        change: () =>
          ctx.db.getRepository(campaigns).update({ organizationId: ctx.organizationId }, { state: 'paused' }),
        notDialed: 'campaign_not_running',
        becomes: 'waiting not_dialed retry 0',
      },
    ],
    [
      'when its campaign was stopped',
      {
        change: () =>
          ctx.db
            .getRepository(campaigns)
            .update({ organizationId: ctx.organizationId }, { stopMode: 'finish' }),
        notDialed: 'campaign_not_running',
        becomes: 'waiting not_dialed retry 0',
      },
    ],
    [
      'when its row was settled',
      {
        change: async () => {
          for (const call of await ctx.db.getRepository(calls).findBy({ organizationId: ctx.organizationId }))
            await endCall(ctx, call);
        },
        notDialed: 'campaign_not_running',
        becomes: 'waiting busy retry 1',
      },
    ],
  ])('does not ring %s since the claim', async (_title, { change, settings = {}, notDialed, becomes }) => {
    const { campaign, call } = await claimed(settings);
    await change();
    const dialed = await dial(call, campaign);
    expect(dialed).toMatchObject({ kind: 'refused', notDialed });
    expect(carrier.requests('dial')).toEqual([]);
    await endRefused(call, dialed);
    expect(await shown(campaign)).toEqual([becomes]);
    expect(await dialsOf()).toEqual([]);
  });

  // guarantee: suppressed-target-ends-alike
  test('of a suppressed number has the same result whenever that is noticed: while the row waits, at its claim, at its dial', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 3, numbers: 1 });
    await rounds.round(campaign);
    await suppressNumber(1);
    const call = await lastCall(campaign);
    await endRefused(call, await dial(call, campaign));
    await suppressNumber(2);
    await inTransaction(ctx.db, (tx) =>
      suppress(tx, {
        organizationId: ctx.organizationId,
        phones: [phoneOf(3)],
        source: 'api',
        reason: '',
        callId: null,
        createdByUserId: null,
        at: clock.now(),
      }),
    );
    expect(await rounds.round(campaign)).toMatchObject({ dialed: 0, counts: { failed: 3 } });
    const ends = (await targetsOf(ctx, campaign)).map(
      ({ state, outcome, dueAt, waitReason, settledAt, spentAttempts }) => ({
        state,
        outcome,
        dueAt,
        waitReason,
        settledAt,
        spentAttempts,
      }),
    );
    expect(ends).toEqual(
      [1, 2, 3].map(() => ({
        state: 'failed',
        outcome: 'suppressed',
        dueAt: null,
        waitReason: null,
        settledAt: clock.now(),
        spentAttempts: 0,
      })),
    );
  });

  test('rings a number without obstacles', async () => {
    const { campaign, call } = await claimed(oncePerHour);
    expect(await dial(call, campaign)).toMatchObject({ kind: 'dialed' });
    expect(carrier.requests('dial')).toHaveLength(1);
  });

  // guarantee: caps-count-from-the-dial
  test('counts for the caps from when it rings, however long after the claim that is', async () => {
    const { campaign, call } = await claimed(oncePerHour);
    clock.advance(40 * 60_000);
    await dial(call, campaign);
    expect(await dialsOf()).toEqual(['2026-11-23T10:40:00.000Z']);
    await endCall(ctx, call);
    clock.set('2026-11-23T11:05:00.000Z');
    const second = await insertCampaign(ctx, { contacts: 1, settings: oncePerHour });
    expect(await rounds.round(second)).toMatchObject({ dialed: 0, until: '2026-11-23T11:40:00.000Z' });
  });

  // guarantee: caps-checked-again-at-dial
  test('waits if another campaign dialed the number meanwhile', async () => {
    const late = await claimed(oncePerHour);
    clock.advance(hourMs + 1000);
    const other = await claimed(oncePerHour);
    expect(await dial(other.call, other.campaign)).toMatchObject({ kind: 'dialed' });
    const dialed = await dial(late.call, late.campaign);
    expect(dialed).toMatchObject({ kind: 'refused', notDialed: 'capped' });
    await endRefused(late.call, dialed);
    expect(await shown(late.campaign)).toEqual(['waiting not_dialed capped 0']);
    expect(carrier.requests('dial')).toHaveLength(1);
    clock.advance(10_000);
    expect(await rounds.round(late.campaign)).toMatchObject({ dialed: 0, until: '2026-11-23T12:00:01.000Z' });
  });

  // guarantee: refused-dial-counts-for-no-cap
  test('that the carrier refuses counts for no cap and is repeated as the plan says', async () => {
    const { campaign, call } = await claimed(oncePerHour);
    carrier.answers.dial = () =>
      Promise.reject(new CarrierError('no such route', { outcome: 'refused', reason: 'client_error' }));
    const dialed = await dial(call, campaign);
    await endRefused(call, dialed);
    expect(await shown(campaign)).toEqual(['waiting provider retry 0']);
    expect(await dialsOf()).toEqual([]);
    clock.advance(75_000);
    expect(await rounds.round(campaign)).toMatchObject({ dialed: 1 });
  });

  test('that rang before the network failed counts for the caps', async () => {
    const { campaign, call } = await claimed(oncePerHour);
    await dial(call, campaign);
    await endCall(ctx, call, { disposition: 'failed', retryClass: 'provider' });
    expect(await dialsOf()).toHaveLength(1);
  });

  test('of a callback is made at the requested time', async () => {
    const { campaign, call } = await claimed({
      rules: { caps: { per_hour: null, per_day: null, per_week: null } },
    });
    await dial(call, campaign);
    await endCall(ctx, call, {
      disposition: 'user_hangup',
      retryClass: 'none',
      answeredAt: clock.now(),
      durationSeconds: 60,
      gatheredContext: { callback_at: '2026-11-23T15:00:00Z' },
    });
    expect(await shown(campaign)).toEqual(['waiting callback callback 1']);
    clock.set('2026-11-23T14:59:59.000Z');
    expect(await rounds.round(campaign)).toMatchObject({ dialed: 0, until: '2026-11-23T15:00:00.000Z' });
    clock.set('2026-11-23T15:00:00.000Z');
    expect(await rounds.round(campaign)).toMatchObject({ dialed: 1 });
    expect(await dial(await lastCall(campaign), campaign)).toMatchObject({ kind: 'dialed' });
    expect(carrier.requests('dial').map(({ to }) => to)).toEqual([`+${phoneOf(1)}`, `+${phoneOf(1)}`]);
    expect(
      await ctx.db.getRepository(campaignTargets).countBy({ campaignId: campaign.id, attempts: 2 }),
    ).toBe(1);
  });
});
