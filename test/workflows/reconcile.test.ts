import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { deliveries } from '../../src/db/tables/deliveries.ts';
import { callWorkflowId } from '../../src/domain/temporal-ids.ts';
import { closeStray } from '../../src/services/reconcile/index.ts';
import { createTextSession } from '../../src/services/text-sessions/index.ts';
import { createCallWorld, type CallWorld, type OpenSession } from '../support/call-world.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { createScriptedLlm } from '../support/scripted-llm.ts';
import { until } from '../support/until.ts';

const llm = createScriptedLlm();
let world: CallWorld;

beforeAll(async () => {
  world = await createCallWorld({ llm });
  await world.startWorker();
}, 60_000);

afterAll(async () => {
  await world.close();
});

const handleOf = ({ callUuid }: Pick<OpenSession, 'callUuid'>) => world.temporal.client.workflow.getHandle(callWorkflowId(callUuid));

/** One pass over all calls of this world. */
async function reconcile(graceMs = 0): Promise<unknown> {
  return await world.temporal.client.workflow.execute('reconcileWorkflow', { workflowId: `reconcile-${randomUUID()}`, taskQueue: world.queues.delivery, args: [{ graceMs }] });
}

const auditOf = (callId: number) => world.ctx.db.getRepository(auditEvents).find({ where: { subjectKind: 'call', subjectId: callId, actorKind: 'system' } });

describe('a call whose Workflow was ended from outside', () => {
  test('terminated: it ends with a disposition, its session is closed, its webhook is delivered once, and that is on record', async () => {
    const session = await world.open(threeStepDefinition());
    await session.say('go_on', 1);
    await handleOf(session).terminate('by an operator');
    expect(await reconcile()).toEqual({ closed: 1 });
    expect(await session.row()).toMatchObject({ state: 'ended', disposition: 'system_cancelled', tags: ['system_cancelled', 'user_speech'], endedAt: expect.any(Date) });
    expect(await session.read()).toMatchObject({ is_completed: true, revision: 3, gathered_context: { nodes_visited: ['Start', 'Ask'], call_disposition: 'system_cancelled' } });
    await expect(session.say('hello?')).rejects.toMatchObject({ status: 400 });
    const [delivery] = await world.ctx.db.getRepository(deliveries).findBy({ callId: session.callId });
    await until('the webhook', async () => world.delivered.includes(delivery?.uuid ?? ''));
    expect(await auditOf(session.callId)).toMatchObject([{ action: 'call.closed', changes: { from: 'talking', reason: 'system_cancelled' } }]);

    expect(await reconcile()).toEqual({ closed: 0 });
    expect(world.delivered.filter((each) => each === delivery?.uuid)).toHaveLength(1);
  }, 60_000);

  test('closed twice, as after the death of a worker, it is closed once and names the same webhook', async () => {
    const session = await world.open(threeStepDefinition());
    await handleOf(session).terminate();
    const stray = { callId: session.callId, callUuid: session.callUuid, organizationId: world.ctx.organizationId, organizationUuid: randomUUID(), wasStopped: false };
    const deps = { ...world.ctx, llm, model: 'test-model', publicUrl: 'http://parlance.test' };
    const first = await closeStray({ deps, input: stray });
    const { endedAt } = await session.row();
    expect(await closeStray({ deps, input: stray })).toEqual(first);
    expect(first).toHaveLength(1);
    expect(await session.row()).toMatchObject({ disposition: 'unexpected_error', endedAt });
    expect(await auditOf(session.callId)).toHaveLength(1);
  }, 60_000);
});

describe('calls that are left alone', () => {
  test('a call whose Workflow runs, and one that is younger than the grace period', async () => {
    const [live, young] = [await world.open(threeStepDefinition({ webhook: false })), await world.open(threeStepDefinition({ webhook: false }))];
    await reconcile();
    await handleOf(young).terminate();
    await reconcile(600_000);
    expect([(await live.row()).state, (await young.row()).state]).toEqual(['talking', 'talking']);
    await live.say('go_on', 1);
    await live.end(2);
    await reconcile();
    expect((await young.row()).state).toBe('ended');
  }, 60_000);
});

describe('a call that was never started', () => {
  test('is refused, sends nothing and never runs', async () => {
    const agentId = await world.createAgent(threeStepDefinition());
    // The API died between writing the row and starting the Workflow.
    await createTextSession({ ctx: world.ctx, deps: { calls: { ...world.starter, openTextSession: () => Promise.reject(new Error('the process died')) } }, input: { agentId, initialContext: {}, annotations: {} } }).catch(() => undefined);
    const row = () => world.ctx.db.getRepository(calls).findOneByOrFail({ agentId });
    expect((await row()).state).toBe('pending');
    expect(await reconcile()).toEqual({ closed: 1 });
    expect(await row()).toMatchObject({ state: 'refused', disposition: null, endedAt: expect.any(Date) });
    expect(await world.ctx.db.getRepository(deliveries).countBy({ callId: (await row()).id })).toBe(0);
    expect(await auditOf((await row()).id)).toMatchObject([{ action: 'call.refused' }]);
  }, 60_000);
});
