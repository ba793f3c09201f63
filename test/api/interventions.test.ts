import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { updateRows } from '../../src/db/rows.ts';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { calls, type CallRow } from '../../src/db/tables/calls.ts';
import { toolRuns } from '../../src/db/tables/tool-runs.ts';
import type { Intervention } from '../../src/domain/call/intervention.ts';
import { UnavailableError } from '../../src/domain/errors.ts';
import { answeringCalls, createTenant, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createTestContext, createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import { node } from '../support/definitions.ts';
import { insertEndedCall } from '../support/delivery-rows.ts';

const text = 'Say that we close at six.';
interface Asked {
  verb: string;
  body?: object;
  intervention: Intervention;
  action: string;
  changes?: object;
}

const requests: Asked[] = [
  {
    verb: 'hangup',
    body: {},
    intervention: { kind: 'hang_up', politely: false },
    action: 'call.hung_up',
    changes: { politely: false },
  },
  {
    verb: 'hangup',
    body: { politely: true },
    intervention: { kind: 'hang_up', politely: true },
    action: 'call.hung_up',
    changes: { politely: true },
  },
  { verb: 'say', body: { text }, intervention: { kind: 'say', text }, action: 'call.line_said' },
  { verb: 'whisper', body: { text }, intervention: { kind: 'whisper', text }, action: 'call.note_given' },
  {
    verb: 'goto',
    body: { node_id: 'start' },
    intervention: { kind: 'goto', nodeId: 'start' },
    action: 'call.moved',
    changes: { node_id: 'start' },
  },
  { verb: 'pause', intervention: { kind: 'pause' }, action: 'call.agent_paused' },
  { verb: 'resume', intervention: { kind: 'resume' }, action: 'call.agent_resumed' },
];

describe.each(databases)('interventions in a call on %s (contract 6.12)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let owner: { organizationId: number; key: string };
  let asked: { callUuid: string; intervention: Intervention; updateId: string }[];
  let canceled: string[];
  let answer: () => Promise<'delivered' | 'gone'>;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    owner = await createTenant(database.db);
    api = await startApi(database.db, {
      calls: {
        ...answeringCalls,
        intervene: async (request) => {
          asked.push(request);
          return await answer();
        },
        cancelCall: async (callUuid) => {
          canceled.push(callUuid);
          return await answer();
        },
      },
    });
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });
  beforeEach(() => {
    asked = [];
    canceled = [];
    answer = () => Promise.resolve('delivered');
  });

  async function liveCall(change: Partial<CallRow> = {}) {
    const { organizationId } = owner;
    const ctx = { ...(await createTestContext(database.db)), organizationId };
    const { callId, agentId } = await insertEndedCall(ctx, {
      nodes: [node('start', 'startCall', { name: 'Start' }), node('hook', 'webhook', { name: 'Hook' })],
    });
    await updateRows(database.db.manager, calls, {
      where: { id: callId, organizationId },
      change: { tags: [], state: 'talking', channel: 'phone', ...change },
    });
    const { uuid } = await database.db.getRepository(calls).findOneByOrFail({ id: callId });
    return { callId, uuid, path: `/workflow/${agentId}/runs/${callId}` };
  }
  const auditOf = async ({ callId }: { callId: number }) =>
    await database.db.getRepository(auditEvents).findBy({ subjectKind: 'call', subjectKey: String(callId) });

  test.each(requests)(
    '$verb $body asks the call once, and is in the audit log without words',
    async ({ verb, body, intervention, action, changes = {} }) => {
      const call = await liveCall();
      const { status, body: answered } = await api.ask(owner.key, 'POST', `${call.path}/${verb}`, body);
      const [entry, ...others] = await auditOf(call);
      expect(entry).toMatchObject({ action, changes, actorKind: 'api_key' });
      expect(others).toEqual([]);
      expect([status, answered]).toEqual([
        202,
        { id: entry?.uuid, action: intervention.kind, requested_at: expect.any(String) },
      ]);
      expect(asked).toEqual([{ callUuid: call.uuid, intervention, updateId: `intervention-${entry?.uuid}` }]);
    },
  );

  test('a request whose answer was lost is the same one to the call when it is repeated', async () => {
    const call = await liveCall();
    const send = () =>
      api.send({ 'x-api-key': owner.key, 'idempotency-key': `say-${kind}` }, 'POST', `${call.path}/say`, {
        text,
      });
    answer = () =>
      Promise.reject(new UnavailableError('Temporal is not available', { dependency: 'temporal' }));
    expect((await send()).status).toBe(503);
    answer = () => Promise.resolve('delivered');
    expect((await send()).status).toBe(202);
    expect(asked).toHaveLength(2);
    expect(asked[0]?.updateId).toBe(asked[1]?.updateId);
    expect(await auditOf(call)).toHaveLength(1);
  });

  test('a call that is not answered can only be hung up, which ends it like a canceled one', async () => {
    const call = await liveCall({ state: 'admitted' });
    expect(await api.ask(owner.key, 'POST', `${call.path}/say`, { text })).toMatchObject({
      status: 409,
      body: { detail: 'The call is not answered yet. It can only be hung up.' },
    });
    expect((await api.ask(owner.key, 'POST', `${call.path}/hangup`, {})).status).toBe(202);
    expect([asked, canceled]).toEqual([[], [call.uuid]]);
  });

  test.each<[string, Partial<CallRow>, string]>([
    ['has ended', { state: 'ended' }, 'The call is over.'],
    ['was refused', { state: 'refused' }, 'The call is over.'],
    ['is ending', { state: 'ending' }, 'The call is ending.'],
    ['has not begun', { state: 'created' }, 'The call has not begun.'],
    [
      'is a text session',
      { channel: 'text' },
      'This is a text session, which has no agent that speaks. End it by its own route.',
    ],
  ])('a call that %s is left alone, and nothing is in the audit log', async (_what, change, detail) => {
    const call = await liveCall(change);
    expect(await api.ask(owner.key, 'POST', `${call.path}/hangup`, {})).toMatchObject({
      status: 409,
      body: { detail },
    });
    expect([asked, canceled, await auditOf(call)]).toEqual([[], [], []]);
  });

  test('a call that ends meanwhile is said to be over', async () => {
    const call = await liveCall();
    answer = () => Promise.resolve('gone');
    expect(await api.ask(owner.key, 'POST', `${call.path}/pause`)).toMatchObject({
      status: 409,
      body: { detail: 'The call is over.' },
    });
  });

  test('a transfer tells the call where its destination is kept, which nobody else is told', async () => {
    const call = await liveCall();
    const body = { to: '+1 (202) 555-0143' };
    const { status, body: answered } = await api.ask(owner.key, 'POST', `${call.path}/transfer`, body);
    const [entry] = await auditOf(call);
    const requestId = String(entry?.uuid);
    expect([status, answered, entry?.action, entry?.changes]).toEqual([
      202,
      { id: requestId, action: 'transfer', requested_at: expect.any(String) },
      'call.transferred',
      {},
    ]);
    expect(asked).toEqual([
      {
        callUuid: call.uuid,
        intervention: { kind: 'transfer', requestId, timeoutSeconds: 30 },
        updateId: `intervention-${requestId}`,
      },
    ]);
    const kept = await database.db.getRepository(toolRuns).findOneByOrFail({ callId: call.callId });
    expect([kept.toolUuid, kept.result]).toEqual([
      requestId,
      JSON.stringify({ destination: '+12025550143', custom_message: null }),
    ]);
  });

  // guarantee: dial-rule-checked-at-a-supervisors-transfer
  test.each([
    ['tomorrow', 'neither a number with its country code nor a sip: address'],
    ['+19005550123', 'allow_special_numbers'],
    ['sip:ada@elsewhere.example', 'allowed_sip_hosts'],
  ])('a transfer to %s is refused', async (to, why) => {
    const call = await liveCall();
    expect(await api.ask(owner.key, 'POST', `${call.path}/transfer`, { to })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'to'], msg: expect.stringContaining(why) }] },
    });
    expect([asked, await auditOf(call)]).toEqual([[], []]);
  });

  test('a call in a browser is not transferred', async () => {
    const call = await liveCall({ channel: 'web' });
    expect(await api.ask(owner.key, 'POST', `${call.path}/transfer`, { to: '+12025550143' })).toMatchObject({
      status: 409,
      body: { detail: 'A call in a browser cannot be transferred.' },
    });
  });

  test.each(['hook', 'nowhere'])(
    'a move to %s, which is no node of the conversation, is refused',
    async (id) => {
      const call = await liveCall();
      expect(await api.ask(owner.key, 'POST', `${call.path}/goto`, { node_id: id })).toMatchObject({
        status: 422,
        body: {
          detail: [{ loc: ['body', 'node_id'], msg: expect.stringContaining('has no conversation node') }],
        },
      });
      expect(asked).toEqual([]);
    },
  );
});
