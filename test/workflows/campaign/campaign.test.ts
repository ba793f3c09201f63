import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { NativeConnection } from '@temporalio/worker';
import { createCampaignActivities } from '../../../src/activities/campaign.ts';
import { campaigns, type CampaignRow } from '../../../src/db/tables/campaigns.ts';
import { campaignTargets } from '../../../src/db/tables/campaign-targets.ts';
import { CarrierError } from '../../../src/domain/telephony/carrier-error.ts';
import type { DialedLeg } from '../../../src/providers/carrier/port.ts';
import { campaignWorkflowId, callWorkflowId } from '../../../src/domain/temporal-ids.ts';
import { getRow } from '../../../src/db/rows.ts';
import { organizations } from '../../../src/db/tables/organizations.ts';
import {
  hangUpCampaignCalls,
  resumeDialing,
  stopDialing,
  type PaceDeps,
} from '../../../src/services/campaigns/index.ts';
import { createCampaignRuns } from '../../../src/temporal/campaign-runs.ts';
import type { CampaignRuns } from '../../../src/temporal/port.ts';
import { createWorkers } from '../../../src/worker/create-workers.ts';
import type { VoiceTiming } from '../../../src/workflows/call/messages.ts';
import type { campaignWorkflow } from '../../../src/workflows/index.ts';
import {
  agentOf,
  attemptsOf,
  callsOf,
  campaignOf,
  eventsOf,
  insertCampaign,
  setPolicy,
  targetsOf,
} from '../../support/campaign-world.ts';
import { testBundle } from '../../support/call-world.ts';
import { threeStepDefinition } from '../../support/definitions.ts';
import { legOf } from '../../support/fake-carrier.ts';
import { insertOpenHost } from '../../support/media/open-host.ts';
import { createGate } from '../../support/scripted-llm.ts';
import { keepRunning, temporalTestAddress } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { createVoiceWorld, type VoiceWorld } from '../../support/voice-world.ts';

let world: VoiceWorld;
let runs: CampaignRuns;
let deps: PaceDeps;
/** Replaces the start of calls for a while. */
let onStart: (() => Promise<void>) | null;
/** The carrier sends no events about its calls. */
let isCut = false;
/** Events that were held back meanwhile. */
let heldEvents: (() => Promise<'delivered' | 'gone'>)[] = [];
let timing: Partial<VoiceTiming>;
const pacers: ReturnType<typeof keepRunning>[] = [];

const seatQueue = () => world.seatQueue;

/** A worker of the campaign's queue. */
async function startPacer(): Promise<void> {
  const connection = await NativeConnection.connect({ address: temporalTestAddress() });
  const workers = await createWorkers({
    connection,
    namespace: 'parlance-test',
    workflowBundle: await testBundle(),
    hasNoThreads: true,
    activities: { campaign: createCampaignActivities(deps) },
    taskQueueOf: () => world.base.queues.campaign,
    shutdownGraceMs: 500,
  });
  pacers.push(keepRunning(connection, workers));
}

async function stopPacers(): Promise<void> {
  for (const pacer of pacers.splice(0)) await pacer.stop();
}

beforeAll(async () => {
  world = await createVoiceWorld();
  const { ctx } = world.base;
  await setPolicy(ctx, { startsPerSecond: 1000 });
  deps = {
    ...ctx,
    carriers: new Map([['telnyx', { startCall: () => Promise.resolve() }]]),
    accounts: () => world.carrier,
    calls: {
      startCall: async (input) => {
        await onStart?.();
        await world.starter.startCall({
          ...input,
          seatTaskQueue: seatQueue(),
          voiceTiming: { dialReconcileMs: 2000, dialDoubtMs: 3000, ...timing },
        });
      },
      cancelCall: (callUuid) => world.starter.cancelCall(callUuid),
    },
    startImport: () => Promise.resolve(),
    limits: { calls: 40, inboundShare: 2 },
  };
  runs = createCampaignRuns({ temporal: world.base.temporal, taskQueue: world.base.queues.campaign });
  await world.startWorker({ hasThreads: true });
  await world.startHost(() => ({}));
  // The pacer counts the room of media hosts. The host of this test answers only by its queue.
  await insertOpenHost(ctx.db, { maxCalls: 100 });
  await startPacer();
  // Every line is busy. The carrier reports that right after it took the dial.
  world.carrier.answers.dial = async ({ commandId, clientState }) => {
    const leg = {
      callControlId: `v3:${commandId}`,
      legId: `leg-of-${commandId}`,
      sessionId: `session-of-${commandId}`,
    };
    world.carrier.legs.set(clientState, leg);
    const callUuid = commandId.slice(0, -3);
    const tell = () =>
      world.starter.signalCarrierEvent(callUuid, {
        eventId: `${commandId}-1`,
        occurredAt: new Date().toISOString(),
        leg,
        role: 'main',
        what: { kind: 'hangup', cause: 'user_busy', source: 'callee' },
      });
    if (isCut) heldEvents.push(tell);
    else setImmediate(() => void tell());
    return leg;
  };
});

