import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import { bundleWorkflowCode, Worker } from '@temporalio/worker';
import { callWorkflowId } from '../../src/domain/temporal-ids.ts';
import { parseKeyRing } from '../../src/providers/secrets/key-ring.ts';
import { openTelemetry } from '../../src/runtime/open-telemetry.ts';
import { inSpan, type Tracing } from '../../src/runtime/tracing.ts';
import { createTextSession } from '../../src/services/calls/index.ts';
import { createCallStarter } from '../../src/temporal/call-starter.ts';
import { createTemporalClient, type TemporalClient } from '../../src/temporal/connection.ts';
import { encryptedPayloads } from '../../src/temporal/payload-encryption.ts';
import { tracedClient } from '../../src/temporal/traced-client.ts';
import { bundled } from '../../src/worker/bundle.ts';
import {
  createCallWorld,
  sessionOf,
  testBundle,
  type CallWorld,
  type OpenSession,
} from '../support/call-world.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.ts';
import { silentLogger } from '../support/quiet.ts';
import { createScriptedLlm } from '../support/scripted-llm.ts';
import { temporalTestAddress } from '../support/temporal.ts';
import { until } from '../support/until.ts';

/**
 * Calls with everything that may affect a replay: concurrent Updates, extractions in the background, fresh
 * runs, children.
 */
const writing = [
  ['in clear', undefined],
  ['encrypted', encryptedPayloads(parseKeyRing(`test:${randomBytes(32).toString('base64')}`))],
] as const;

