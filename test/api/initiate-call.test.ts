import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { calls } from '../../src/db/tables/calls.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import { createFakeCarrier, insertConnection, type FakeCarrier } from '../support/telephony.ts';

const number = '491511234567';

describe.each(databases)('test calls by phone on %s (contract 5.5)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let carrier: FakeCarrier;
  let key: string;
  let organizationId: number;
  let connection: { configurationId: number; numberIds: number[] };

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    carrier = createFakeCarrier();
    api = await startApi(database.db, { carriers: new Map([['telnyx', carrier]]) });
    ({ key, organizationId } = await createTenant(database.db));
    connection = await insertConnection(database.db, organizationId, { name: 'Main' });
  });
  beforeEach(() => {
    carrier.started = [];
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const create = async (definition: unknown = completeGraph(), of = key) =>
    Number(
      idAt(
        (
          await api.ask(of, 'POST', '/workflow/create/definition', {
            name: 'a',
            workflow_definition: definition,
          })
        ).body,
        'id',
      ),
    );
  const change = (agentId: number, body: unknown) => api.ask(key, 'PUT', `/workflow/${agentId}`, body);
  const initiate = (agentId: number, body: Record<string, unknown> = {}, as = key) =>
    api.ask(as, 'POST', '/telephony/initiate-call', { workflow_id: agentId, phone_number: number, ...body });
  const detail = async (asking: ReturnType<typeof initiate>) => {
    const { status, body } = await asking;
    return [status, at(body, 'detail')];
  };
  const makeAhead = async (agentId: number, initialContext?: Record<string, unknown>) =>
    Number(
      idAt(
        (
          await api.ask(key, 'POST', `/workflow/${agentId}/runs`, {
            mode: 'telnyx',
            name: 'Made ahead',
            initial_context: initialContext,
          })
        ).body,
        'id',
      ),
    );

  test("uses the draft with its test values, which the request's values override, and ends the message with the name", async () => {
    const agentId = await create();
    await change(agentId, {
      workflow_definition: completeGraph('Draft'),
      template_context_variables: { tier: 'gold', first_name: 'nobody', api_key_id: 7 },
    });
    const answer = await initiate(agentId, { initial_context: { first_name: 'Ada', provider: 'x' } });
    const name = String(at(answer.body, 'workflow_run_name'));
    expect(answer).toMatchObject({
      status: 200,
      body: { message: `Call initiated successfully with run name ${name}` },
    });
    expect(/(WR-[A-Z-]+-\d+)$/.exec(String(at(answer.body, 'message')))?.[1]).toBe(name);
    const draft = at((await api.ask(key, 'GET', `/workflow/${agentId}/versions`)).body, 0, 'id');
    expect(carrier.started).toMatchObject([
      {
        id: at(answer.body, 'workflow_run_id'),
        versionId: draft,
        source: 'editor',
        isTest: true,
        state: 'pending',
        mode: 'telnyx',
      },
    ]);
    expect(carrier.started[0]?.initialContext).toEqual({
      tier: 'gold',
      first_name: 'Ada',
      provider: 'telnyx',
      direction: 'outbound',
      phone_number: number,
      telephony_configuration_id: connection.configurationId,
      called_number: number,
    });
    expect((await api.ask(key, 'GET', `/workflow/${agentId}/runs`)).body).toMatchObject({ runs: [{ name }] });
  });

  test('a call that was made ahead keeps its values underneath those of the request, never in place of its numbers', async () => {
    const agentId = await create();
    const callId = await makeAhead(agentId, { first_name: 'Otto', tier: 'gold', called_number: '1' });
    expect(
      (await initiate(agentId, { workflow_run_id: callId, initial_context: { tier: 'silver' } })).status,
    ).toBe(200);
    expect(carrier.started).toMatchObject([
      {
        id: callId,
        calledNumber: number,
        initialContext: { first_name: 'Otto', tier: 'silver', called_number: number },
      },
    ]);
  });

  test("calls the organization's test number by default, and refuses a request without either", async () => {
    const agentId = await create();
    expect(await detail(initiate(agentId, { phone_number: null }))).toEqual([
      400,
      'No phone number was given, and the organization has no test number',
    ]);
    await api.ask(key, 'PUT', '/organizations/preferences', { test_phone_number: '+49 30 1234567' });
    expect((await initiate(agentId, { phone_number: undefined })).status).toBe(200);
    expect(carrier.started[0]?.initialContext).toMatchObject({ called_number: '+49 30 1234567' });
  });

  test('a call created to begin later keeps its version, name and values, even if a later draft cannot run, and begins once', async () => {
    const agentId = await create();
    await change(agentId, { template_context_variables: { tier: 'gold' } });
    const callId = await makeAhead(agentId);
    const { versionId } = await database.db
      .getRepository(calls)
      .findOneByOrFail({ id: callId, organizationId });
    await change(agentId, {
      workflow_definition: { nodes: [], edges: [] },
      template_context_variables: { tier: 'silver' },
    });
    const both = await Promise.all([
      initiate(agentId, { workflow_run_id: callId }),
      initiate(agentId, { workflow_run_id: callId }),
    ]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 200)?.body).toMatchObject({
      workflow_run_id: callId,
      message: 'Call initiated successfully with run name Made ahead',
    });
    expect(both.find(({ status }) => status === 409)?.body).toMatchObject({
      detail: 'Workflow run already has an active call',
    });
    expect(carrier.started).toMatchObject([
      {
        id: callId,
        versionId,
        name: 'Made ahead',
        state: 'pending',
        channel: 'phone',
        initialContext: { tier: 'gold', called_number: number },
      },
    ]);
    expect(await database.db.getRepository(calls).findOneBy({ id: callId })).toMatchObject({
      state: 'pending',
      initialContext: { tier: 'gold', called_number: number },
    });
    await database.db.getRepository(calls).update({ id: callId }, { state: 'ended' });
    expect(await detail(initiate(agentId, { workflow_run_id: callId }))).toEqual([
      409,
      'Workflow run is over',
    ]);
  });

  test('reports faults in the order of a trigger: agent, connection, numbers', async () => {
    const agentId = await create();
    const other = await create();
    const tenant = await createTenant(database.db);
    const ahead = await makeAhead(agentId);
    const owned = await create(completeGraph(), tenant.key);
    const wrong = { phone_number: 'nobody', from_phone_number_id: 999_999 };
    expect(await detail(initiate(999_999, { ...wrong, workflow_run_id: 999_999 }, tenant.key))).toEqual([
      400,
      'Workflow run not found',
    ]);
    expect(await detail(initiate(agentId, { ...wrong, workflow_run_id: ahead }, tenant.key))).toEqual([
      400,
      'Workflow run not found',
    ]);
    expect(await detail(initiate(agentId, wrong, tenant.key))).toEqual([404, 'Workflow not found']);
    expect(await detail(initiate(owned, wrong, tenant.key))).toEqual([400, 'telephony_not_configured']);
    expect(
      await detail(
        initiate(owned, { ...wrong, telephony_configuration_id: connection.configurationId }, tenant.key),
      ),
    ).toEqual([400, 'telephony_configuration_not_found']);
    await insertConnection(database.db, tenant.organizationId, {
      name: 'Off',
      inactiveSince: new Date(),
      isDefaultOutbound: true,
    });
    expect(await detail(initiate(owned, { ...wrong, phone_number: null }, tenant.key))).toEqual([
      400,
      "The telephony configuration 'Off' is not ready for outbound calls: it is switched off",
    ]);
    const own = await insertConnection(database.db, tenant.organizationId, { name: 'On' });
    const choice = { telephony_configuration_id: own.configurationId };
    expect(await detail(initiate(owned, { ...wrong, ...choice, phone_number: null }, tenant.key))).toEqual([
      400,
      'No phone number was given, and the organization has no test number',
    ]);
    expect(
      await detail(
        initiate(owned, { ...wrong, ...choice, from_phone_number_id: connection.numberIds[0] }, tenant.key),
      ),
    ).toEqual([400, 'from_phone_number_not_found']);
    expect(
      (await initiate(owned, { ...wrong, ...choice, from_phone_number_id: own.numberIds[0] }, tenant.key))
        .status,
    ).toBe(422);

    expect(await detail(initiate(999_999, { workflow_run_id: ahead }))).toEqual([
      400,
      'workflow_run_workflow_mismatch',
    ]);
    expect(await detail(initiate(other, { workflow_run_id: ahead }))).toEqual([
      400,
      'workflow_run_workflow_mismatch',
    ]);
    await api.ask(key, 'PUT', `/workflow/${agentId}/status`, { status: 'archived' });
    expect(await detail(initiate(agentId, { workflow_run_id: ahead }))).toEqual([
      404,
      'Workflow is not active',
    ]);
    expect(await initiate(await create({ nodes: [], edges: [] }))).toMatchObject({
      status: 422,
      body: { detail: { is_valid: false } },
    });
    expect(carrier.started).toEqual([]);
  });
});
