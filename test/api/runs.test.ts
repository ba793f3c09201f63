import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { idempotencyKeys } from '../../src/db/tables/idempotency-keys.ts';
import { mediaHosts } from '../../src/db/tables/media-hosts.ts';
import { createTickets } from '../../src/providers/secrets/tickets.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { readWebCallToken } from '../../src/services/media/index.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, bothDatabases, testSecrets, type TestDatabase } from '../support/database.ts';
import { insertOpenHost } from '../support/media/open-host.ts';

describe.each(bothDatabases)('calls created to begin later on %s (contract 6.2)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let host: { hostId: string };

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
    key = (await createTenant(database.db)).key;
    host = await insertOpenHost(database.db, { publicUrl: 'wss://media.example.test' });
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const createAgent = async (definition: unknown = completeGraph()) =>
    idAt(
      (
        await api.ask(key, 'POST', '/workflow/create/definition', {
          name: 'a',
          workflow_definition: definition,
        })
      ).body,
      'id',
    );
  const change = (agentId: string, body: unknown) => api.ask(key, 'PUT', `/workflow/${agentId}`, body);
  const make = (agentId: string, mode = 'smallwebrtc') =>
    api.ask(key, 'POST', `/workflow/${agentId}/runs`, { mode, name: 'Phone test' });

  test('is pinned to the draft, has its test values, and is shown as not begun', async () => {
    const agentId = await createAgent();
    await change(agentId, { template_context_variables: { first_name: 'Ada', direction: 'outbound' } });
    const draft = at((await api.ask(key, 'GET', `/workflow/${agentId}/versions`)).body, 0, 'id');
    const made = await make(agentId);
    expect(made).toMatchObject({
      status: 200,
      body: {
        workflow_id: Number(agentId),
        name: 'Phone test',
        mode: 'smallwebrtc',
        definition_id: draft,
        initial_context: { first_name: 'Ada', direction: 'outbound' },
      },
    });
    const run = await api.ask(key, 'GET', `/workflow/${agentId}/runs/${idAt(made.body, 'id')}`);
    expect(run).toMatchObject({
      status: 200,
      body: { state: 'initialized', is_completed: false, call_type: 'outbound', definition_id: draft },
    });
    expect(
      await database.db
        .getRepository(auditEvents)
        .countBy({ action: 'call.created', subjectId: Number(idAt(made.body, 'id')) }),
    ).toBe(1);
  });

  test("the request's values override the test values, except for what only the service says", async () => {
    const agentId = await createAgent();
    const claimed = { provider: 'x', runtime_configuration: {}, api_key_id: 1, workflow_uuid: 'x' };
    const numbers = { caller_number: '+15550001', called_number: '+15550002' };
    await change(agentId, {
      template_context_variables: { tier: 'gold', first_name: 'nobody', called_number: '+15550003' },
    });
    const made = await api.ask(key, 'POST', `/workflow/${agentId}/runs`, {
      mode: 'web',
      name: 'Otto',
      initial_context: { first_name: 'Otto', ...claimed, ...numbers, direction: 'outbound' },
    });
    const initialContext = {
      tier: 'gold',
      first_name: 'Otto',
      called_number: '+15550003',
      direction: 'inbound',
    };
    expect(at(made.body, 'initial_context')).toEqual(initialContext);
    const run = await api.ask(key, 'GET', `/workflow/${agentId}/runs/${idAt(made.body, 'id')}`);
    expect(at(run.body, 'initial_context')).toEqual(initialContext);
    expect(run.body).toMatchObject({
      call_type: 'inbound',
      caller_number: null,
      called_number: '+15550003',
    });
  });

  test('values that are not an object are refused, and no call is made', async () => {
    const agentId = await createAgent();
    expect(
      await api.ask(key, 'POST', `/workflow/${agentId}/runs`, {
        mode: 'web',
        name: 'x',
        initial_context: ['Otto'],
      }),
    ).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'dict_type', loc: ['body', 'initial_context'], input: ['Otto'] }] },
    });
    expect(await database.db.getRepository(calls).countBy({ agentId: Number(agentId) })).toBe(0);
  });

  test.each([
    ['smallwebrtc', 'web', 'inbound'],
    ['telnyx', 'phone', 'outbound'],
    ['textchat', 'text', 'inbound'],
  ])('a call of mode %s is held by %s and %s', async (mode, channel, direction) => {
    const made = await make(await createAgent(), mode);
    expect(
      await database.db.getRepository(calls).findOneBy({ id: Number(idAt(made.body, 'id')) }),
    ).toMatchObject({ mode, channel, direction, state: 'created', isTest: true, source: 'editor' });
  });

  test('an unknown agent is 404, a graph that cannot run 422 with its faults', async () => {
    expect(await make('999999')).toMatchObject({ status: 404, body: { detail: 'Workflow not found' } });
    expect(await make(await createAgent({ nodes: [], edges: [] }))).toMatchObject({
      status: 422,
      body: { detail: { is_valid: false } },
    });
  });

  test('a repeated request makes one call', async () => {
    const agentId = await createAgent();
    const send = () =>
      api.send({ 'x-api-key': key, 'idempotency-key': 'ahead' }, 'POST', `/workflow/${agentId}/runs`, {
        mode: 'web',
        name: 'once',
      });
    const first = await send();
    expect(await send()).toMatchObject({ status: 200, body: first.body });
    expect(await database.db.getRepository(calls).countBy({ agentId: Number(agentId) })).toBe(1);
  });

  test('mode web: has a URL and a token for this call alone', async () => {
    const agentId = await createAgent();
    await change(agentId, { template_context_variables: { first_name: 'Ada' } });
    const { status, body } = await make(agentId, 'web');
    const callId = Number(idAt(body, 'id'));
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        mode: 'web',
        initial_context: { first_name: 'Ada', direction: 'inbound' },
        web_call: { url: `wss://media.example.test/api/v1/ws/call/${agentId}/${callId}`, expires_in: 120 },
      },
    });
    const { organizationId } = await database.db.getRepository(calls).findOneByOrFail({ id: callId });
    expect(
      readWebCallToken({
        tickets: createTickets(testSecrets),
        clock: systemClock,
        token: idAt(body, 'web_call', 'token'),
      }),
    ).toEqual({ callId, organizationId, agentId: Number(agentId) });
  });

  test('mode web: a repeated request after a crash returns the same call with a new token', async () => {
    const agentId = await createAgent();
    const send = () =>
      api.send({ 'x-api-key': key, 'idempotency-key': 'died' }, 'POST', `/workflow/${agentId}/runs`, {
        mode: 'web',
        name: 'once',
      });
    const lost = await send();
    await database.db
      .getRepository(idempotencyKeys)
      .update(
        { key: 'died' },
        { state: 'claimed', claimExpiresAt: new Date(0), responseStatus: null, responseBody: null },
      );
    expect(await send()).toMatchObject({
      status: 200,
      body: { id: at(lost.body, 'id'), web_call: { url: at(lost.body, 'web_call', 'url'), expires_in: 120 } },
    });
    expect(await database.db.getRepository(calls).countBy({ agentId: Number(agentId) })).toBe(1);
  });

  test.each(['smallwebrtc', 'webrtc', 'telnyx', 'textchat'])('mode %s: has no web call', async (mode) => {
    expect((await make(await createAgent(), mode)).body).toMatchObject({ mode, web_call: null });
  });

  test('mode web: 503 without a call while no media host accepts calls', async () => {
    const agentId = await createAgent();
    const send = () =>
      api.send({ 'x-api-key': key, 'idempotency-key': 'no-host' }, 'POST', `/workflow/${agentId}/runs`, {
        mode: 'web',
        name: 'later',
      });
    await database.db.getRepository(mediaHosts).update({ id: host.hostId }, { isDraining: true });
    const refused = await send();
    await database.db.getRepository(mediaHosts).update({ id: host.hostId }, { isDraining: false });
    expect(refused).toMatchObject({
      status: 503,
      body: { detail: 'No media host takes calls now', code: 'unavailable' },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await database.db.getRepository(calls).countBy({ agentId: Number(agentId) })).toBe(0);
    expect(await send()).toMatchObject({ status: 200, body: { web_call: { expires_in: 120 } } });
  });

  test('is not a text session: messages are refused', async () => {
    const agentId = await createAgent();
    const made = await make(agentId, 'textchat');
    expect(
      (
        await api.ask(
          key,
          'POST',
          `/workflow/${agentId}/text-chat/sessions/${idAt(made.body, 'id')}/messages`,
          { text: 'hello' },
        )
      ).status,
    ).toBe(404);
  });
});