beforeEach(() => {
  onStart = null;
  isCut = false;
  heldEvents = [];
  timing = {};
});

afterAll(async () => {
  await stopPacers();
  await world.close();
});

const definition = threeStepDefinition({ webhook: false, extraction: false });
const start = async (campaign: CampaignRow, paceMs?: number) => {
  const { ctx } = world.base;
  const { uuid: organizationUuid } = await getRow(ctx.db.manager, organizations, { id: ctx.organizationId });
  await runs.start({
    campaignId: campaign.id,
    campaignUuid: campaign.uuid,
    organizationId: ctx.organizationId,
    organizationUuid,
    agentUuid: (await agentOf(ctx, campaign)).uuid,
    ...(paceMs === undefined ? {} : { paceMs }),
  });
};
const handleOf = ({ uuid }: CampaignRow) =>
  world.base.temporal.client.workflow.getHandle<typeof campaignWorkflow>(campaignWorkflowId(uuid));
const change = async (
  { id, uuid }: CampaignRow,
  to: Partial<Pick<CampaignRow, 'state' | 'stopMode' | 'settings'>>,
) => {
  await world.base.ctx.db.getRepository(campaigns).update({ id }, to);
  await runs.wake(uuid);
};

describe('campaignWorkflow', () => {
  test('dials each of 40 rows as often as its plan says, with outcomes that add up to the rows, and completes', async () => {
    const { ctx } = world.base;
    const campaign = await insertCampaign(ctx, {
      contacts: 40,
      numbers: 15,
      definition,
      settings: { retry_config: { enabled: false } },
    });
    await start(campaign);
    await expect(handleOf(campaign).result()).resolves.toEqual({ state: 'completed' });
    const [targets, attempts] = [await targetsOf(ctx, campaign), await attemptsOf(ctx, campaign)];
    expect(targets.map(({ state, outcome }) => `${state} ${outcome}`)).toEqual(
      Array.from({ length: 40 }, () => 'processed busy'),
    );
    expect(attempts).toHaveLength(40);
    const own = new Set((await callsOf(ctx, campaign)).map(({ uuid }) => `${uuid}.m1`));
    const dialed = world.carrier
      .requests('dial')
      .map(({ commandId }) => String(commandId))
      .filter((each) => own.has(each));
    expect(dialed.toSorted()).toEqual([...own].toSorted());
    const description = await world.base.temporal.client.workflow
      .getHandle(callWorkflowId((await callsOf(ctx, campaign))[0]?.uuid ?? ''))
      .describe();
    expect(description.searchAttributes).toMatchObject({
      CampaignId: [campaign.uuid],
      Attempt: [1],
      CallSource: ['campaign'],
    });
  });

  test('leaves no row out and calls none twice when a worker dies between the commit and the start', async () => {
    const { ctx } = world.base;
    const campaign = await insertCampaign(ctx, {
      contacts: 6,
      numbers: 6,
      definition,
      settings: { retry_config: { enabled: false } },
    });
    let isHeld = true;
    onStart = () => (isHeld ? new Promise<void>(() => undefined) : Promise.resolve());
    await start(campaign, 2000);
    await until('the claim', async () => (await callsOf(ctx, campaign)).length === 6);
    await stopPacers();
    isHeld = false;
    onStart = null;
    await ctx.db.query('UPDATE campaign_targets SET claimed_until = ? WHERE campaign_id = ?', [
      new Date(0),
      campaign.id,
    ]);
    await startPacer();
    await expect(handleOf(campaign).result()).resolves.toEqual({ state: 'completed' });
    expect(await attemptsOf(ctx, campaign)).toHaveLength(6);
    expect(
      (await targetsOf(ctx, campaign)).every(({ outcome, attempts }) => outcome === 'busy' && attempts === 1),
    ).toBe(true);
  });

  // guarantee: last-check-before-each-dial
  test('rings no phone and spends no attempt when paused between the claim and the dial, and dials the rows after the resume', async () => {
    const { ctx } = world.base;
    const campaign = await insertCampaign(ctx, {
      contacts: 2,
      numbers: 2,
      definition,
      settings: { retry_config: { enabled: false } },
    });
    const gate = createGate();
    onStart = () => gate.wait();
    await start(campaign);
    const claimed = await until('the claim', async () =>
      (await callsOf(ctx, campaign)).length === 2 ? await callsOf(ctx, campaign) : undefined,
    );
    await change(campaign, { state: 'paused' });
    gate.open();
    await until('the answers of both calls', async () =>
      (await targetsOf(ctx, campaign)).every(
        ({ state, outcome, spentAttempts }) =>
          state === 'waiting' && outcome === 'not_dialed' && spentAttempts === 0,
      ),
    );
    expect(
      world.carrier
        .requests('dial')
        .filter(({ commandId }) => claimed.some(({ uuid }) => String(commandId).startsWith(uuid))),
    ).toEqual([]);
    expect((await callsOf(ctx, campaign)).map(({ disposition }) => disposition)).toEqual([
      'canceled',
      'canceled',
    ]);
    await change(campaign, { state: 'running' });
    await expect(handleOf(campaign).result()).resolves.toEqual({ state: 'completed' });
    expect(
      (await targetsOf(ctx, campaign)).map(({ outcome, attempts, spentAttempts }) => ({
        outcome,
        attempts,
        spentAttempts,
      })),
    ).toEqual([
      { outcome: 'busy', attempts: 2, spentAttempts: 1 },
      { outcome: 'busy', attempts: 2, spentAttempts: 1 },
    ]);
  });

  // guarantee: line-cut-applies-to-claimed-targets
  test('rings as many phones as it may when its lines are reduced between the claim and the dial, and the other rows wait for a line and are dialed later', async () => {
    const { ctx } = world.base;
    const campaign = await insertCampaign(ctx, {
      contacts: 4,
      numbers: 4,
      definition,
      settings: { retry_config: { enabled: false } },
    });
    const [gate, ringing] = [createGate(), createGate()];
    onStart = () => gate.wait();
    const { dial } = world.carrier.answers;
    world.carrier.answers.dial = async (request) => {
      await ringing.wait();
      return (await dial?.(request)) ?? legOf(world.carrier.legs, request.clientState);
    };
    await start(campaign);
    const claimed = await until('the claim', async () =>
      (await callsOf(ctx, campaign)).length === 4 ? await callsOf(ctx, campaign) : undefined,
    );
    await change(campaign, { settings: { ...campaign.settings, max_concurrency: 1 } });
    gate.open();
    const rows = await until('the answers of the others', async () => {
      const found = await targetsOf(ctx, campaign);
      return found.filter(({ outcome }) => outcome === 'not_dialed').length === 3 ? found : undefined;
    });
    expect(
      rows
        .map(({ state, waitReason, spentAttempts }) => `${state} ${waitReason} ${spentAttempts}`)
        .toSorted(),
    ).toEqual(['processing null 0', ...Array.from({ length: 3 }, () => 'waiting no_line 0')]);
    expect(
      world.carrier
        .requests('dial')
        .filter(({ commandId }) => claimed.some(({ uuid }) => String(commandId).startsWith(uuid))),
    ).toHaveLength(1);
    world.carrier.answers.dial = dial;
    ringing.open();
    await expect(handleOf(campaign).result()).resolves.toEqual({ state: 'completed' });
    expect(
      (await targetsOf(ctx, campaign)).map(({ outcome, spentAttempts }) => `${outcome} ${spentAttempts}`),
    ).toEqual(Array.from({ length: 4 }, () => 'busy 1'));
  });

  // guarantee: carrier-outage-spends-no-attempt
  test('spends no attempt while the carrier is down: afterwards all are reached, none twice, and a contact who was rung without an answer is not rung again', async () => {
    const { ctx } = world.base;
    const campaign = await insertCampaign(ctx, {
      contacts: 30,
      numbers: 6,
      definition,
      settings: { retry_config: { enabled: false } },
    });
    const { dial } = world.carrier.answers;
    const broken = () =>
      new CarrierError('The carrier answered with HTTP 503', { outcome: 'unknown', reason: 'server_error' });
    const away = () =>
      new CarrierError('The carrier could not be reached', {
        outcome: 'unknown',
        reason: 'unreachable',
        neverSent: true,
      });
    const taken: string[] = [];
    const refused: string[] = [];
    let asked = 0;
    /** Rang although the answer said that it had not. */
    let rang: { callUuid: string; leg: DialedLeg } | null = null;
    world.carrier.answers = {
      dial: (request) => {
        const callUuid = request.commandId.slice(0, -3);
        refused.push(callUuid);
        if (rang === null) rang = { callUuid, leg: legOf(world.carrier.legs, request.clientState) };
        return Promise.reject(refused.length % 2 === 1 ? broken() : away());
      },
      findLeg: () => Promise.reject(broken()),
      checkCredentials: () => Promise.reject(((asked += 1), broken())),
    };
    await start(campaign);
    await until(
      'the outage is noticed',
      async () => (await campaignOf(ctx, campaign)).waitReason === 'carrier_down',
    );
    // Some of these calls may still have to send their dial.
    const claimed = await attemptsOf(ctx, campaign);
    await until('the carrier was asked several times', () => Promise.resolve(asked >= 3));
    expect(await attemptsOf(ctx, campaign)).toHaveLength(claimed.length);
    expect(refused.length).toBeLessThanOrEqual(claimed.length);
    expect(
      (await targetsOf(ctx, campaign)).filter(
        ({ state, spentAttempts }) => state === 'processed' || state === 'failed' || spentAttempts > 0,
      ),
    ).toEqual([]);

    world.carrier.answers = {
      dial: async (request) => (
        taken.push(request.commandId.slice(0, -3)),
        (await dial?.(request)) ?? legOf(world.carrier.legs, request.clientState)
      ),
    };
    const lost = rang as { callUuid: string; leg: DialedLeg } | null;
    if (lost === null) throw new Error('Nobody was rung');
    await world.starter.signalCarrierEvent(lost.callUuid, {
      eventId: `${lost.callUuid}-late`,
      occurredAt: new Date().toISOString(),
      leg: lost.leg,
      role: 'main',
      what: { kind: 'hangup', cause: 'user_busy', source: 'callee' },
    });
    await expect(handleOf(campaign).result()).resolves.toEqual({ state: 'completed' });
    expect(
      (await targetsOf(ctx, campaign)).map(
        ({ state, outcome, spentAttempts }) => `${state} ${outcome} ${spentAttempts}`,
      ),
    ).toEqual(Array.from({ length: 30 }, () => 'processed busy 1'));
    const rungRows = (await attemptsOf(ctx, campaign))
      .filter(({ outcome }) => outcome === 'busy')
      .map(({ rowNumber }) => rowNumber);
    expect(rungRows.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
    expect(taken).toHaveLength(29);
    expect(await eventsOf(ctx, campaign)).toEqual(
      expect.arrayContaining(['carrier_down', 'dialing_goes_on']),
    );
  });

  // guarantee: unreported-calls-still-settle
  test('settles every row even if the carrier sends no events for a while: none is dialed twice, and late events change nothing', async () => {
    const { ctx } = world.base;
    const campaign = await insertCampaign(ctx, {
      contacts: 20,
      numbers: 10,
      definition,
      settings: { retry_config: { enabled: false }, circuit_breaker: { enabled: false } },
    });
    isCut = true;
    timing = { ringingMs: 1000 };
    world.carrier.answers.status = () => Promise.resolve(null);
    await start(campaign);
    await until('the first dials', () => Promise.resolve(heldEvents.length === 10));
    isCut = false;
    await expect(handleOf(campaign).result()).resolves.toEqual({ state: 'completed' });
    delete world.carrier.answers.status;
    const settled = async () =>
      (await targetsOf(ctx, campaign)).map(({ rowNumber, state, outcome, attempts, phoneNumberId }) => ({
        rowNumber,
        state,
        outcome,
        attempts,
        phoneNumberId,
      }));
    const before = await settled();
    const ways = Map.groupBy(
      before,
      ({ state, outcome, attempts, phoneNumberId }) => `${state} ${outcome} ${attempts} ${phoneNumberId}`,
    );
    expect([...ways].map(([way, rows]) => `${rows.length} ${way}`).toSorted()).toEqual([
      '10 processed busy 1 null',
      '10 processed no_answer 1 null',
    ]);
    const own = new Set((await callsOf(ctx, campaign)).map(({ uuid }) => `${uuid}.m1`));
    expect(world.carrier.requests('dial').filter(({ commandId }) => own.has(String(commandId)))).toHaveLength(
      20,
    );
    expect(await Promise.all(heldEvents.map((tell) => tell()))).toEqual(heldEvents.map(() => 'gone'));
    expect(await settled()).toEqual(before);
  });

  test('calls every contact after the resume when phones ring while all dialing is stopped and hung up: no row is lost, and no attempt spent', async () => {
    const { ctx } = world.base;
    const campaign = await insertCampaign(ctx, {
      contacts: 3,
      numbers: 2,
      definition,
      settings: { retry_config: { enabled: false } },
    });
    isCut = true;
    await start(campaign);
    await until('two phones to ring', () => Promise.resolve(heldEvents.length === 2));
    await stopDialing({ ctx });
    await until(
      'events of all ringing phones',
      async () =>
        (await hangUpCampaignCalls({
          ctx,
          deps: { calls: world.starter },
          input: { onlyUnanswered: true },
        })) === 2,
    );
    await until(
      'the end of both calls',
      async () =>
        (await targetsOf(ctx, campaign)).filter(
          ({ state, outcome, spentAttempts }) =>
            state === 'waiting' && outcome === 'canceled' && spentAttempts === 0,
        ).length === 2,
    );
    isCut = false;
    await resumeDialing({ ctx });
    await ctx.db
      .getRepository(campaignTargets)
      .update({ campaignId: campaign.id, state: 'waiting' }, { dueAt: new Date() });
    await runs.wake(campaign.uuid);
    await expect(handleOf(campaign).result()).resolves.toEqual({ state: 'completed' });
    expect(
      (await targetsOf(ctx, campaign)).map(
        ({ outcome, attempts, spentAttempts }) => `${outcome} ${attempts} ${spentAttempts}`,
      ),
    ).toEqual(['busy 2 1', 'busy 2 1', 'busy 1 1']);
  });

  test('acts on pause, resume and stop at once, and the query answers its state', async () => {
    const { ctx } = world.base;
    const schedule_config = {
      timezone: 'UTC',
      slots: [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
        day_of_week,
        start_time: '00:00',
        end_time: '00:01',
      })),
    };
    const campaign = await insertCampaign(ctx, { contacts: 3, definition, settings: { schedule_config } });
    await start(campaign);
    await until(
      'the wait',
      async () =>
        (await handleOf(campaign).query<{ reason: string } | null>('campaignState'))?.reason ===
        'outside_window',
    );
    await change(campaign, { state: 'paused' });
    await until(
      'the pause',
      async () =>
        (await handleOf(campaign).query<{ state: string } | null>('campaignState'))?.state === 'paused',
    );
    await change(campaign, { state: 'running' });
    await until(
      'the resumption',
      async () =>
        (await handleOf(campaign).query<{ state: string } | null>('campaignState'))?.state === 'running',
    );
    await change(campaign, { stopMode: 'finish' });
    await expect(handleOf(campaign).result()).resolves.toEqual({ state: 'completed' });
    expect((await targetsOf(ctx, campaign)).map(({ outcome }) => outcome)).toEqual([
      'canceled',
      'canceled',
      'canceled',
    ]);
    expect(await campaignOf(ctx, campaign)).toMatchObject({ state: 'completed', waitReason: null });
    expect(await runs.wake(campaign.uuid)).toBe('gone');
  });
});
