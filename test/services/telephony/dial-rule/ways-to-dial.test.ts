import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startCarrierEmulator, type CarrierEmulator } from '../../../../emulators/carrier/server.ts';
import { ToolDefinition } from '../../../../src/contract/tools.ts';
import { agents } from '../../../../src/db/tables/agents.ts';
import { calls } from '../../../../src/db/tables/calls.ts';
import { campaignTargets, type CampaignTargetRow } from '../../../../src/db/tables/campaign-targets.ts';
import { campaigns, type CampaignRow } from '../../../../src/db/tables/campaigns.ts';
import { organizationDays } from '../../../../src/db/tables/organization-days.ts';
import { telephonyConfigurations } from '../../../../src/db/tables/telephony-configurations.ts';
import { toolRuns } from '../../../../src/db/tables/tool-runs.ts';
import { initialCheckpoint } from '../../../../src/domain/call/checkpoint.ts';
import type { DayUse } from '../../../../src/domain/telephony/dial-rule.ts';
import { createCarrierRegistry } from '../../../../src/providers/carrier/registry.ts';
import { createTool } from '../../../../src/services/agents/index.ts';
import { createPhoneCalls } from '../../../../src/services/calls/index.ts';
import { resolveTransfer } from '../../../../src/services/calls/turns/resolve-transfer.ts';
import { lastCheck } from '../../../../src/services/campaigns/index.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { claimSeat } from '../../../../src/services/media/index.ts';
import {
  dialCall,
  dialTransfer,
  type Dialed,
  type PhoneDeps,
} from '../../../../src/services/telephony/index.ts';
import { sealCredentials } from '../../../../src/services/telephony/accounts/configurations.ts';
import type { CallInput } from '../../../../src/temporal/port.ts';
import {
  answeringCalls,
  at,
  createTenant,
  idAt,
  startApi,
  triggeredGraph,
  type ApiUnderTest,
} from '../../../support/api-on-services.ts';
import { insertCampaign, setPolicy, targetsOf } from '../../../support/campaign-world.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  databases,
  type TestClock,
  type TestDatabase,
} from '../../../support/database.ts';
import { createFakeCustomerHttp } from '../../../support/fake-customer-http.ts';
import { insertOpenHost } from '../../../support/media/open-host.ts';
import { insertPhoneCall } from '../../../support/media/phone-call.ts';
import { createPaceRounds } from '../../../support/pace-rounds.ts';
import { insertConnection } from '../../../support/telephony.ts';

/** A number that may not be dialed, and what each way to dial says of it. */
interface Forbidden {
  number: string;
  policy: Record<string, unknown>;
  /** What the day has used so far. */
  used?: Partial<DayUse>;
  /** Status, and the type of the record or the beginning of the text. */
  request: [number, string];
  /** Null: a live call goes on, and so does its transfer. */
  transfer: string | null;
  row: string;
  /** What the dial answers for a call that was allowed when it was asked for. */
  dial: RegExp;
}

