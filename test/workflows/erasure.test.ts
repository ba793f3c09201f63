import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { UnavailableError } from '../../src/domain/errors.ts';
import { eraseCallWorkflowId } from '../../src/domain/temporal-ids.ts';
import { createHistories } from '../../src/temporal/histories.ts';
import { createTenant } from '../support/api-on-services.ts';
import { insertEndedCall } from '../support/delivery-rows.ts';
import { createEraseWorld, type EraseWorld } from '../support/erase-world.ts';
import { noFiles } from '../support/no-files.ts';
import { talk, talkToTheEnd, type MarkedPerson } from '../support/person-call.ts';
import { until } from '../support/until.ts';

let own: EraseWorld;
/** What the next deletions of files and histories throw. */
const failures: { files: Error[]; histories: Error[] } = { files: [], histories: [] };
const removed: string[] = [];

const failing = async (of: keyof typeof failures): Promise<void> => {
  const failure = failures[of].shift();
  if (failure !== undefined) throw failure;
};

beforeAll(async () => {
  own = await createEraseWorld('mariadb', {
    histories: {
      async forget(workflowId) {
        if (workflowId.startsWith('delivery/')) await failing('histories');
        return await createHistories({ temporal: own.world.temporal }).forget(workflowId);
      },
    },
    files: {
      ...noFiles,
      async remove(key) {
        await failing('files');
        removed.push(key);
      },
      removeAll: (key) => Promise.resolve(void removed.push(`${key}/`)),
    },
  });
});
afterAll(async () => await own.close());

const askToErase = async (agentId: number, callId: number, key = own.tenant.key) =>
  await own.tenant.api.ask(key, 'POST', `/workflow/${agentId}/runs/${callId}/erase`);
const erasing = { status: 202, body: { state: 'erasing' } };
const erased = { status: 202, body: { state: 'erased' } };
const auditOf = async (callId: number) =>
  (
    await own.world.ctx.db.getRepository(auditEvents).find({
      where: { subjectKind: 'call', subjectKey: String(callId) },
      order: { id: 'ASC' },
    })
  ).filter(({ action }) => action.startsWith('call.erase'));
const erasure = (callUuid: string) =>
  own.world.temporal.client.workflow.getHandle(eraseCallWorkflowId(callUuid));
const runsOf = async (callUuid: string): Promise<string[]> => {
  const runs: string[] = [];
  const query = `WorkflowId = '${eraseCallWorkflowId(callUuid)}'`;
  for await (const { status } of own.world.temporal.client.workflow.list({ query })) runs.push(status.name);
  return runs;
};
const unavailable = (dependency: 'storage' | 'temporal') =>
  new UnavailableError('It is away for a moment', { dependency });

test('erases all of an ended call, once, and goes on where storage or Temporal failed; the other calls stay', async () => {
  const { world, tenant, tables, histories, keptAnswers, everythingOf } = own;
  const vera: MarkedPerson = { mark: 'Zq4Vera', digits: '15533221100' };
  const olga: MarkedPerson = { mark: 'Kw8Olga', digits: '15544332211' };
  const call = await talkToTheEnd({ ...own, person: vera });
  const { callId } = call;
  const { callId: otherId } = await talkToTheEnd({ ...own, person: olga });
  const others = await everythingOf(otherId);
  await world.ctx.db.getRepository(calls).update({ id: callId }, { recordedAt: new Date() });
  failures.histories.push(unavailable('temporal'));
  failures.files.push(unavailable('storage'));

  expect(await askToErase(tenant.agentId, callId)).toMatchObject(erasing);
  expect(await askToErase(tenant.agentId, callId)).toMatchObject(erasing);
  const { uuid } = await call.row();
  await erasure(uuid).result();
  expect(await askToErase(tenant.agentId, callId)).toMatchObject(erased);

  expect(failures).toEqual({ files: [], histories: [] });
  expect([await tables(vera), await histories(vera), await keptAnswers(vera)]).toEqual([[], [], 0]);
  expect(removed).toEqual(expect.arrayContaining([`recordings/${callId}.wav`, `recordings/${callId}/`]));
  expect(await tenant.api.ask(tenant.key, 'GET', `/workflow/${tenant.agentId}/runs/${callId}`)).toMatchObject(
    {
      status: 200,
      body: {
        is_completed: true,
        transcript_erased_at: expect.any(String),
        variables_erased_at: expect.any(String),
        initial_context: null,
        recording_url: null,
        usage_info: { llm: expect.any(Object) },
      },
    },
  );
  const runs = await until('its run is listed', async () => {
    const listed = await runsOf(uuid);
    return listed.includes('COMPLETED') ? listed : undefined;
  });
  expect(runs).toEqual(['COMPLETED']);
  expect(
    (await auditOf(callId)).map(({ action, actorKind, actorName }) => [action, actorKind, actorName]),
  ).toEqual([
    ['call.erase_requested', 'api_key', null],
    ['call.erase_requested', 'api_key', null],
    ['call.erased', 'system', 'erasure'],
  ]);
  expect((await auditOf(callId)).at(-1)?.changes).toMatchObject({
    removed: { calls: 1, turns: expect.any(Number), call_recordings: 1, deliveries: 2 },
  });
  expect(await everythingOf(otherId)).toEqual(others);
  expect(await histories(olga)).not.toEqual([]);
});

test('an erasure that was given up begins again when it is asked for', async () => {
  const { world, tenant } = own;
  const { callId, agentId } = await insertEndedCall(tenant.ctx);
  const { uuid } = await world.ctx.db.getRepository(calls).findOneByOrFail({ id: callId });
  failures.files.push(...[1, 2, 3].map(() => new Error('unexpected')));
  expect(await askToErase(agentId, callId)).toMatchObject(erasing);
  await expect(erasure(uuid).result()).rejects.toMatchObject({ name: 'WorkflowFailedError' });
  expect(await askToErase(agentId, callId)).toMatchObject(erasing);
  await erasure(uuid).result();
  expect(await askToErase(agentId, callId)).toMatchObject(erased);
});

// guarantee: only-ended-calls-are-erased
test('a live call is refused, and a call of another agent or organization does not exist; nothing is begun', async () => {
  const { world, tenant } = own;
  const lena: MarkedPerson = { mark: 'Yt5Lena', digits: '15522110099' };
  const live = await talk({ ...own, person: lena });
  expect(await askToErase(tenant.agentId, live.callId)).toMatchObject({
    status: 409,
    body: { detail: 'The call is still live. End it first.' },
  });
  const ended = await insertEndedCall(tenant.ctx);
  const stranger = await createTenant(world.ctx.db);
  for (const answer of [
    await askToErase(tenant.agentId, ended.callId),
    await askToErase(ended.agentId, ended.callId, stranger.key),
    await askToErase(ended.agentId, 999_999),
  ])
    expect(answer).toMatchObject({ status: 404, body: { detail: 'Workflow run not found' } });
  expect([...(await auditOf(live.callId)), ...(await auditOf(ended.callId))]).toEqual([]);
  expect((await live.row()).state).toBe('talking');
});
