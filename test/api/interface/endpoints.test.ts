import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { calls } from '../../../src/db/tables/calls.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  triggeredGraph,
  type ApiUnderTest,
} from '../../support/api-on-services.ts';
import { createTestDatabase, bothDatabases, type TestDatabase } from '../../support/database.ts';
import { createFakeCarrier, insertConnection, type FakeCarrier } from '../../support/telephony.ts';

/** States, endpoints, authentication, errors and versions, rule by rule. */
describe.each(bothDatabases)('states and endpoints on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let carrier: FakeCarrier;
  let key: string;
  let organizationId: number;
  let agents = 0;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    carrier = createFakeCarrier();
    api = await startApi(database.db, { carriers: new Map([['telnyx', carrier]]) });
    ({ key, organizationId } = await createTenant(database.db));
    await insertConnection(database.db, organizationId);
  });
  beforeEach(async () => {
    carrier.started = [];
    await database.db.getRepository(calls).update({ organizationId }, { state: 'ended' });
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const create = async (greeting = 'Version 1') => {
    const path = `interface-${(agents += 1)}`;
    const graph = {
      ...triggeredGraph(path),
      nodes: [...completeGraph(greeting).nodes, ...triggeredGraph(path).nodes.slice(3)],
    };
    const { status, body } = await api.ask(key, 'POST', '/workflow/create/definition', {
      name: 'Agent',
      workflow_definition: graph,
    });
    expect(status).toBe(200);
    return {
      id: idAt(body, 'id'),
      path,
      record: body,
      changed: (words: string) => ({
        ...graph,
        nodes: [...completeGraph(words).nodes, ...graph.nodes.slice(3)],
      }),
    };
  };
  const put = (id: string, change: unknown) => api.ask(key, 'PUT', `/workflow/${id}`, change);
  const versions = async (id: string) => (await api.ask(key, 'GET', `/workflow/${id}/versions`)).body;
  const trigger = (
    where: string,
    body: unknown = { phone_number: '4915112345678' },
    headers: Record<string, string> = { 'x-api-key': key },
  ) => api.send(headers, 'POST', where, body);
  const calledWith = async (answer: { body: unknown }) => at(answer.body, 'version_number');

  describe('states and transitions (contract 4.3)', () => {
    test('a record has status and version_status', async () => {
      const { id, record, changed } = await create();
      expect([at(record, 'status'), at(record, 'version_status')]).toEqual(['active', 'published']);
      expect(at((await put(id, { workflow_definition: changed('Version 2') })).body, 'version_status')).toBe(
        'draft',
      );
    });

    test('the test trigger runs the latest draft; the production trigger the published version, until the agent is published', async () => {
      const { id, path, changed } = await create();
      await put(id, { workflow_definition: changed('Version 2') });
      const calledBefore = [
        await calledWith(await trigger(`/public/agent/test/${path}`)),
        await calledWith(await trigger(`/public/agent/${path}`)),
      ];
      await api.ask(key, 'POST', `/workflow/${id}/publish`);
      expect([calledBefore, await calledWith(await trigger(`/public/agent/${path}`))]).toEqual([[2, 1], 2]);
    });
  });

  describe('update a workflow (contract 1.3)', () => {
    test('changes only the fields that are sent', async () => {
      const { id, record } = await create();
      await put(id, { template_context_variables: { name: 'Ada' } });
      const { body } = await put(id, { name: 'Another name' });
      expect(body).toMatchObject({
        name: 'Another name',
        template_context_variables: { name: 'Ada' },
        workflow_definition: at(record, 'workflow_definition'),
      });
    });

    test.each(['name', 'workflow_definition', 'template_context_variables', 'workflow_configurations'])(
      '%s may be null, which means unchanged',
      async (field) => {
        const { id, record } = await create();
        const { status, body } = await put(id, { [field]: null });
        expect([status, at(body, field)]).toEqual([200, at(record, field)]);
      },
    );

    test('404 for a workflow that does not exist', async () => {
      expect((await put('999999999', { name: 'x' })).status).toBe(404);
    });

    test.each([
      ['name', 5],
      ['workflow_definition', 'graph'],
      ['template_context_variables', []],
      ['workflow_configurations', 7],
    ])('422 with records for a %s that is %j', async (field, value) => {
      const { id } = await create();
      const { status, body } = await put(id, { [field]: value });
      expect([status, at(body, 'detail', 0, 'loc')]).toEqual([422, ['body', field]]);
    });

    test('422 for a workflow_id that is not an integer', async () => {
      expect(await put('abc', {})).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['path', 'workflow_id'], type: 'int_parsing' }] },
      });
    });

    test('a definition makes a new version and keeps earlier ones', async () => {
      const { id, changed } = await create();
      for (const words of ['Version 2', 'Version 3']) await put(id, { workflow_definition: changed(words) });
      const kept = await versions(id);
      expect(
        Array.isArray(kept) &&
          kept.map((each) => [
            at(each, 'version_number'),
            at(each, 'workflow_json', 'nodes', 0, 'data', 'greeting'),
          ]),
      ).toEqual([
        [3, 'Version 3'],
        [2, 'Version 2'],
        [1, 'Version 1'],
      ]);
    });
  });

  describe('create a workflow from a definition (contract 1.2)', () => {
    test('200 with the record', async () => {
      expect((await create()).record).toMatchObject({
        name: 'Agent',
        version_number: 1,
        workflow_definition: { nodes: expect.any(Array), edges: expect.any(Array) },
      });
    });

    test.each([
      ['name', { workflow_definition: {} }],
      ['workflow_definition', { name: 'x' }],
    ])('422 with records when %s is missing', async (field, body) => {
      expect(await api.ask(key, 'POST', '/workflow/create/definition', body)).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', field], type: 'missing' }] },
      });
    });
  });

  describe('trigger a call (contract 5.1)', () => {
    test("the request starts a call with the body's initial_context", async () => {
      const { id, path } = await create();
      const { status, body } = await trigger(`/public/agent/${path}`, {
        phone_number: '4915112345678',
        initial_context: { order: { id: 7 } },
      });
      expect([status, carrier.started.map((call) => [call.id, call.initialContext['order']])]).toEqual([
        200,
        [[at(body, 'workflow_run_id'), { id: 7 }]],
      ]);
      expect(
        (await api.ask(key, 'GET', `/workflow/${id}/runs/${idAt(body, 'workflow_run_id')}`)).body,
      ).toMatchObject({ initial_context: { order: { id: 7 } } });
    });

    test('uuid is the trigger identifier that the API Trigger node shows', async () => {
      const { record, path } = await create();
      const nodes = at(record, 'workflow_definition', 'nodes');
      expect(
        Array.isArray(nodes) && nodes.map((each) => at(each, 'data', 'trigger_path')).filter(Boolean),
      ).toEqual([path]);
    });

    test('the production trigger answers with and without the prefix /api/v1', async () => {
      const { path } = await create();
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const answer = await fetch(`${api.url}/public/agent/${path}`, {
        method: 'POST',
        headers,
        body: '{"phone_number":"4915112345678"}',
      });
      expect([answer.status, (await trigger(`/public/agent/${path}`)).status]).toEqual([200, 200]);
    });

    test('phone_number: digits with country code, no plus sign or separators', async () => {
      const { path } = await create();
      const { body } = await trigger(`/public/agent/${path}`, { phone_number: '4915112345678' });
      expect(at(body, 'status')).toBe('initiated');
      expect((await trigger(`/public/agent/${path}`, {})).status).toBe(422);
      expect((await trigger(`/public/agent/${path}`, { phone_number: 'nobody' })).status).toBe(422);
    });

    test('an outbound call needs a connected telephony provider', async () => {
      const other = await createTenant(database.db);
      const graph = triggeredGraph(`interface-${(agents += 1)}`);
      await api.ask(other.key, 'POST', '/workflow/create/definition', {
        name: 'a',
        workflow_definition: graph,
      });
      const answer = await trigger(`/public/agent/interface-${agents}`, undefined, {
        'x-api-key': other.key,
      });
      expect([answer.status, at(answer.body, 'detail')]).toEqual([400, 'telephony_not_configured']);
    });
  });

  describe('authentication (contract 5.6)', () => {
    test('a key in X-API-Key gives access', async () => {
      expect((await api.send({ 'x-api-key': key }, 'GET', '/workflow/fetch')).status).toBe(200);
    });

    test('update accepts an authorization header instead', async () => {
      const { id } = await create();
      expect(
        (await api.send({ authorization: `Bearer ${key}` }, 'PUT', `/workflow/${id}`, { name: 'By bearer' }))
          .status,
      ).toBe(200);
    });

    test('both headers are optional in the description, but one valid credential is required', async () => {
      const { id } = await create();
      expect((await api.send({}, 'PUT', `/workflow/${id}`, {})).status).toBe(401);
      expect((await trigger('/public/agent/anything', undefined, {})).status).toBe(422);
    });
  });

  describe('errors (contract 0.3, 0.4)', () => {
    test('422 is {detail: [records]} for update and create alike', async () => {
      const { id } = await create();
      const answers = [
        await put(id, { name: [] }),
        await api.ask(key, 'POST', '/workflow/create/definition', { name: [], workflow_definition: {} }),
      ];
      for (const answer of answers)
        expect(answer).toMatchObject({
          status: 422,
          body: { detail: [{ loc: ['body', 'name'], type: 'string_type', msg: expect.any(String) }] },
        });
    });
  });

  describe('versions (contract 0.2, 1.1)', () => {
    test('the interface version is 1.0.0 and its paths are under /api/v1', async () => {
      const { body } = await api.send({}, 'GET', '/openapi.json');
      expect(at(body, 'info', 'version')).toBe('1.0.0');
    });

    test('a record reports current_definition_id, version_number and version_status', async () => {
      const { id, record, changed } = await create();
      const { body } = await put(id, { workflow_definition: changed('Version 2') });
      expect(body).toMatchObject({
        current_definition_id: at(record, 'current_definition_id'),
        version_number: 2,
        version_status: 'draft',
      });
      const [newest, first] = [at(await versions(id), 0), at(await versions(id), 1)];
      expect([at(newest, 'version_number'), at(first, 'id')]).toEqual([
        2,
        at(record, 'current_definition_id'),
      ]);
    });
  });
});
