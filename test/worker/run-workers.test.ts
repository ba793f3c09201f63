import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { readTemporalPlan } from '../../src/config/temporal-plan.ts';
import { workerRoles } from '../../src/domain/declaration.ts';
import { applyTemporalPlan } from '../../src/temporal/apply.ts';
import { createWorkers, declaredTaskQueue, shutdownGraceMs } from '../../src/worker/create-workers.ts';
import { runWorkers, type RunningWorkers } from '../../src/worker/run-workers.ts';
import { NativeConnection } from '@temporalio/worker';
import { testBundle } from '../support/call-world.ts';
import { quietRuntime } from '../support/quiet.ts';
import { temporalTestAddress, temporalTestClient } from '../support/temporal.ts';
import { until } from '../support/until.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const suite = randomUUID().slice(0, 8);
const common = async () => ({
  namespace: 'parlance-test',
  workflowBundle: await testBundle(),
  activities: { call: { ping: async () => 'pong' }, delivery: {} },
  taskQueueOf: (role: string) => `${role}-${suite}`,
  log: pino({ level: 'silent' }),
  retryDelayMs: 100,
  shutdownGraceMs: 500,
});
const opened: RunningWorkers[] = [];

function start(options: Parameters<typeof runWorkers>[0]): RunningWorkers {
  const running = runWorkers(options);
  opened.push(running);
  return running;
}

beforeAll(async () => {
  quietRuntime();
  const temporal = temporalTestClient();
  await applyTemporalPlan({ temporal, plan: readTemporalPlan() });
  await temporal.close();
});

afterAll(async () => {
  await Promise.all(opened.map((each) => each.stop()));
});

describe('the workers of a process', () => {
  test('are one per declared role, with the declared cache and sticky timeout, and a grace longer than a turn', async () => {
    const connection = await NativeConnection.connect({ address: temporalTestAddress() });
    const workers = await createWorkers({ ...(await common()), connection });
    expect(workers.map((each) => each.options)).toMatchObject(
      (['call', 'delivery'] as const).map((role) => ({
        taskQueue: `${role}-${suite}`,
        maxCachedWorkflows: workerRoles[role].maxCachedWorkflows,
        stickyQueueScheduleToStartTimeoutMs: workerRoles[role].stickyQueueScheduleToStartTimeoutMs,
      })),
    );
    expect(shutdownGraceMs).toBeGreaterThan(25_000);
    expect(declaredTaskQueue('call')).toBe('parlance-call');
    const runs = workers.map((each) => each.run());
    for (const each of workers) each.shutdown();
    await Promise.all(runs);
    await connection.close();
  });

  test('report what they wait for, retry while Temporal is unavailable, and recover on their own', async () => {
    const [host = '', port] = temporalTestAddress().split(':');
    const proxy = await startTcpProxy({ host, port: Number(port) });
    await proxy.cut();
    const running = start({
      ...(await common()),
      temporal: { address: `127.0.0.1:${proxy.port}` },
      signal: new AbortController().signal,
    });
    await until('the first failed try', async () => {
      try {
        running.check();
        return false;
      } catch (error) {
        return error instanceof Error && /no worker is polling yet: (?!connecting)/.test(error.message);
      }
    });
    await proxy.mend();
    await running.started;
    await until('polling', async () => {
      try {
        running.check();
        return true;
      } catch {
        return false; // not yet
      }
    });
    await running.stop();
    expect(() => running.check()).toThrow(/stopped/);
    await proxy.close();
  });

  test('a process that stops while it waits for Temporal ends', async () => {
    const controller = new AbortController();
    const running = start({
      ...(await common()),
      temporal: { address: '127.0.0.1:1' },
      signal: controller.signal,
    });
    controller.abort();
    await running.stop();
    await expect(running.started).rejects.toThrow(/abort/);
  });

  test('a process whose namespace is missing waits for it', async () => {
    const controller = new AbortController();
    const namespace = `missing-${suite}`;
    const address = temporalTestAddress();
    let attempts = 0;
    const running = start({
      ...(await common()),
      namespace,
      temporal: {
        get address() {
          attempts += 1;
          return address;
        },
      },
      signal: controller.signal,
    });
    await until('the first failed attempt', async () => {
      try {
        running.check();
        return false;
      } catch (error) {
        return error instanceof Error && error.message.includes(namespace);
      }
    });
    let isOver = false;
    void running.ended.finally(() => (isOver = true)).catch(() => undefined);
    await until('more attempts', async () => attempts > 3);
    expect(isOver).toBe(false);
    controller.abort();
    await running.stop();
  });

  test('a permanent fault ends the process instead of retries', async () => {
    const options = await common();
    const running = start({
      ...options,
      workflowBundle: { code: 'this is not a bundle' },
      temporal: { address: temporalTestAddress() },
      signal: new AbortController().signal,
    });
    await expect(running.ended).rejects.toThrow(/Workflow Bundle/);
  });
});
