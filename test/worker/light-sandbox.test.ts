import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker, bundleWorkflowCode } from '@temporalio/worker';
import sdk from '@temporalio/worker/package.json' with { type: 'json' };
import { pino } from 'pino';
import { setTimeout as pause } from 'node:timers/promises';
import { readTemporalPlan } from '../../src/config/temporal-plan.ts';
import { applyTemporalPlan } from '../../src/temporal/apply.ts';
import { lightenSandbox } from '../../src/worker/light-sandbox.ts';
import type { TemporalClient } from '../../src/temporal/connection.ts';
import { quietRuntime, silentLogger } from '../support/quiet.ts';
import { until } from '../support/until.ts';
import { temporalTestAddress, temporalTestClient } from '../support/temporal.ts';

let temporal: TemporalClient;
let connection: NativeConnection;
let workflowBundle: { code: string };
const logged: string[] = [];
const log = pino({}, { write: (line) => void logged.push(line) });
const taskQueue = `sandbox-${randomUUID().slice(0, 8)}`;

beforeAll(async () => {
  quietRuntime();
  temporal = temporalTestClient();
  await applyTemporalPlan({ temporal, plan: readTemporalPlan() });
  connection = await NativeConnection.connect({ address: temporalTestAddress() });
  workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../support/plain-workflows.ts', import.meta.url)),
    logger: silentLogger,
  });
});
afterAll(async () => {
  await connection.close();
  await temporal.close();
});

/** A worker whose thread is light, as in src/worker/main.ts. */
async function lightWorker(): Promise<Worker> {
  const undo = lightenSandbox(log);
  try {
    return await Worker.create({ connection, namespace: 'parlance-test', taskQueue, workflowBundle });
  } finally {
    undo();
  }
}

/** Starts a Workflow of plain-workflows.ts; it is terminated by its timeout. */
const start = async (type: 'wait' | 'hang') =>
  await temporal.client.workflow.start(type, {
    taskQueue,
    workflowId: `${taskQueue}-${type}`,
    workflowExecutionTimeout: '1 hour',
  });

// guarantee: hanging-workflow-ends-its-worker
test('a Workflow that does not return ends its worker', async () => {
  const worker = await lightWorker();
  const ended = worker.run().catch(String);
  const handle = await start('hang');
  await until('the log line', async () => logged.length > 0);
  expect(logged).toMatchObject([expect.stringContaining('A Workflow does not return')]);
  expect(await Promise.race([ended, pause(60_000)])).toMatch(/Thread exited/);
  await handle.terminate();
});

test('no stack traces are kept, and the query for them says so', async () => {
  const worker = await lightWorker();
  const ended = worker.run();
  const handle = await start('wait');
  await expect(handle.query('__stack_trace')).rejects.toThrow('Workflow stack traces are not enabled');
  await handle.terminate();
  worker.shutdown();
  await ended;
});

test('the SDK is the one that sandbox-thread.mjs was written for: after an update, read its workflow-worker-thread.js, reusable-vm.js and vm-shared.js again', () => {
  expect(sdk.version).toBe('1.24.0');
});
