import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import * as workflows from '../../src/workflows/index.ts';
import { readTemporalPlan } from '../../src/config/temporal-plan.ts';
import { applyTemporalPlan } from '../../src/temporal/apply.ts';
import { applySchedules } from '../../src/temporal/apply-schedules.ts';
import type { TemporalClient } from '../../src/temporal/connection.ts';
import { temporalTestClient } from '../support/temporal.ts';

const plan = readTemporalPlan();
let temporal: TemporalClient;

beforeAll(async () => {
  temporal = temporalTestClient(`parlance-schedules-${randomUUID().slice(0, 8)}`);
  await applyTemporalPlan({ temporal, plan });
});

afterAll(async () => {
  for (const id of Object.keys(plan.schedules))
    await temporal.client.schedule
      .getHandle(id)
      .delete()
      .catch(() => undefined);
  await temporal.close();
});

test('every declared Schedule starts a Workflow that exists', () => {
  for (const { workflow } of Object.values(plan.schedules))
    expect(Object.keys(workflows)).toContain(workflow);
});

test('Schedules are created once, follow the declaration, and stay paused when an operator paused them', async () => {
  expect(await applySchedules({ temporal, plan })).toEqual([
    'Schedule reconcile (reconcileWorkflow every 300 s) added',
    'Schedule retention (retentionWorkflow every 86400 s) added',
  ]);
  const handle = temporal.client.schedule.getHandle('reconcile');
  await handle.pause();
  const changed = {
    ...plan,
    schedules: { reconcile: { workflow: 'reconcileWorkflow', taskQueue: 'delivery', everyMs: 60_000 } },
  };
  expect(await applySchedules({ temporal, plan: changed })).toEqual([]);
  expect(await handle.describe()).toMatchObject({
    state: { paused: true },
    spec: { intervals: [{ every: 60_000 }] },
    action: { workflowType: 'reconcileWorkflow', taskQueue: 'parlance-delivery' },
    policies: { overlap: 'SKIP' },
  });
});