const allowed = '491511234567';
const notDialed = /^this number is not dialed/;
const forbidden: Record<string, Forbidden> = {
  'a premium-rate number': {
    number: '499001234567',
    policy: {},
    request: [422, 'special_number'],
    transfer: 'destination_not_allowed',
    row: 'failed not_allowed',
    dial: notDialed,
  },
  'a shared-cost number': {
    number: '491801234567',
    policy: {},
    request: [422, 'special_number'],
    transfer: 'destination_not_allowed',
    row: 'failed not_allowed',
    dial: notDialed,
  },
  'an emergency number': {
    number: '112',
    policy: { allow_special_numbers: true },
    request: [422, 'string_pattern_mismatch'],
    transfer: 'no_destination',
    row: 'failed invalid_number',
    dial: /cannot be dialed/,
  },
  'an emergency number behind a country code': {
    number: '9711122',
    policy: { allow_special_numbers: true },
    request: [422, 'emergency_number'],
    transfer: 'destination_not_allowed',
    row: 'failed not_allowed',
    dial: notDialed,
  },
  'a number of another country': {
    number: '12025550142',
    policy: { allowed_countries: ['DE'] },
    request: [422, 'country_not_allowed'],
    transfer: 'destination_not_allowed',
    row: 'failed not_allowed',
    dial: notDialed,
  },
  'a foreign SIP address': {
    number: 'sip:a@evil.example',
    policy: { allowed_sip_hosts: ['pbx.example.com'] },
    request: [422, 'string_pattern_mismatch'],
    transfer: 'destination_not_allowed',
    row: 'failed invalid_number',
    dial: /cannot be dialed/,
  },
  'one call too many': {
    number: allowed,
    policy: { max_calls_per_day: 3 },
    used: { dials: 3 },
    request: [429, 'Daily limit reached: 3 calls per day'],
    transfer: 'daily_limit',
    row: 'queued  daily_limit',
    dial: /^Daily limit reached/,
  },
  'one minute too many': {
    number: allowed,
    policy: { max_call_minutes_per_day: 2 },
    used: { talkedSeconds: 120 },
    request: [429, 'Daily limit reached: 2 minutes of calls per day'],
    transfer: 'daily_limit',
    row: 'queued  daily_limit',
    dial: /^Daily limit reached/,
  },
  "one request too many to the installation's model": {
    number: allowed,
    policy: {},
    used: { modelRequests: 4 },
    request: [429, 'Daily limit reached: 4 requests per day'],
    transfer: null,
    row: 'queued  daily_limit',
    dial: /^Daily limit reached/,
  },
  "one minute too many with the installation's voices": {
    number: allowed,
    policy: {},
    used: { talkedSeconds: 180 },
    request: [429, 'Daily limit reached: 3 minutes per day'],
    transfer: null,
    row: 'queued  daily_limit',
    dial: /^Daily limit reached/,
  },
};
const limits = {
  calls: 100,
  inboundShare: 2,
  quotas: { requestsPerDay: 4, voiceMinutesPerDay: 3 },
};

