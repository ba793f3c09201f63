import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mediaHosts } from '../../../../src/db/tables/media-hosts.ts';
import { phoneLegs } from '../../../../src/db/tables/phone-legs.ts';
import type { CampaignRow } from '../../../../src/db/tables/campaigns.ts';
import { CarrierError } from '../../../../src/domain/telephony/carrier-error.ts';
import {
  pace,
  type PaceDeps,
  type Paced,
  getCampaignRow,
  listCampaignRows,
} from '../../../../src/services/campaigns/index.ts';
import { planTargets } from '../../../../src/services/campaigns/pacing/plan-targets.ts';
import { syncCampaign } from '../../../../src/services/campaigns/pacing/sync.ts';
import { noteDialAnswered, noteDialFault } from '../../../../src/services/telephony/index.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { sealCredentials } from '../../../../src/services/telephony/accounts/configurations.ts';
import { telephonyConfigurations } from '../../../../src/db/tables/telephony-configurations.ts';
import {
  callsOf,
  campaignOf,
  endCall,
  eventsOf,
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
import { createFakeCarrierPort, type FakeCarrierPort } from '../../../support/fake-carrier.ts';
import { createInstantTimer } from '../../../support/instant-timer.ts';
import { insertOpenHost } from '../../../support/media/open-host.ts';

const everyRow = {
  state: undefined,
  reason: undefined,
  outcome: undefined,
  number: undefined,
  after: 0,
  limit: 5,
};
const silent = () => new CarrierError('no answer', { outcome: 'unknown', reason: 'timeout' });

describe.each(databases)('obstacles to a campaign on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let clock: TestClock;
  let carrier: FakeCarrierPort;
  let deps: PaceDeps;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });

  afterAll(() => database.drop());

  beforeEach(async () => {
    await database.db.getRepository(mediaHosts).clear();
    await insertOpenHost(database.db, { maxCalls: 50 });
    clock = createTestClock('2026-11-23T10:00:00.000Z');
    ctx = await createTestContext(database.db, { clock });
    await setPolicy(ctx, { startsPerSecond: 1000 });
    carrier = createFakeCarrierPort();
    deps = {
      ...ctx,
      timer: createInstantTimer(),
      carriers: new Set(['telnyx']),
      accounts: () => carrier,
      calls: { startCall: () => Promise.resolve(), cancelCall: () => Promise.resolve('gone') },
      startImport: () => Promise.resolve(),
      limits: { calls: 100, inboundShare: 2 },
    };
  });

  async function runPacer({ id: campaignId, organizationId, importNumber }: CampaignRow): Promise<Paced> {
    const ref = { campaignId, organizationId };
    const campaign = await campaignOf(ctx, { id: campaignId } as CampaignRow); // oxlint-disable-line typescript/no-unsafe-type-assertion -- its id is all that is read
    if (importNumber === null && campaign.importNumber === null) await syncCampaign({ deps, campaign });
    while ((await planTargets(deps, ref)) === 'more');
    return await pace({ deps, input: { ...ref, paceMs: 20 }, signal: new AbortController().signal });
  }
  const connection = async (
    campaign: CampaignRow,
  ): Promise<{ configurationId: number; organizationId: number }> => {
    const { configurationId, organizationId } = campaign;
    if (configurationId === null) throw new Error('The campaign names no connection');
    await ctx.db.getRepository(telephonyConfigurations).update(
      { id: configurationId },
      {
        credentialsEncrypted: sealCredentials(ctx.secrets, organizationId, {
          api_key: 'KEY1',
          connection_id: 'app-1',
          webhook_public_key: 'key',
        }),
      },
    );
    return { configurationId, organizationId };
  };

  // guarantee: failing-carrier-tried-with-one-dial
  test('a carrier that takes no dials is spared: rows wait with that reason, it is asked at growing intervals, then one row is dialed as a trial, and then all', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 20, numbers: 20 });
    const ref = await connection(campaign);
    carrier.answers.checkCredentials = () => Promise.reject(silent());
    for (let fault = 0; fault < 3; fault += 1) await noteDialFault(ctx, ref);
    expect(await runPacer(campaign)).toMatchObject({
      dialed: 0,
      reason: 'carrier_down',
      until: '2026-11-23T10:00:02.000Z',
    });
    const waits: number[] = [];
    for (let look = 0; look < 7; look += 1) {
      const { waitUntil, waitReason } = await campaignOf(ctx, campaign);
      expect(waitReason).toBe('carrier_down');
      if (waitUntil === null) throw new Error('It does not say until when it waits');
      waits.push(waitUntil.getTime() - clock.now().getTime());
      clock.set(waitUntil);
      expect(await runPacer(campaign)).toMatchObject({ dialed: 0, reason: 'carrier_down' });
    }
    expect(waits).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    const { rows } = await listCampaignRows({
      ctx,
      input: { ...everyRow, id: campaign.id },
    });
    expect(rows.map(({ state, reason }) => `${state} ${reason}`)).toEqual(
      Array.from({ length: 5 }, () => 'queued carrier_down'),
    );

    carrier.answers = {};
    clock.advance(30_000);
    expect(await runPacer(campaign)).toMatchObject({ dialed: 0, reason: 'carrier_down' });
    expect(await runPacer(campaign)).toMatchObject({ dialed: 1, reason: 'carrier_down' });
    expect(await runPacer(campaign)).toMatchObject({ dialed: 0, reason: 'carrier_down' });
    const faultedAt = new Date('2026-11-23T10:00:00.000Z');
    await noteDialAnswered(ctx, ref, new Date(faultedAt.getTime() - 1)); // recorded late
    expect(await runPacer(campaign)).toMatchObject({ dialed: 0, reason: 'carrier_down' });
    await noteDialAnswered(ctx, ref, clock.now());
    expect(await runPacer(campaign)).toMatchObject({ dialed: 19 });
    expect(await campaignOf(ctx, campaign)).toMatchObject({ state: 'running', waitReason: null });
    expect(await eventsOf(ctx, campaign)).toEqual(['campaign_synced', 'carrier_down', 'dialing_goes_on']);
  });

  test('one lost answer is not an outage', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 4, numbers: 4 });
    const ref = await connection(campaign);
    await noteDialFault(ctx, ref);
    await noteDialFault(ctx, ref);
    expect(await runPacer(campaign)).toMatchObject({ dialed: 4 });
  });

  // guarantee: undelivered-dial-counts-for-no-cap
  test('an attempt that the carrier did not take is not spent, counts for no cap, and waits for the carrier', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: 2,
      numbers: 2,
      settings: { rules: { caps: { per_hour: 1 } } },
    });
    await runPacer(campaign);
    for (const call of await callsOf(ctx, campaign))
      await endCall(ctx, call, { disposition: 'error', retryClass: 'provider', notDialed: 'carrier_down' });
    expect(
      (await targetsOf(ctx, campaign)).map(({ state, waitReason, spentAttempts, outcome }) => ({
        state,
        waitReason,
        spentAttempts,
        outcome,
      })),
    ).toEqual(
      [1, 2].map(() => ({
        state: 'waiting',
        waitReason: 'carrier_down',
        spentAttempts: 0,
        outcome: 'not_dialed',
      })),
    );
    clock.advance(12_000);
    expect(await runPacer(campaign)).toMatchObject({ dialed: 2 });
  });

  // guarantee: broken-conversation-spends-attempt
  test('a call that breaks during the conversation spends an attempt; one that breaks before an answer does not', async () => {
    const campaign = await insertCampaign(ctx, {
      contacts: 2,
      numbers: 2,
      settings: { rules: { max_attempts: 2 } },
    });
    await runPacer(campaign);
    const [talked, rang] = await callsOf(ctx, campaign);
    if (talked === undefined || rang === undefined) throw new Error('Not all were called');
    const answered = { answeredAt: clock.now(), durationSeconds: 180 };
    await endCall(ctx, talked, { disposition: 'pipeline_error', retryClass: 'provider', ...answered });
    await endCall(ctx, rang, { disposition: 'failed', retryClass: 'provider' });
    expect(
      (await targetsOf(ctx, campaign)).map(({ state, spentAttempts }) => [state, spentAttempts]),
    ).toEqual([
      ['waiting', 1],
      ['waiting', 0],
    ]);
    clock.advance(2 * 3_600_000);
    expect(await runPacer(campaign)).toMatchObject({ dialed: 2 });
    for (const call of (await callsOf(ctx, campaign)).slice(2))
      await endCall(ctx, call, { disposition: 'pipeline_error', retryClass: 'provider', ...answered });
    expect(
      (await targetsOf(ctx, campaign)).map(({ state, spentAttempts, outcome }) => [
        state,
        spentAttempts,
        outcome,
      ]),
    ).toEqual([
      ['failed', 2, 'provider'],
      ['waiting', 1, 'provider'],
    ]);
  });

  // guarantee: claims-need-media-host-capacity
  test('without room at any media host no row is claimed, and with room for some, as many as fit', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 9, numbers: 9 });
    await ctx.db.getRepository(mediaHosts).update({ isDraining: false }, { liveCalls: 50 });
    expect(await runPacer(campaign)).toMatchObject({ dialed: 0, reason: 'no_media_host' });
    expect(await campaignOf(ctx, campaign)).toMatchObject({ waitReason: 'no_media_host' });
    await ctx.db.getRepository(mediaHosts).update({ isDraining: false }, { liveCalls: 47 });
    expect(await runPacer(campaign)).toMatchObject({ dialed: 3 });
    await ctx.db.getRepository(mediaHosts).clear();
    expect(await runPacer(campaign)).toMatchObject({ dialed: 0, reason: 'no_media_host' });
    expect(await eventsOf(ctx, campaign)).toEqual([
      'campaign_synced',
      'no_media_host',
      'dialing_goes_on',
      'no_media_host',
    ]);
  });

  test('a line whose dial the carrier does not report on is held, and the row and the campaign say so', async () => {
    const campaign = await insertCampaign(ctx, { contacts: 2, numbers: 1 });
    await runPacer(campaign);
    const [call] = await callsOf(ctx, campaign);
    if (call === undefined || campaign.configurationId === null) throw new Error('Nobody was called');
    const leg = {
      organizationId: ctx.organizationId,
      callId: call.id,
      role: 'main' as const,
      configurationId: campaign.configurationId,
      reference: `${call.uuid}.m1`,
      callControlId: null,
      legId: null,
      sessionId: null,
      state: 'dialing' as const,
      hangupCause: null,
      detection: null,
      dialedAt: clock.now(),
      answeredAt: null,
      endedAt: null,
      hangUpFrom: null,
      createdAt: clock.now(),
    };
    await ctx.db.getRepository(phoneLegs).insert(leg);
    const reasons = async () =>
      (
        await listCampaignRows({
          ctx,
          input: { ...everyRow, id: campaign.id },
        })
      ).rows.map(({ state, reason }) => `${state} ${reason}`);
    expect(await reasons()).toEqual(['processing null', 'queued null']);
    clock.advance(7000);
    await runPacer(campaign);
    expect(await reasons()).toEqual(['processing line_in_doubt', 'queued line_in_doubt']);
    expect(await getCampaignRow({ ctx, publicUrl: '', input: { id: campaign.id, row: 1 } })).toMatchObject({
      reason: 'line_in_doubt',
    });
    expect(await campaignOf(ctx, campaign)).toMatchObject({ waitReason: 'line_in_doubt' });
    await ctx.db.getRepository(phoneLegs).update({ reference: leg.reference }, { callControlId: 'v3:1' });
    await runPacer(campaign);
    expect(await reasons()).toEqual(['processing null', 'queued lines_busy']);
  });
});
