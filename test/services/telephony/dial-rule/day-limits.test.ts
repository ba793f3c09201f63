import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { campaigns } from '../../../../src/db/tables/campaigns.ts';
import { modelConfigurations } from '../../../../src/db/tables/model-configurations.ts';
import { organizationDays } from '../../../../src/db/tables/organization-days.ts';
import { organizationPreferences } from '../../../../src/db/tables/organization-preferences.ts';
import { phoneNumbers } from '../../../../src/db/tables/phone-numbers.ts';
import { telephonyConfigurations } from '../../../../src/db/tables/telephony-configurations.ts';
import type { AgentModels } from '../../../../src/domain/agents/settings.ts';
import { CarrierError } from '../../../../src/domain/telephony/carrier-error.ts';
import type { DayUse } from '../../../../src/domain/telephony/dial-rule.ts';
import { addToday, readToday } from '../../../../src/services/identity/index.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { sealerOf, settingsPlace } from '../../../../src/services/kernel/index.ts';
import { finalizeCall, takeWebSeat } from '../../../../src/services/calls/index.ts';
import { reportCallEnd } from '../../../../src/services/campaigns/index.ts';
import { initialCheckpoint } from '../../../../src/domain/call/checkpoint.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../../../support/api-on-services.ts';
import { claimSeat } from '../../../../src/services/media/index.ts';
import { findDayLimit, resolveLlm } from '../../../../src/services/models/index.ts';
import { configurationPlace } from '../../../../src/services/models/internal.ts';
import { sealCredentials } from '../../../../src/services/telephony/accounts/configurations.ts';
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
import { createFakeAccounts } from '../../../support/fake-accounts.ts';
import { createFakeCarrierPort, type FakeCarrierPort } from '../../../support/fake-carrier.ts';
import { createFakeCustomerHttp } from '../../../support/fake-customer-http.ts';
import { carrierEventBody, createSigningCarrier } from '../../../support/carrier-webhooks.ts';
import { node } from '../../../support/definitions.ts';
import { insertEndedCall } from '../../../support/delivery-rows.ts';
import { smallDesign } from '../../../support/designs.ts';
import { FakeLlm } from '../../../support/fake-llm.ts';
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
  });
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

  // guarantee: concurrent-dials-keep-the-daily-limit
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

  test.each([
    ['the installation', { calls: 10, inboundShare: 2, callMinutesPerDay: 3 }, 3],
    ['the service', undefined, 20_000],
  ])('hold without a policy for minutes too, by the default of %s', async (_whose, limits, minutes) => {
    deps = { ...deps, limits };
    const at = { db: ctx.db, organizationId: ctx.organizationId, now: clock.now() };
    await addToday(at, { talkedSeconds: 60 * minutes - 1 });
    expect(await dial()).toMatchObject({ kind: 'dialed' });
    await addToday(at, { talkedSeconds: 1 });
    expect(await dial()).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(`Daily limit reached: ${minutes} minutes of calls per day`),
    });
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

  // guarantee: refused-dial-counts-for-no-day
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

  // guarantee: talked-minutes-count-once
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
        deps: { ...ctx, prices: undefined, publicUrl: 'http://parlance.test', reportCallEnd },
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

  // guarantee: campaigns-wait-for-the-next-day
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

    // guarantee: installation-model-requests-counted
    // guarantee: own-keys-have-no-quota
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

    describe('are asked on every way to use them:', () => {
      let api: ApiUnderTest;
      let key: string;
      const signing = createSigningCarrier();
      const { carriers } = createFakeAccounts();
      beforeEach(async () => {
        const tenant = await createTenant(database.db);
        ({ key } = tenant);
        ctx = { ...ctx, organizationId: tenant.organizationId };
        const limits = { calls: 10, inboundShare: 2, quotas };
        deps = { ...deps, ...ctx, limits };
        const designing = new FakeLlm(() => ({ text: JSON.stringify({ name: 'Designed', ...smallDesign }) }));
        api = await startApi(database.db, {
          clock,
          callLimits: limits,
          accounts: (account) => ({ ...carriers(account), reject: () => Promise.resolve('done') }),
          llms: { llm: designing, model: 'm', hasModel: true, customerLlms: () => designing },
        });
        ({ configurationId } = await insertConnection(database.db, ctx.organizationId));
        await database.db.getRepository(telephonyConfigurations).update(
          { id: configurationId },
          {
            credentialsEncrypted: sealCredentials(ctx.secrets, ctx.organizationId, {
              api_key: 'KEY',
              connection_id: String(configurationId),
              webhook_public_key: signing.publicKey,
            }),
          },
        );
      });
      afterEach(() => api.close());

      const used = async (use: Partial<DayUse>) => {
        const { db, organizationId } = ctx;
        await db.getRepository(organizationDays).delete({ organizationId });
        await addToday({ db, organizationId, now: clock.now() }, use);
      };
      const useOwnKeys = async () => {
        const { organizationId } = ctx;
        const own = { provider: 'openai', api_key: 'sk-own' };
        const pipeline = { llm: { ...own, model: 'gpt-4.1' }, tts: { ...own, voice: 'alloy' }, stt: own };
        const configuration = { version: 2, mode: 'byok', byok: { mode: 'pipeline', pipeline } };
        await database.db.getRepository(modelConfigurations).insert({
          organizationId,
          configurationEncrypted: ctx.secrets.seal(
            JSON.stringify(configuration),
            configurationPlace(organizationId),
          ),
          updatedAt: clock.now(),
          validatedAt: null,
        });
      };
      const newAgent = async () =>
        idAt(
          (
            await api.ask(key, 'POST', '/workflow/create/definition', {
              name: randomUUID(),
              workflow_definition: completeGraph(),
            })
          ).body,
          'id',
        );
      /** Null, or the words of the refusal. */
      const asked = async (path: string, body: object) => {
        const answer = await api.ask(key, 'POST', path, body);
        if (answer.status < 300) return null;
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, String(14 * 3600)]);
        return at(answer.body, 'detail');
      };
      const textSessions = async () => `/workflow/${await newAgent()}/text-chat/sessions`;
      let opened: string | null = null;

      const ways: Record<string, () => Promise<unknown>> = {
        'a text session': async () => await asked(await textSessions(), {}),
        'a message of a text session': async () => {
          if (opened === null) {
            const sessions = await textSessions();
            const { body } = await api.ask(key, 'POST', sessions, {});
            opened = `${sessions}/${idAt(body, 'workflow_run_id')}/messages`;
          }
          return await asked(opened, { text: 'Hi' });
        },
        'a dial': async () => {
          const dialed = await dial();
          return dialed.kind === 'refused' ? dialed.message : null;
        },
        'an incoming call': async () => {
          const numbers = ctx.db.getRepository(phoneNumbers);
          await numbers.update({ configurationId }, { inboundAgentId: Number(await newAgent()) });
          const { addressNormalized: to } = await numbers.findOneByOrFail({ configurationId });
          const raw = carrierEventBody({
            type: 'call.initiated',
            payload: {
              call_control_id: randomUUID(),
              connection_id: String(configurationId),
              direction: 'incoming',
              from: '+4915112345678',
              to,
              state: 'parked',
            },
          });
          const { body } = await api.send(
            signing.headers(raw, { at: clock.now() }),
            'POST',
            '/telephony/inbound/run',
            raw,
          );
          if (at(body, 'status') === 'ok') return null;
          expect(at(body, 'error')).toBe('TelephonyError.QUOTA_EXCEEDED');
          return at(body, 'message');
        },
        'a call from the browser': async () => {
          const call = await insertPhoneCall(ctx, { mode: 'web', channel: 'web', state: 'created' });
          const taken = await takeWebSeat({ deps: { ...ctx, limits: deps.limits }, call, hostId });
          return taken.kind === 'opened' ? null : taken.reason;
        },
        'an agent from a description': async () =>
          await asked('/workflow/create/template', {
            call_type: 'outbound',
            use_case: 'Orders',
            activity_description: 'Take the order.',
          }),
        'a judgment of a call': async () => {
          const nodes = [node('quality', 'qa', { name: 'Quality' })];
          const { callId, agentId } = await insertEndedCall(ctx, { nodes });
          return await asked(`/workflow/${agentId}/runs/${callId}/judge`, {});
        },
        'a sample of a voice': async () =>
          await asked('/user/configurations/voices/google/sample', { voice: 'Kore' }),
      };
      const requests = expect.stringMatching(/^Daily limit reached: 2 requests per day/);
      const minutes = expect.stringMatching(/^Daily limit reached: 1 minutes per day/);

      // guarantee: used-up-quota-ends-text-turns
      // guarantee: near-quota-asked-each-time
      // guarantee: used-up-quota-refuses-requests
      // guarantee: used-up-quota-refuses-judgments
      // guarantee: used-up-quota-refuses-incoming-calls
      // guarantee: used-up-quota-refuses-browser-calls
      test.each<[string, unknown, unknown]>([
        ['a text session', requests, null],
        ['a message of a text session', requests, null],
        ['a dial', requests, minutes],
        ['an incoming call', requests, minutes],
        ['a call from the browser', 'limit', 'limit'],
        ['an agent from a description', requests, null],
        ['a judgment of a call', requests, null],
        ['a sample of a voice', null, minutes],
      ])(
        '%s is refused when a quota that it needs is used up',
        async (name, withoutRequests, withoutMinutes) => {
          const way = ways[name];
          if (way === undefined) throw new Error('no such way');
          opened = null;
          expect(await way()).toBeNull();
          await used({ modelRequests: 2 });
          expect(await way()).toEqual(withoutRequests);
          await used({ talkedSeconds: 60 });
          expect(await way()).toEqual(withoutMinutes);
          await used({ modelRequests: 2, talkedSeconds: 60 });
          await useOwnKeys();
          // The sample is of a voice for which the organization has no key.
          expect(await way()).toEqual(name === 'a sample of a voice' ? minutes : null);
        },
      );
    });
  });
});
