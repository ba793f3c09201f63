import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { callWorkflowId } from '../../src/domain/temporal-ids.ts';
import { createCallWorld, type CallWorld, type OpenSession } from '../support/call-world.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { createScriptedLlm } from '../support/scripted-llm.ts';
import { makeCurrent } from '../support/temporal.ts';

const deploymentName = `parlance-${randomUUID().slice(0, 8)}`;
const definition = threeStepDefinition({ webhook: false });
let world: CallWorld;

beforeAll(async () => {
  world = await createCallWorld({ llm: createScriptedLlm() });
});

afterAll(async () => {
  await world.close();
});

async function buildIdOf({ callUuid }: OpenSession): Promise<string | null | undefined> {
  const { raw } = await world.temporal.client.workflow.getHandle(callWorkflowId(callUuid)).describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
}

// guarantee: call-pinned-to-worker-version
test('a live call ends on its first version, and new calls use the current one', async () => {
  await world.startWorker({ version: { deploymentName, buildId: 'one' } });
  await makeCurrent(world.temporal, { deploymentName, buildId: 'one' });
  const old = await world.open(definition);
  await world.startWorker({ version: { deploymentName, buildId: 'two' } });
  await makeCurrent(world.temporal, { deploymentName, buildId: 'two' });
  const fresh = await world.open(definition);
  await old.say('go_on', 1);
  await old.end(2);
  await fresh.end(1);
  expect([await buildIdOf(old), await buildIdOf(fresh)]).toEqual(['one', 'two']);
  expect([(await old.row()).state, (await fresh.row()).state]).toEqual(['ended', 'ended']);
});
