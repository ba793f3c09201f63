import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  at,
  idAt,
  completeGraph,
  createTenant,
  startApi,
  type ApiUnderTest,
  type Asked,
} from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';

describe.each(databases)('agents over HTTP on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
    key = (await createTenant(database.db)).key;
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const ask = (method: string, path: string, body?: unknown) => api.ask(key, method, path, body);
  const create = async (definition: unknown = completeGraph()) =>
    idAt(
      (
        await ask('POST', '/workflow/create/definition', {
          name: 'Order desk',
          workflow_definition: definition,
        })
      ).body,
      'id',
    );
  const put = (id: string, change: unknown) => ask('PUT', `/workflow/${id}`, change);
  const shown = (asked: Asked) => [
    asked.status,
    at(asked.body, 'version_number'),
    at(asked.body, 'version_status'),
  ];

  test('a new agent is published as version 1, with all fields of its record', async () => {
    const created = await ask('POST', '/workflow/create/definition', {
      name: '',
      workflow_definition: completeGraph(),
    });
    expect(created).toMatchObject({
      status: 200,
      body: {
        name: '',
        status: 'active',
        version_number: 1,
        version_status: 'published',
        total_runs: 0,
        workflow_configurations: {},
        template_context_variables: {},
        call_disposition_codes: { disposition_codes: [] },
      },
    });
    expect(at(created.body, 'created_at')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(at(created.body, 'workflow_uuid')).toMatch(/^[0-9a-f-]{36}$/);
    expect(at(created.body, 'current_definition_id')).toEqual(expect.any(Number));
    expect((await ask('GET', `/workflow/fetch/${idAt(created.body, 'id')}`)).body).toEqual(created.body);
  });

  test('versions change as in the table of 4.3', async () => {
    const id = await create();
    const published = at((await ask('GET', `/workflow/fetch/${id}`)).body, 'current_definition_id');
    expect(shown(await put(id, { name: 'Renamed' }))).toEqual([200, 1, 'published']);
    expect(shown(await put(id, {}))).toEqual([200, 1, 'published']);
    expect(shown(await put(id, { workflow_configurations: { max_call_duration: '600' } }))).toEqual([
      200,
      2,
      'draft',
    ]);
    expect(shown(await put(id, { template_context_variables: { first_name: 'Ada' } }))).toEqual([
      200,
      2,
      'draft',
    ]);
    const second = await put(id, {
      workflow_definition: completeGraph('Second'),
      workflow_configurations: null,
    });
    expect(shown(second)).toEqual([200, 3, 'draft']);
    expect(second.body).toMatchObject({
      current_definition_id: published,
      workflow_configurations: { max_call_duration: 600 },
      template_context_variables: { first_name: 'Ada' },
    });
    expect(shown(await put(id, { workflow_definition: completeGraph('Third') }))).toEqual([200, 4, 'draft']);

    const versions = await ask('GET', `/workflow/${id}/versions`);
    expect(listOf(versions).map((version) => [at(version, 'version_number'), at(version, 'status')])).toEqual(
      [
        [4, 'draft'],
        [3, 'archived'],
        [2, 'archived'],
        [1, 'published'],
      ],
    );
    expect(
      listOf(versions).map((version) => at(version, 'workflow_json', 'nodes', 0, 'data', 'greeting')),
    ).toEqual(['Third', 'Second', 'Hello {{first_name}}', 'Hello {{first_name}}']);
    expect(await ask('GET', `/workflow/${id}/versions?limit=1&offset=1`)).toMatchObject({
      status: 200,
      body: [{ version_number: 3 }],
    });

    const release = await ask('POST', `/workflow/${id}/publish`);
    expect(release).toMatchObject({ status: 200, body: { version_number: 4, status: 'published' } });
    const after = await ask('GET', `/workflow/fetch/${id}`);
    expect(after.body).toMatchObject({
      version_number: 4,
      version_status: 'published',
      current_definition_id: at(release.body, 'id'),
    });
    expect(await ask('POST', `/workflow/${id}/publish`)).toMatchObject({
      status: 400,
      body: { detail: 'No draft to publish' },
    });

    const draft = await ask('POST', `/workflow/${id}/create-draft`);
    expect(draft).toMatchObject({
      status: 200,
      body: { version_number: 5, status: 'draft', published_at: null },
    });
    expect((await ask('POST', `/workflow/${id}/create-draft`)).body).toEqual(draft.body);
  });

  test('settings are replaced as a whole, without defaults and with unknown keys', async () => {
    const id = await create();
    await put(id, {
      workflow_configurations: { max_call_duration: 600, mine: { a: [1, null] }, dictionary: null },
    });
    expect(at((await ask('GET', `/workflow/fetch/${id}`)).body, 'workflow_configurations')).toEqual({
      max_call_duration: 600,
      mine: { a: [1, null] },
    });
    expect(
      at(
        (await put(id, { workflow_configurations: { max_user_idle_timeout: 5 } })).body,
        'workflow_configurations',
      ),
    ).toEqual({ max_user_idle_timeout: 5 });
    expect(at((await put(id, { workflow_configurations: {} })).body, 'workflow_configurations')).toEqual({});
  });

  test('graphs keep the order of their keys, lone surrogates, braces and __proto__ keys', async () => {
    const id = await create();
    const sent =
      '{"template_context_variables":{"zebra":"{{apple}}","apple":"\\ud83d","__proto__":{"x":1},"10":1,"9":2}}';
    await put(id, sent);
    const answer = await fetch(`${api.url}/api/v1/workflow/fetch/${id}`, { headers: { 'x-api-key': key } });
    expect(await answer.text()).toContain(
      '"template_context_variables":{"9":2,"10":1,"zebra":"{{apple}}","apple":"\\ud83d","__proto__":{"x":1}}',
    );
  });

  test('an incomplete graph can be saved, but not validated or published', async () => {
    const id = await create({});
    await put(id, { workflow_definition: { nodes: [{ id: 'x' }] } });
    for (const act of ['validate', 'publish']) {
      const answer = await ask('POST', `/workflow/${id}/${act}`);
      expect(answer).toMatchObject({ status: 422, body: { detail: { is_valid: false } } });
      expect(at(answer.body, 'request_id')).toBe(answer.headers.get('x-request-id'));
    }
    await put(id, { workflow_definition: completeGraph() });
    expect(await ask('POST', `/workflow/${id}/validate`)).toMatchObject({
      status: 200,
      body: { is_valid: true, valid: true, errors: [] },
    });
  });

  test('a trigger path belongs to one agent: the second is 409 with the graph error', async () => {
    const trigger = {
      nodes: [
        {
          id: 't',
          type: 'trigger',
          position: { x: 0, y: 0 },
          data: { name: 'Trigger', trigger_path: `path-${kind}` },
        },
      ],
      edges: [],
    };
    await create(trigger);
    const second = await ask('POST', '/workflow/create/definition', {
      name: 'b',
      workflow_definition: trigger,
    });
    expect(second).toMatchObject({
      status: 409,
      body: {
        detail: { is_valid: false, errors: [{ kind: 'node', id: 't', field: 'data.trigger_path' }] },
        code: 'conflict',
      },
    });
  });

  test('the list filters by status and names unknown statuses', async () => {
    const items = listOf(await ask('GET', '/workflow/fetch'));
    expect(items.length).toBeGreaterThan(3);
    expect(items.map((item) => at(item, 'id'))).toEqual(
      items.map((item) => at(item, 'id')).toSorted((one, other) => Number(other) - Number(one)),
    );
    expect(listOf(await ask('GET', '/workflow/fetch?status=active,archived'))).toHaveLength(items.length);
    expect(await ask('GET', '/workflow/fetch?status=archived')).toMatchObject({ status: 200, body: [] });
    for (const status of ['', 'live', 'active,live']) {
      const refused = await ask('GET', `/workflow/fetch?status=${status}`);
      expect(refused).toMatchObject({
        status: 422,
        body: { detail: expect.stringContaining('active, archived') },
      });
    }
  });

  test.each(['999999999', '0', '-1', '1e3', '9007199254740993', '9'.repeat(40), '9'.repeat(400)])(
    'agent %s does not exist',
    async (id) => {
      const status = id === '1e3' ? 422 : 404;
      expect((await ask('GET', `/workflow/fetch/${id}`)).status).toBe(status);
      expect((await put(id, { name: 'x' })).status).toBe(status);
      expect((await ask('POST', `/workflow/${id}/publish`)).status).toBe(status);
    },
  );

  test('a page beyond the last one is empty', async () => {
    const id = await create();
    expect(await ask('GET', `/workflow/${id}/versions?offset=${'9'.repeat(40)}`)).toMatchObject({
      status: 200,
      body: [],
    });
    expect(await ask('GET', `/workflow/${id}/runs?page=${'9'.repeat(40)}`)).toMatchObject({
      status: 200,
      body: { runs: [] },
    });
  });
});

const listOf = ({ body }: Asked): unknown[] => (Array.isArray(body) ? body : []);
