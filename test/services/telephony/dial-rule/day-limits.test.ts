import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { campaigns } from '../../../../src/db/tables/campaigns.ts';
import { organizationDays } from '../../../../src/db/tables/organization-days.ts';
import { organizationPreferences } from '../../../../src/db/tables/organization-preferences.ts';
import type { AgentModels } from '../../../../src/domain/agents/settings.ts';
import { CarrierError } from '../../../../src/domain/telephony/carrier-error.ts';
import { addToday, readToday } from '../../../../src/services/identity/index.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { sealerOf, settingsPlace } from '../../../../src/services/kernel/index.ts';
import { finalizeCall } from '../../../../src/services/calls/index.ts';
import { reportCallEnd } from '../../../../src/services/campaigns/index.ts';
import { initialCheckpoint } from '../../../../src/domain/call/checkpoint.ts';
import { completeGraph, createTenant, idAt, startApi } from '../../../support/api-on-services.ts';
import { claimSeat } from '../../../../src/services/media/index.ts';
import { findDayLimit, resolveLlm } from '../../../../src/services/models/index.ts';
import { dialCall, type Dialed, type PhoneDeps } from '../../../../src/services/telephony/index.ts';
import { insertCampaign, setPolicy, targetsOf } from '../../../support/campaign-world.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  databases,
  type TestClock,
  type TestDatabase,
} from '../../../support/database.ts';
import { createFakeCarrierPort, type FakeCarrierPort } from '../../../support/fake-carrier.ts';
import { createFakeCustomerHttp } from '../../../support/fake-customer-http.ts';
import { insertOpenHost } from '../../../support/media/open-host.ts';
import { insertPhoneCall } from '../../../support/media/phone-call.ts';
import { createPaceRounds } from '../../../support/pace-rounds.ts';
import { insertConnection } from '../../../support/telephony.ts';
import { until } from '../../../support/until.ts';