describe.each(writing)('a traced call whose payloads are written %s', (_, dataConverter) => {
  const llm = createScriptedLlm({
    before: (_request, said) => (said.includes('break') ? { fail: true } : undefined),
  });
  let otlp: OtlpReceiver;
  let tracing: Tracing;
  let temporal: TemporalClient;
  let world: CallWorld;
  let session: OpenSession;
  let traceIds: Record<'open' | 'end', string>;

  beforeAll(async () => {
    otlp = await startOtlpReceiver();
    tracing = openTelemetry({
      endpoint: otlp.url,
      sampler: { name: 'always_on', ratio: 1 },
      role: 'test',
      version: '1',
      log: silentLogger,
      batchDelayMs: 5,
    });
    world = await createCallWorld({ llm, ...(dataConverter === undefined ? {} : { dataConverter }) });
    temporal = createTemporalClient({
      address: temporalTestAddress(),
      namespace: 'parlance-test',
      dataConverter,
      interceptors: tracedClient(tracing),
    });
    const first = await world.startWorker({ tracing });
    const opened = await asked('open', openSession);
    session = opened.result;
    await asked('fails', async () => await session.say('break').catch(() => undefined));
    await asked(
      'say',
      async () => await Promise.allSettled([session.say('go_on', 1), session.say('go_on, too', 1)]),
    );
    await until('a fresh run', async () => {
      const { raw } = await temporal.client.workflow.getHandle(callWorkflowId(session.callUuid)).describe();
      return raw.workflowExecutionInfo?.execution?.runId !== raw.workflowExecutionInfo?.firstRunId;
    });
    await asked('say', () => session.say('extra'));
    // From here on, a new worker replays the run.
    await first.stop();
    await world.startWorker({ tracing });
    const ended = await asked('end', () => session.end());
    traceIds = { open: opened.traceId, end: ended.traceId };
    await until('the hand-over', async () => world.delivered.length === 1);
    await until('the last span', async () => otlp.spans.some(({ name }) => name === 'AttemptDelivery'));
  });

  afterAll(async () => {
    await temporal.close();
    await world.close();
    await tracing.stop();
    await otlp.close();
  });

  /** As a request of the API: in a span of its own trace. */
  async function asked<T>(name: string, work: () => Promise<T>): Promise<{ result: T; traceId: string }> {
    return await inSpan(tracing, { name, kind: 'server', parent: '' }, async () => {
      const traceId = tracing.active()?.traceId ?? '';
      return { result: await work(), traceId };
    });
  }

  async function openSession(): Promise<OpenSession> {
    const { ctx, queues } = world;
    const real = createCallStarter({ temporal, taskQueue: queues.call });
    const starter: typeof real = {
      ...real,
      openTextSession: (input, failures) => real.openTextSession({ ...input, turnsPerRun: 2 }, failures),
    };
    const agentId = await world.createAgent(threeStepDefinition());
    const opening = await createTextSession({
      ctx,
      deps: { calls: starter },
      input: { agentId, initialContext: {}, annotations: {} },
    });
    return await sessionOf({ ctx, starter, agentId, opening });
  }

  const named = (name: string): ReceivedSpan[] => otlp.spans.filter((span) => span.name === name);

  test('has one span for each Update, even after a replay', () => {
    expect(named('HandleUpdate:openSession')).toHaveLength(1);
    expect(named('HandleUpdate:endSession')).toHaveLength(1);
    const messages = named('HandleUpdate:sendMessage');
    expect(new Set(messages.map(({ attributes }) => attributes['temporalUpdateId'])).size).toBe(
      messages.length,
    );
    expect(messages).toHaveLength(4);
  });

  test('records the type of a failed Update and none of its text', () => {
    const failed = named('HandleUpdate:sendMessage').filter(({ status }) => status === 2);
    expect(failed).toHaveLength(2);
    expect(new Set(failed.map(({ attributes }) => attributes['error.type']))).toEqual(
      new Set(['conflict', 'provider']),
    );
    expect(otlp.bodies.join('')).not.toMatch(/break|language model failed|go_on/);
  });

  test('runs each activity in the trace of its request, and the end of the call in the trace of its beginning, across fresh runs', async () => {
    const runs = new Set(
      otlp.spans.map(({ attributes }) => attributes['temporalRunId']).filter((each) => each !== undefined),
    );
    expect(runs.size).toBe(2);
    for (const name of ['RunActivity:admitCall', 'RunActivity:finalizeCall', 'AttemptDelivery'])
      expect(named(name).map(({ traceId }) => traceId)).toEqual([traceIds.open]);
    expect(
      named('HandleUpdate:endSession').map(({ traceId, links }) => ({
        traceId,
        links: links.map((link) => link.traceId),
      })),
    ).toEqual([{ traceId: traceIds.end, links: [traceIds.open] }]);
  });

  test('replays with and without the interceptors', async () => {
    const bundles = [
      await testBundle(dataConverter?.failureConverterPath),
      await bundleWorkflowCode({
        workflowsPath: bundled.workflowsPath,
        logger: silentLogger,
        ...(dataConverter === undefined ? {} : { failureConverterPath: dataConverter.failureConverterPath }),
      }),
    ];
    const runIds = new Set(
      otlp.spans
        .map(({ attributes }) => attributes)
        .filter(
          ({ temporalWorkflowId, temporalRunId }) =>
            temporalWorkflowId === callWorkflowId(session.callUuid) && temporalRunId !== undefined,
        )
        .map(({ temporalRunId }) => String(temporalRunId)),
    );
    for (const runId of runIds) {
      const history = await temporal.client.workflow
        .getHandle(callWorkflowId(session.callUuid), runId)
        .fetchHistory();
      for (const workflowBundle of bundles)
        await expect(
          Worker.runReplayHistory(
            { workflowBundle, ...(dataConverter === undefined ? {} : { dataConverter }) },
            history,
          ),
        ).resolves.toBeUndefined();
    }
    expect(runIds.size).toBe(2);
  });

  test('puts only ids of traces and spans into the headers of histories', async () => {
    const history = await temporal.client.workflow.getHandle(callWorkflowId(session.callUuid)).fetchHistory();
    const headers = (history.events ?? []).flatMap((event) =>
      [event.workflowExecutionStartedEventAttributes, event.activityTaskScheduledEventAttributes].flatMap(
        (each) => Object.entries(each?.header?.fields ?? {}),
      ),
    );
    expect(headers.length).toBeGreaterThan(1);
    for (const [name, payload] of headers) {
      const carried: unknown = defaultPayloadConverter.fromPayload(payload);
      expect({ name, carried }).toEqual({
        name: '_tracer-data',
        carried: expect.objectContaining({
          traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
        }),
      });
      expect(JSON.stringify(carried)).toMatch(/^(\{|,|"(traceparent|began)":"00-[0-9a-f-]{52}"|\})+$/);
    }
  });
});