describe.each(databases)('a way to dial on %s', (kind) => {
  let database: TestDatabase;
  let emulator: CarrierEmulator;
  let api: ApiUnderTest;
  let clock: TestClock;
  let ctx: ServiceContext;
  let key: string;
  let deps: PhoneDeps;
  let hostId: string;
  let configurationId: number;
  let agentId: number;
  let agentUuid: string;
  const path = randomUUID();

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    emulator = await startCarrierEmulator();
    clock = createTestClock('2026-11-23T10:00:00.000Z');
    const { organizationId, key: made } = await createTenant(database.db);
    key = made;
    ctx = { ...(await createTestContext(database.db, { clock })), organizationId };
    ({ hostId } = await insertOpenHost(database.db, { maxCalls: 1000 }));
    ({ configurationId } = await insertConnection(database.db, organizationId, {
      numbers: Array.from({ length: 40 }, () => true),
      isDefaultOutbound: true,
    }));
    await database.db.query(
      "UPDATE phone_numbers SET address_normalized = CONCAT('+1555777', LPAD(id, 4, '0')) WHERE configuration_id = ?",
      [configurationId],
    );
    deps = {
      ...ctx,
      accounts: createCarrierRegistry().accounts({ telnyx: emulator.url }),
      http: createFakeCustomerHttp(),
      publicUrl: 'http://127.0.0.1:9/',
      limits,
      checkBeforeDial: (call) => lastCheck(ctx, call),
    };
    const account = deps.accounts({
      provider: 'telnyx',
      credentials: { api_key: 'simulated-key', connection_id: '', webhook_public_key: '' },
    });
    const { connectionId } = await account.createApplication({
      name: 'test',
      webhookUrl: 'http://127.0.0.1:9/',
    });
    await database.db.getRepository(telephonyConfigurations).update(
      { id: configurationId },
      {
        credentialsEncrypted: sealCredentials(ctx.secrets, organizationId, {
          api_key: 'simulated-key',
          connection_id: connectionId,
          webhook_public_key: emulator.publicKey,
        }),
      },
    );
    api = await startApi(database.db, {
      clock,
      callLimits: limits,
      carriers: new Map([
        [
          'telnyx',
          createPhoneCalls({ db: database.db, calls: { ...answeringCalls, startPhoneCall: dialAtOnce } }),
        ],
      ]),
    });
    const created = await api.ask(key, 'POST', '/workflow/create/definition', {
      name: 'a',
      workflow_definition: triggeredGraph(path),
    });
    agentId = Number(idAt(created.body, 'id'));
    await api.ask(key, 'POST', `/workflow/${agentId}/publish`);
    agentUuid = (await database.db.getRepository(agents).findOneByOrFail({ id: agentId })).uuid;
  });
  afterAll(async () => {
    await api.close();
    await emulator.close();
    await database.drop();
  });
  beforeEach(async () => {
    await database.db.getRepository(organizationDays).delete({ organizationId: ctx.organizationId });
    await setPolicy(ctx, { startsPerSecond: 1000 });
    await endAll();
  });

  /** There are more lines than calls here. */
  const endAll = async () => {
    await database.db
      .getRepository(calls)
      .update({ organizationId: ctx.organizationId }, { state: 'ended', endedAt: clock.now() });
    await database.db
      .getRepository(campaigns)
      .update({ organizationId: ctx.organizationId }, { state: 'completed' });
    await database.db
      .getRepository(campaignTargets)
      .update({ organizationId: ctx.organizationId }, { state: 'processed' });
  };

  /** As a call's Workflow dials. */
  async function dial({ callId, callUuid }: Pick<CallInput, 'callId' | 'callUuid'>): Promise<Dialed> {
    const { organizationId } = ctx;
    await ctx.db.getRepository(calls).update({ id: callId }, { state: 'admitted' });
    await claimSeat({ deps: ctx, input: { callId, organizationId, generation: 1 }, hostId });
    const row = await ctx.db.getRepository(calls).findOneByOrFail({ id: callId });
    return await dialCall({
      deps,
      input: {
        callId,
        callUuid,
        organizationId,
        configurationId: row.configurationId ?? configurationId,
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
  const dialAtOnce = async (input: CallInput) => {
    const dialed = await dial(input);
    return dialed.kind === 'refused'
      ? ({ kind: 'refused', message: dialed.message } as const)
      : ({ kind: 'accepted' } as const);
  };

  const forbid = async ({ policy, used = {} }: Forbidden) => {
    const answer = await api.ask(key, 'PUT', '/organizations/dial-policy', {
      starts_per_second: 100,
      ...policy,
    });
    expect(answer).toMatchObject({ status: 200, body: policy });
    await ctx.db.getRepository(organizationDays).insert({
      organizationId: ctx.organizationId,
      day: '2026-11-23',
      dials: 0,
      talkedSeconds: 0,
      modelRequests: 0,
      ...used,
    });
  };
  const asked = async (method: string, url: string, body: unknown) => {
    const { status, body: answer } = await api.ask(key, method, url, body);
    const detail = at(answer, 'detail');
    return [status, typeof detail === 'string' ? detail : (at(detail, 0, 'type') ?? null)];
  };

  const requests: Record<string, (number: string) => Promise<unknown[]>> = {
    'a trigger': (number) => asked('POST', `/public/agent/${path}`, { phone_number: number }),
    'a test trigger': (number) => asked('POST', `/public/agent/test/${path}`, { phone_number: number }),
    'a trigger by uuid': (number) =>
      asked('POST', `/public/agent/workflow/${agentUuid}`, { phone_number: number }),
    'a test call': (number) =>
      asked('POST', '/telephony/initiate-call', { workflow_id: agentId, phone_number: number }),
    'the test number': async (number) => {
      await api.ask(key, 'PUT', '/organizations/preferences', { test_phone_number: number });
      return await asked('POST', '/telephony/initiate-call', { workflow_id: agentId });
    },
    'a run made ahead': async (number) => {
      const made = await api.ask(key, 'POST', `/workflow/${agentId}/runs`, { mode: 'telnyx', name: 'Later' });
      return await asked('POST', '/telephony/initiate-call', {
        workflow_id: agentId,
        workflow_run_id: Number(idAt(made.body, 'id')),
        phone_number: number,
      });
    },
  };

  const transferring = async (config: Record<string, unknown>, values: Record<string, unknown>) => {
    const { callId, organizationId } = await insertPhoneCall(ctx, { initialContext: {} });
    const { tool_uuid: toolUuid } = await createTool({
      ctx,
      input: {
        name: `Transfer ${randomUUID()}`,
        description: null,
        icon: 'globe',
        iconColor: '#3B82F6',
        definition: ToolDefinition.parse({ type: 'transfer_call', config }),
      },
    });
    const call = { id: 't1', name: 'transfer', argumentsText: JSON.stringify(values), values, toolUuid };
    return await resolveTransfer({
      deps,
      input: {
        callId,
        organizationId,
        branch: 0,
        turnIndex: 0,
        callIndex: 0,
        call,
        checkpoint: initialCheckpoint,
        extractions: [],
      },
      signal: new AbortController().signal,
    });
  };
  const destinationOf = (number: string) => (/^\d/.test(number) ? `+${number}` : number);
  const transfers: Record<string, (number: string) => Promise<unknown>> = {
    'a transfer': (number) => transferring({ destination: destinationOf(number) }, {}),
    'a transfer to what the model says': (number) =>
      transferring(
        {
          destination_source: 'dynamic',
          destination: '+491511234567',
          parameters: [{ name: 'destination', type: 'string', description: 'Where' }],
          // The agent's own list lets everything through, so that the organization's rule decides.
          allowed_destinations: [
            ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `+${digit}*`),
            ...[/@(.+)$/.exec(number)?.[1] ?? []].flat().map((host) => `sip:*@${host}`),
          ],
        },
        { destination: destinationOf(number) },
      ),
    'the dial of a transfer that was stored before': async (number) => await dialStored(number),
  };
  async function dialStored(number: string) {
    const { callId, callUuid, organizationId } = await insertPhoneCall(ctx, { initialContext: {} });
    await ctx.db.getRepository(toolRuns).insert({
      organizationId,
      callId,
      branch: 0,
      turnIndex: 0,
      callIndex: 0,
      requestSha256: 'a'.repeat(64),
      toolUuid: randomUUID(),
      state: 'finished',
      result: JSON.stringify({ destination: destinationOf(number), custom_message: null }),
      startedAt: clock.now(),
      finishedAt: clock.now(),
    });
    return await dialTransfer({
      deps,
      input: {
        callId,
        callUuid,
        organizationId,
        configurationId,
        kept: { branch: 0, turnIndex: 0, callIndex: 0 },
        attempt: 1,
        phoneNumberId: null,
        timeoutSeconds: 30,
      },
    });
  }

  const campaignOf = async (phone: string, row: Partial<CampaignRow> = {}) =>
    await insertCampaign(ctx, { contacts: [{ phone }], configurationId, row });
  const shown = async (campaign: CampaignRow) => {
    const [row] = await targetsOf(ctx, campaign);
    const { waitReason } = await ctx.db.getRepository(campaigns).findOneByOrFail({ id: campaign.id });
    return [row?.state, row?.outcome, ...(row?.state === 'failed' ? [] : [waitReason])].join(' ');
  };
  const round = (campaign: CampaignRow) => createPaceRounds(ctx, clock, { limits }).round(campaign);
  /** A campaign whose only row is so, before anything is dialed. */
  const withRow = async (number: string, change: Partial<CampaignTargetRow>) => {
    const campaign = await campaignOf(number);
    await ctx.db.getRepository(campaigns).update({ id: campaign.id }, { state: 'paused' });
    await round(campaign);
    await ctx.db.getRepository(campaignTargets).update({ campaignId: campaign.id }, change);
    return campaign;
  };
  const runs = async (campaign: CampaignRow) => {
    await ctx.db.getRepository(campaigns).update({ id: campaign.id }, { state: 'running' });
    await round(campaign);
    return (await shown(campaign)).replace(/^waiting/, 'queued');
  };
  const rows: Record<string, (number: string) => Promise<string>> = {
    'a row of a campaign': async (number) => await runs(await campaignOf(number)),
    'a callback of a campaign': async (number) =>
      await runs(await withRow(number, { state: 'waiting', dueAt: clock.now(), waitReason: 'callback' })),
    'a retry of a campaign': async (number) =>
      await runs(await withRow(number, { state: 'waiting', dueAt: clock.now(), waitReason: 'retry' })),
    'a redial of a campaign': async (number) => {
      const parent = await withRow(number, { state: 'failed', outcome: 'busy', attempts: 1 });
      await ctx.db.getRepository(campaigns).update({ id: parent.id }, { state: 'completed' });
      const made = await api.ask(key, 'POST', `/campaign/${parent.id}/redial`, { outcomes: ['busy'] });
      expect(made).toMatchObject({ status: 200, body: { total_rows: 1 } });
      const id = Number(idAt(made.body, 'id'));
      return await runs(await ctx.db.getRepository(campaigns).findOneByOrFail({ id }));
    },
  };

  const rang = () => Object.keys(emulator.rung());

  describe.each(Object.keys(forbidden))('does not ring %s:', (name) => {
    const what = forbidden[name];
    if (what === undefined) throw new Error('unknown');

    // guarantee: dial-rule-refuses-the-request
    test.each(Object.keys(requests))('%s is refused', async (way) => {
      await forbid(what);
      const [status, told] = (await requests[way]?.(what.number)) ?? [];
      expect([status, String(told).slice(0, what.request[1].length)]).toEqual(what.request);
      expect(rang()).toEqual([]);
    });

    const { transfer } = what;
    if (transfer !== null)
      // guarantee: dial-rule-checked-at-the-transfer
      test.each(Object.keys(transfers))('%s fails', async (way) => {
        await forbid(what);
        const expected =
          way.startsWith('the dial') && transfer === 'no_destination' ? 'destination_not_allowed' : transfer;
        expect(await transfers[way]?.(what.number)).toEqual({ kind: 'failed', reason: expected });
        expect(rang()).toEqual([]);
      });

    // guarantee: campaign-row-follows-the-dial-rule
    test.each(Object.keys(rows))('%s is not dialed', async (way) => {
      await forbid(what);
      expect(await rows[way]?.(what.number)).toBe(what.row);
      expect(rang()).toEqual([]);
    });

    // guarantee: dial-rule-checked-at-the-dial
    test('a call that was started before is refused at its dial, and so is one of a campaign', async () => {
      await forbid(what);
      const { callId, callUuid } = await insertPhoneCall(ctx, {
        configurationId,
        calledNumber: what.number,
        initialContext: { called_number: what.number },
      });
      expect(await dial({ callId, callUuid })).toMatchObject({
        kind: 'refused',
        message: expect.stringMatching(what.dial),
      });
      await setPolicy(ctx, { startsPerSecond: 1000 });
      await ctx.db.getRepository(organizationDays).delete({ organizationId: ctx.organizationId });
      const campaign = await campaignOf(allowed);
      await round(campaign);
      const claimed = await ctx.db.getRepository(calls).findOneByOrFail({ campaignId: campaign.id });
      await ctx.db.getRepository(calls).update({ id: claimed.id }, { calledNumber: what.number });
      await forbid(what);
      expect(await dial({ callId: claimed.id, callUuid: claimed.uuid })).toMatchObject({ kind: 'refused' });
      expect(rang()).toEqual([]);
    });
  });

  test('rings an allowed number and counts it', async () => {
    const expected = Object.keys(requests).map(() => [200, null]);
    const statuses: unknown[] = [];
    for (const way of Object.keys(requests)) statuses.push(await requests[way]?.(allowed));
    expect(statuses).toEqual(expected);
    expect(await dialStored(allowed)).toMatchObject({ kind: 'dialed' });
    expect(rang()).toEqual([`+${allowed}`]);
    expect(
      await ctx.db.getRepository(organizationDays).findOneBy({ organizationId: ctx.organizationId }),
    ).toMatchObject({ day: '2026-11-23', dials: expected.length + 1 });
  });
});