describe.each(databases)('the daily limits of an organization on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let clock: TestClock;
  let carrier: FakeCarrierPort;
  let deps: PhoneDeps;
  let hostId: string;
  let configurationId: number;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ({ hostId } = await insertOpenHost(database.db, { maxCalls: 1000 }));
  }, 60_000);
  afterAll(() => database.drop());
  beforeEach(async () => {
    clock = createTestClock('2026-11-23T10:00:00.000Z');
    ctx = await createTestContext(database.db, { clock });
    carrier = createFakeCarrierPort();
    deps = {
      ...ctx,
      accounts: () => carrier,
      http: createFakeCustomerHttp(),
      publicUrl: 'https://parlance.test/',
      checkBeforeDial: () => Promise.resolve(null),
    };
    ({ configurationId } = await insertConnection(database.db, ctx.organizationId, {
      numbers: Array.from({ length: 20 }, () => true),
    }));
  });

  async function dial(): Promise<Dialed> {
    const { callId, callUuid, organizationId } = await insertPhoneCall(ctx, {
      initialContext: { called_number: '+14155550001' },
    });
    await claimSeat({ deps: ctx, input: { callId, organizationId, generation: 1 }, hostId });
    return await dialCall({
      deps,
      input: {
        callId,
        callUuid,
        organizationId,
        configurationId,
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
  const kinds = (dialed: readonly Dialed[]) => dialed.map(({ kind: each }) => each).toSorted();
  const today = async () =>
    (await readToday({ db: ctx.db, organizationId: ctx.organizationId, now: clock.now() })).use;
  const inZone = async (timezone: string) =>
    await ctx.db.getRepository(organizationPreferences).insert({
      organizationId: ctx.organizationId,
      testPhoneNumber: null,
      timezone,
      externalPbxEnabled: false,
      updatedAt: clock.now(),
    });

  test('hold for calls that begin at the same moment', async () => {
    await setPolicy(ctx, { maxCallsPerDay: 7 });
    const dialed = await Promise.all(Array.from({ length: 20 }, dial));
    expect(kinds(dialed)).toEqual([
      ...Array.from({ length: 7 }, () => 'dialed'),
      ...Array.from({ length: 13 }, () => 'refused'),
    ]);
    expect(carrier.requests('dial')).toHaveLength(7);
    expect(await today()).toMatchObject({ dials: 7 });
  });

  test('hold without a policy, by the defaults of the installation', async () => {
    deps = { ...deps, limits: { calls: 10, inboundShare: 2, callsPerDay: 1 } };
    expect(kinds([await dial(), await dial()])).toEqual(['dialed', 'refused']);
  });

  test("begin anew at midnight of the organization's time zone", async () => {
    await inZone('America/New_York');
    await setPolicy(ctx, { maxCallsPerDay: 1 });
    clock.set('2026-11-24T04:59:58.000Z');
    await dial();
    clock.set('2026-11-24T04:59:59.000Z');
    expect(await dial()).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('It ends at 05:00 UTC on 24 Nov 2026'),
    });
    clock.set('2026-11-24T05:00:00.000Z');
    expect(await dial()).toMatchObject({ kind: 'dialed' });
    const days = await ctx.db
      .getRepository(organizationDays)
      .find({ where: { organizationId: ctx.organizationId }, order: { day: 'ASC' } });
    expect(days.map(({ day, dials }) => [day, dials])).toEqual([
      ['2026-11-23', 1],
      ['2026-11-24', 1],
    ]);
  });

  test('do not count a dial that the carrier refused', async () => {
    await setPolicy(ctx, { maxCallsPerDay: 1 });
    carrier.answers.dial = () =>
      Promise.reject(new CarrierError('no such route', { outcome: 'refused', reason: 'client_error' }));
    expect(await dial()).toMatchObject({ kind: 'refused' });
    delete carrier.answers.dial;
    expect(await dial()).toMatchObject({ kind: 'dialed' });
  });

  test('count the minutes of calls that have ended', async () => {
    await setPolicy(ctx, { maxCallMinutesPerDay: 2 });
    const at = { db: ctx.db, organizationId: ctx.organizationId, now: clock.now() };
    await addToday(at, { talkedSeconds: 119 });
    expect(await dial()).toMatchObject({ kind: 'dialed' });
    await addToday(at, { talkedSeconds: 0.4 });
    expect(await dial()).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('Daily limit reached: 2 minutes of calls per day'),
    });
  });

  test('count the minutes of a call once, however often its record is completed', async () => {
    const { callId, organizationId } = await insertPhoneCall(ctx, { initialContext: {} });
    const spoken = {
      word: null,
      hasFailedToStart: false,
      answeredAt: '2026-11-23T09:58:30.000Z',
      endedAt: '2026-11-23T10:00:00.000Z',
      legs: [],
    };
    for (const _ of [1, 2])
      await finalizeCall({
        deps: { ...ctx, prices: undefined, reportCallEnd },
        input: {
          callId,
          organizationId,
          reason: 'user_hangup',
          checkpoint: initialCheckpoint,
          extractions: [],
          failedExtractions: [],
          spoken,
        },
      });
    expect(await today()).toMatchObject({ talkedSeconds: 90 });
  });

  test('let a campaign wait with the reason and go on at midnight', async () => {
    await inZone('Europe/Berlin');
    await setPolicy(ctx, { maxCallsPerDay: 1, startsPerSecond: 1000 });
    const campaign = await insertCampaign(ctx, { contacts: 1, configurationId });
    const rounds = createPaceRounds(ctx, clock);
    await dial();
    const midnight = '2026-11-23T23:00:00.000Z';
    expect(await rounds.round(campaign)).toMatchObject({ dialed: 0, until: midnight });
    expect(await ctx.db.getRepository(campaigns).findOneByOrFail({ id: campaign.id })).toMatchObject({
      waitReason: 'daily_limit',
      waitUntil: new Date(midnight),
    });
    expect(await targetsOf(ctx, campaign)).toMatchObject([{ state: 'queued', attempts: 0 }]);
    clock.set(midnight);
    expect(await rounds.round(campaign)).toMatchObject({ dialed: 1 });
  });

  describe("of the installation's models", () => {
    const quotas = { requestsPerDay: 2, voiceMinutesPerDay: 1 };
    const noModels: AgentModels = {
      modelConfiguration: null,
      modelOverrides: { llm: null, tts: null, stt: null },
    };
    const ownKeys = (): AgentModels['modelOverrides'] => {
      const seal = sealerOf(ctx.secrets, settingsPlace(ctx.organizationId));
      const own = { provider: 'openai', model: 'gpt-4.1', api_key: seal('sk-own') };
      return { llm: own, tts: own, stt: own };
    };
    const reached = async (agentModels = noModels, isSpoken = true) =>
      (
        await findDayLimit({
          at: { db: ctx.db, organizationId: ctx.organizationId, now: clock.now() },
          secrets: ctx.secrets,
          quotas,
          agentModels: () => Promise.resolve(agentModels),
          isSpoken,
        })
      )?.limit ?? null;

    test('count each request to them, and hold only for organizations without own keys', async () => {
      const { llm } = await resolveLlm({
        db: ctx.db,
        deps: {
          secrets: ctx.secrets,
          clock,
          model: 'm',
          customerLlms: () => {
            throw new Error('not a customer');
          },
          llm: {
            simulated: false,
            provider: 'openai',
            async *stream() {
              await Promise.resolve();
              yield { kind: 'end' as const, finishReason: 'stop', usage: null };
            },
          },
        },
        organizationId: ctx.organizationId,
      });
      const signal = new AbortController().signal;
      for (const count of [1, 2]) {
        expect(await reached()).toBeNull();
        for await (const _ of llm.stream({ model: 'm', messages: [], tools: [] }, { signal }));
        await until('the count', async () => ((await today()).modelRequests === count ? true : undefined));
      }
      expect([
        await reached(),
        await reached(noModels, false),
        await reached({ ...noModels, modelOverrides: ownKeys() }),
      ]).toEqual(['modelRequests', 'modelRequests', null]);
    });

    test('hold for spoken minutes, of spoken conversations only', async () => {
      await addToday(
        { db: ctx.db, organizationId: ctx.organizationId, now: clock.now() },
        { talkedSeconds: 60 },
      );
      expect([
        await reached(),
        await reached(noModels, false),
        await reached({ ...noModels, modelOverrides: ownKeys() }),
        await reached({ ...noModels, modelOverrides: { ...ownKeys(), stt: null } }),
      ]).toEqual(['voiceMinutes', null, null, 'voiceMinutes']);
    });

    test('refuse new text sessions and messages', async () => {
      const api = await startApi(database.db, { clock, callLimits: { calls: 10, inboundShare: 2, quotas } });
      const { key, organizationId } = await createTenant(database.db);
      const made = await api.ask(key, 'POST', '/workflow/create/definition', {
        name: 'a',
        workflow_definition: completeGraph(),
      });
      const sessions = `/workflow/${idAt(made.body, 'id')}/text-chat/sessions`;
      const opened = await api.ask(key, 'POST', sessions, {});
      const message = () =>
        api.ask(key, 'POST', `${sessions}/${idAt(opened.body, 'workflow_run_id')}/messages`, { text: 'Hi' });
      expect([opened.status, (await message()).status]).toEqual([200, 200]);
      await addToday({ db: ctx.db, organizationId, now: clock.now() }, { modelRequests: 2 });
      const refused = {
        status: 429,
        body: { code: 'limit', detail: expect.stringMatching(/^Daily limit reached: 2 requests per day/) },
      };
      expect(await message()).toMatchObject(refused);
      expect(await api.ask(key, 'POST', sessions, {})).toMatchObject(refused);
      expect((await message()).headers.get('retry-after')).toBe(String(14 * 3600));
      await api.close();
    });

    test('refuse a call before it is dialed', async () => {
      deps = { ...deps, limits: { calls: 10, inboundShare: 2, quotas } };
      await addToday(
        { db: ctx.db, organizationId: ctx.organizationId, now: clock.now() },
        { modelRequests: 2 },
      );
      expect(await dial()).toMatchObject({
        kind: 'refused',
        message: expect.stringContaining("requests per day to the installation's language model"),
      });
      expect(carrier.requests('dial')).toEqual([]);
    });
  });
});
