import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  triggeredGraph,
  type ApiUnderTest,
} from '../../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../../support/database.ts';

/**
 * Contract 1 and 4, row by row. The record of 1.1 is in test/api/interface/records.test.ts, graph errors are
 * in test/api/sections/graphs.test.ts.
 */
describe.each(databases)('agents on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let paths = 0;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
    ({ key } = await createTenant(database.db));
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const ask = (method: string, path: string, body?: unknown, as = key) => api.ask(as, method, path, body);
  const definition = '/workflow/create/definition';
  const create = async (graph: unknown = completeGraph('One'), as = key) => {
    const { status, body } = await ask('POST', definition, { name: 'Agent', workflow_definition: graph }, as);
    expect(status).toBe(200);
    return { id: idAt(body, 'id'), record: body };
  };
  const put = (id: string, change: unknown) => ask('PUT', `/workflow/${id}`, change);
  const fetched = async (id: string) => (await ask('GET', `/workflow/fetch/${id}`)).body;
  const versions = async (id: string, query = '') => {
    const { body } = await ask('GET', `/workflow/${id}/versions${query}`);
    return Array.isArray(body) ? body.map((each: unknown) => each) : [];
  };
  const stateOf = async (id: string) => [
    at(await fetched(id), 'version_number'),
    at(await fetched(id), 'version_status'),
  ];
  const greetingOf = (record: unknown, graph = 'workflow_definition') =>
    at(record, graph, 'nodes', 0, 'data', 'greeting');
  const publish = (id: string) => ask('POST', `/workflow/${id}/publish`);
  const fault = (answer: { status: number; body: unknown }) => [
    answer.status,
    at(answer.body, 'detail', 0, 'type'),
    at(answer.body, 'detail', 0, 'loc'),
  ];

  describe('1.2 create from a definition', () => {
    test.each([
      ['', 200],
      ['x'.repeat(5000), 200],
    ])('name: any length, empty too', async (name, status) => {
      expect((await ask('POST', definition, { name, workflow_definition: {} })).status).toBe(status);
    });

    test('name: null is string_type', async () => {
      expect(fault(await ask('POST', definition, { name: null, workflow_definition: {} }))).toEqual([
        422,
        'string_type',
        ['body', 'name'],
      ]);
    });

    test.each([[{}], [{ nodes: [], edges: [] }]])('workflow_definition: %j is accepted', async (graph) => {
      expect((await ask('POST', definition, { name: 'x', workflow_definition: graph })).status).toBe(200);
    });

    test('any other field is ignored', async () => {
      const { status, body } = await ask('POST', definition, {
        name: 'x',
        workflow_definition: {},
        status: 'archived',
        id: 7,
      });
      expect([status, at(body, 'status'), at(body, 'id') === 7]).toEqual([200, 'active', false]);
    });

    test('200: version 1 is published, settings are {}, and a trigger without a path gets one', async () => {
      const { record } = await create({
        ...completeGraph(),
        nodes: [
          ...completeGraph().nodes,
          { id: 't', type: 'trigger', position: { x: 0, y: 0 }, data: { name: 'API' } },
        ],
      });
      expect(record).toMatchObject({
        version_number: 1,
        version_status: 'published',
        workflow_configurations: {},
        template_context_variables: {},
      });
      expect(at(record, 'workflow_definition', 'nodes', 3, 'data', 'trigger_path')).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      const [only] = await versions(idAt(record, 'id'));
      expect([at(only, 'status'), at(only, 'published_at')]).toEqual([
        'published',
        expect.stringMatching(/Z$/),
      ]);
    });

    test('401 without credentials', async () => {
      expect((await api.send({}, 'POST', definition, { name: 'x', workflow_definition: {} })).status).toBe(
        401,
      );
    });

    test('409 with the graph error when a trigger path is taken by another workflow', async () => {
      const path = `taken-${(paths += 1)}`;
      await create(triggeredGraph(path));
      const answer = await ask('POST', definition, { name: 'x', workflow_definition: triggeredGraph(path) });
      expect([answer.status, at(answer.body, 'detail', 'errors', 0)]).toEqual([
        409,
        { kind: 'node', id: 't', field: 'data.trigger_path', message: expect.any(String) },
      ]);
    });

    test.each<[string, unknown]>([
      ['trigger path malformed', triggeredGraph('not a path')],
      [
        'more nodes of a type than allowed',
        {
          ...completeGraph(),
          nodes: [
            ...completeGraph().nodes,
            { id: 's2', type: 'startCall', position: { x: 0, y: 0 }, data: { name: 'S', prompt: 'x' } },
          ],
        },
      ],
      [
        'duplicate transition names',
        {
          ...completeGraph(),
          edges: [
            ...completeGraph().edges,
            { id: 'a-s', source: 'a', target: 'a', data: { label: 'done', condition: 'x' } },
          ],
        },
      ],
    ])('422 with the graph error: %s', async (_what, graph) => {
      const answer = await ask('POST', definition, { name: 'x', workflow_definition: graph });
      expect([answer.status, at(answer.body, 'detail', 'is_valid')]).toEqual([422, false]);
    });

    test.each<[unknown, string, (string | number)[]]>([
      [{ nodes: {} }, 'list_type', ['nodes']],
      [{ edges: 'x' }, 'list_type', ['edges']],
      [{ nodes: [5] }, 'dict_type', ['nodes', 0]],
      [{ nodes: [], edges: [{}, null] }, 'dict_type', ['edges', 1]],
    ])('422 with a record for %j', async (graph, type, path) => {
      expect(fault(await ask('POST', definition, { name: 'x', workflow_definition: graph }))).toEqual([
        422,
        type,
        ['body', 'workflow_definition', ...path],
      ]);
    });

    test("unknown keys of a node's data are dropped (2.6: on create too)", async () => {
      const graph = completeGraph();
      const { record } = await create({
        ...graph,
        nodes: [
          {
            id: 's',
            type: 'startCall',
            position: { x: 0, y: 0 },
            data: { name: 'Start', prompt: 'x', invented: 1 },
            measured: { width: 5 },
          },
          ...graph.nodes.slice(1),
        ],
      });
      expect(at(record, 'workflow_definition', 'nodes', 0)).toEqual({
        id: 's',
        type: 'startCall',
        position: { x: 0, y: 0 },
        data: { name: 'Start', prompt: 'x' },
        measured: { width: 5 },
      });
    });
  });

  describe('1.3 update', () => {
    test.each([
      ['{}', {}],
      ['a name only', { name: 'Other' }],
    ])('200 for %s', async (_what, change) => {
      const { id } = await create();
      expect([(await put(id, change)).status, await stateOf(id)]).toEqual([200, [1, 'published']]);
    });

    test('404 for an unknown id and for one of another organization', async () => {
      const theirs = await create(undefined, (await createTenant(database.db)).key);
      for (const id of ['999999', theirs.id])
        expect(await put(id, { name: 'x' })).toMatchObject({
          status: 404,
          body: { detail: `Workflow with ID ${id} not found` },
        });
    });

    test('409 with the graph error for two start nodes and for a taken path', async () => {
      const [path, own] = [`kept-${(paths += 1)}`, await create()];
      await create(triggeredGraph(path));
      const twoStarts = {
        ...completeGraph(),
        nodes: [
          ...completeGraph().nodes,
          { id: 's2', type: 'startCall', position: { x: 0, y: 0 }, data: { name: 'S', prompt: 'x' } },
        ],
      };
      for (const graph of [twoStarts, triggeredGraph(path)])
        expect(await put(own.id, { workflow_definition: graph })).toMatchObject({
          status: 409,
          body: { detail: { is_valid: false } },
        });
    });

    test('422 with the graph error for a malformed trigger path', async () => {
      expect(
        await put((await create()).id, { workflow_definition: triggeredGraph('no path!') }),
      ).toMatchObject({ status: 422, body: { detail: { is_valid: false } } });
    });

    test('mappings of an external PBX are accepted whatever the preferences say', async () => {
      const mappings = [{ context_path: 'a', destination_field: 'b' }];
      expect(
        at(
          (
            await put((await create()).id, {
              workflow_configurations: { external_pbx_field_mappings: mappings },
            })
          ).body,
          'workflow_configurations',
        ),
      ).toEqual({ external_pbx_field_mappings: mappings });
    });

    test('settings are replaced as a whole, {} clears, top-level nulls are dropped, unknown keys are stored', async () => {
      const { id } = await create();
      const stored = async (settings: unknown) =>
        at((await put(id, { workflow_configurations: settings })).body, 'workflow_configurations');
      expect(await stored({ max_call_duration: 600, dictionary: null, own: 1 })).toEqual({
        max_call_duration: 600,
        own: 1,
      });
      expect(await stored({ max_user_idle_timeout: 5 })).toEqual({ max_user_idle_timeout: 5 });
      expect(await stored({})).toEqual({});
    });
  });

  describe('1.4 the other endpoints', () => {
    test('GET /workflow/fetch: items with these fields, newest first; status filters by one value or a list', async () => {
      const { key: own } = await createTenant(database.db);
      const [first, second] = [await create(undefined, own), await create(undefined, own)];
      await ask('PUT', `/workflow/${first.id}/status`, { status: 'archived' }, own);
      const list = async (query: string) => {
        const { body } = await ask('GET', `/workflow/fetch${query}`, undefined, own);
        return Array.isArray(body) ? body.map((each) => String(at(each, 'id'))) : body;
      };
      expect([
        await list(''),
        await list('?status=active'),
        await list('?status=archived'),
        await list('?status=archived,active'),
      ]).toEqual([[second.id, first.id], [second.id], [first.id], [second.id, first.id]]);
      const { body } = await ask('GET', '/workflow/fetch', undefined, own);
      expect(Object.keys(Array.isArray(body) ? body[0] : {}).toSorted()).toEqual([
        'created_at',
        'folder_id',
        'id',
        'name',
        'status',
        'total_runs',
        'workflow_uuid',
      ]);
    });

    test.each(['draft', '', 'active,draft', 'ACTIVE'])(
      'GET /workflow/fetch: 422 names the offenders of status=%s and the allowed set',
      async (status) => {
        const answer = await ask('GET', `/workflow/fetch?status=${status}`);
        expect([answer.status, at(answer.body, 'detail')]).toEqual([
          422,
          expect.stringMatching(/active.*archived/),
        ]);
      },
    );

    test('GET /workflow/fetch/{id}: the record; 404', async () => {
      const { id, record } = await create();
      expect(await fetched(id)).toEqual(record);
      expect((await ask('GET', '/workflow/fetch/999999')).status).toBe(404);
    });

    test('GET /workflow/count and /workflow/summary', async () => {
      const { key: own } = await createTenant(database.db);
      const { id } = await create(undefined, own);
      expect((await ask('GET', '/workflow/count', undefined, own)).body).toEqual({
        total: 1,
        active: 1,
        archived: 0,
      });
      expect((await ask('GET', '/workflow/summary', undefined, own)).body).toEqual([
        { id: Number(id), name: 'Agent' },
      ]);
      expect((await ask('GET', '/workflow/summary?status=archived', undefined, own)).body).toEqual([]);
    });

    test('PUT /workflow/{id}/status: the record; 404; 422 literal_error', async () => {
      const { id } = await create();
      expect(at((await ask('PUT', `/workflow/${id}/status`, { status: 'archived' })).body, 'status')).toBe(
        'archived',
      );
      expect((await ask('PUT', '/workflow/999999/status', { status: 'active' })).status).toBe(404);
      expect(await ask('PUT', `/workflow/${id}/status`, { status: 'gone' })).toMatchObject({
        status: 422,
        body: {
          detail: [
            { type: 'literal_error', loc: ['body', 'status'], ctx: { expected: "'active' or 'archived'" } },
          ],
        },
      });
    });

    test('POST /workflow/{id}/validate: is_valid and valid; 422 graph error; 404', async () => {
      expect((await ask('POST', `/workflow/${(await create()).id}/validate`)).body).toEqual({
        is_valid: true,
        valid: true,
        errors: [],
      });
      expect((await ask('POST', `/workflow/${(await create({})).id}/validate`)).status).toBe(422);
      expect((await ask('POST', '/workflow/999999/validate')).status).toBe(404);
    });

    test('POST /workflow/{id}/publish: id, number, status, timestamp; 400 without a draft; 422; 404', async () => {
      const { id } = await create();
      expect(await publish(id)).toMatchObject({ status: 400, body: { detail: 'No draft to publish' } });
      await put(id, { workflow_definition: completeGraph('Two') });
      expect((await publish(id)).body).toEqual({
        id: expect.any(Number),
        version_number: 2,
        status: 'published',
        published_at: expect.stringMatching(/Z$/),
      });
      await put(id, { workflow_definition: {} });
      expect((await publish(id)).status).toBe(422);
      expect((await publish('999999')).status).toBe(404);
    });

    test('POST /workflow/{id}/create-draft: the version record, the same when repeated; 404', async () => {
      const { id } = await create();
      const [one, again] = [
        await ask('POST', `/workflow/${id}/create-draft`),
        await ask('POST', `/workflow/${id}/create-draft`),
      ];
      expect([one.body, again.body]).toEqual([
        expect.objectContaining({ version_number: 2, status: 'draft' }),
        one.body,
      ]);
      expect((await ask('POST', '/workflow/999999/create-draft')).status).toBe(404);
    });

    test('GET /workflow/{id}/versions: newest first, limit and offset, the fields of a version record; 404, 422', async () => {
      const { id } = await create();
      for (const words of ['Two', 'Three']) await put(id, { workflow_definition: completeGraph(words) });
      expect((await versions(id)).map((each) => at(each, 'version_number'))).toEqual([3, 2, 1]);
      expect((await versions(id, '?limit=1&offset=1')).map((each) => at(each, 'version_number'))).toEqual([
        2,
      ]);
      const [newest] = await versions(id);
      expect(Object.keys(newest ?? {})).toEqual([
        'id',
        'version_number',
        'status',
        'created_at',
        'published_at',
        'workflow_json',
        'workflow_configurations',
        'template_context_variables',
        'note',
        'author',
        'published_by',
        'calls',
        'outcomes',
        'pinned_by',
      ]);
      expect((await ask('GET', '/workflow/999999/versions')).status).toBe(404);
      for (const query of ['limit=0', 'limit=101', 'offset=-1', 'limit=x'])
        expect((await ask('GET', `/workflow/${id}/versions?${query}`)).status).toBe(422);
    });

    test('POST /workflow/{id}/duplicate: one published version with everything; 404', async () => {
      const { id } = await create();
      await put(id, {
        workflow_definition: completeGraph('Draft'),
        workflow_configurations: { dictionary: 'x' },
        template_context_variables: { a: 1 },
      });
      const { body } = await ask('POST', `/workflow/${id}/duplicate`);
      expect(body).toMatchObject({
        name: 'Agent - Duplicate',
        version_number: 1,
        version_status: 'published',
        workflow_configurations: { dictionary: 'x' },
        template_context_variables: { a: 1 },
      });
      expect([greetingOf(body), at(body, 'id') === Number(id)]).toEqual(['Draft', false]);
      expect((await ask('POST', '/workflow/999999/duplicate')).status).toBe(404);
    });

    test('PUT /workflow/{id}/folder: the list item; 404 for workflow and folder', async () => {
      const { id } = await create();
      const folder = idAt((await ask('POST', '/folder/', { name: `f-${(paths += 1)}` })).body, 'id');
      expect(
        at((await ask('PUT', `/workflow/${id}/folder`, { folder_id: Number(folder) })).body, 'folder_id'),
      ).toBe(Number(folder));
      expect(
        at((await ask('PUT', `/workflow/${id}/folder`, { folder_id: null })).body, 'folder_id'),
      ).toBeNull();
      for (const [agent, to] of [
        ['999999', null],
        [id, 999_999],
      ])
        expect((await ask('PUT', `/workflow/${agent}/folder`, { folder_id: to })).status).toBe(404);
    });

    test('GET /workflow/{id}/report: CSV; 404', async () => {
      const { headers, status } = await ask('GET', `/workflow/${(await create()).id}/report`);
      expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/csv/)]);
      expect((await ask('GET', '/workflow/999999/report')).status).toBe(404);
    });

    test('DELETE /workflow/{id}/draft: the version, archived; 404 without a draft', async () => {
      const { id } = await create();
      await put(id, { workflow_definition: completeGraph('Two') });
      expect(await ask('DELETE', `/workflow/${id}/draft`)).toMatchObject({
        status: 200,
        body: { version_number: 2, status: 'archived' },
      });
      expect((await ask('DELETE', `/workflow/${id}/draft`)).status).toBe(404);
      expect(await stateOf(id)).toEqual([1, 'published']);
    });

    test('POST /workflow/{id}/versions/{number}/restore: a new draft with that content', async () => {
      const { id } = await create();
      await put(id, { workflow_definition: completeGraph('Two') });
      const { status, body } = await ask('POST', `/workflow/${id}/versions/1/restore`);
      expect([status, at(body, 'version_number'), greetingOf(body, 'workflow_json')]).toEqual([
        200,
        3,
        'One',
      ]);
    });

    test('no endpoint deletes a workflow', async () => {
      expect((await ask('DELETE', `/workflow/${(await create()).id}`)).status).toBe(405);
    });
  });

  describe('4.2 invariants', () => {
    test('numbers start at 1, grow by one, and are never reused', async () => {
      const { id } = await create();
      await put(id, { workflow_definition: completeGraph('Two') });
      await ask('DELETE', `/workflow/${id}/draft`);
      await put(id, { workflow_definition: completeGraph('Three') });
      expect((await versions(id)).map((each) => at(each, 'version_number'))).toEqual([3, 2, 1]);
    });

    test('at most one draft and one published version; current_definition_id is the published one and changes only on publish', async () => {
      const { id, record } = await create();
      const first = at(record, 'current_definition_id');
      for (const words of ['Two', 'Three']) await put(id, { workflow_definition: completeGraph(words) });
      expect([
        (await versions(id)).map((each) => at(each, 'status')),
        at(await fetched(id), 'current_definition_id'),
      ]).toEqual([['draft', 'archived', 'published'], first]);
      const published = at((await publish(id)).body, 'id');
      expect([
        (await versions(id)).map((each) => at(each, 'status')),
        at(await fetched(id), 'current_definition_id'),
      ]).toEqual([['published', 'archived', 'archived'], published]);
    });

    test('name, status, folder, disposition codes and uuid are not versioned', async () => {
      const { id, record } = await create();
      await put(id, { workflow_definition: completeGraph('Two'), name: 'New name' });
      await ask('DELETE', `/workflow/${id}/draft`);
      expect(await fetched(id)).toMatchObject({
        name: 'New name',
        status: 'active',
        workflow_uuid: at(record, 'workflow_uuid'),
        version_number: 1,
      });
    });
  });

  describe('4.3 what each operation does', () => {
    const withDraft = async () => {
      const { id } = await create();
      await put(id, { workflow_definition: completeGraph('Two') });
      return id;
    };

    test('update with a definition: a new draft; the former draft is archived and kept', async () => {
      const id = await withDraft();
      await put(id, { workflow_definition: completeGraph('Three') });
      expect(
        (await versions(id)).map((each) => [
          at(each, 'version_number'),
          at(each, 'status'),
          greetingOf(each, 'workflow_json'),
        ]),
      ).toEqual([
        [3, 'draft', 'Three'],
        [2, 'archived', 'Two'],
        [1, 'published', 'One'],
      ]);
    });

    test.each([
      ['settings', { workflow_configurations: { dictionary: 'x' } }],
      ['test values', { template_context_variables: { a: 1 } }],
    ])(
      'update with %s alone: a copy of the published version, or the draft in place',
      async (_what, change) => {
        const { id } = await create();
        await put(id, change);
        expect([await stateOf(id), greetingOf(await fetched(id))]).toEqual([[2, 'draft'], 'One']);
        const drafted = await withDraft();
        await put(drafted, change);
        expect([await stateOf(drafted), (await versions(drafted)).length]).toEqual([[2, 'draft'], 2]);
      },
    );

    test('update with only a name: versions do not change', async () => {
      const id = await withDraft();
      const before = await versions(id);
      await put(id, { name: 'Other' });
      expect(await versions(id)).toEqual(before);
    });

    test('validate changes nothing and checks the draft, otherwise the published version', async () => {
      const { id } = await create();
      expect((await ask('POST', `/workflow/${id}/validate`)).status).toBe(200);
      await put(id, { workflow_definition: {} });
      const before = await versions(id);
      expect([(await ask('POST', `/workflow/${id}/validate`)).status, await versions(id)]).toEqual([
        422,
        before,
      ]);
    });

    test('publish: the draft is published with a timestamp, the former version archived', async () => {
      const id = await withDraft();
      await publish(id);
      const [two, one] = await versions(id);
      expect([at(two, 'status'), at(two, 'published_at') !== null, at(one, 'status')]).toEqual([
        'published',
        true,
        'archived',
      ]);
    });

    test('archive and reactivate: versions do not change, the trigger refuses and then works again', async () => {
      const path = `state-${(paths += 1)}`;
      const { id } = await create(triggeredGraph(path));
      const before = await versions(id);
      const trigger = async () => {
        const { status, body } = await ask('POST', `/public/agent/${path}`, {
          phone_number: '4915112345678',
        });
        return [status, at(body, 'detail')];
      };
      await ask('PUT', `/workflow/${id}/status`, { status: 'archived' });
      expect([await trigger(), await versions(id)]).toEqual([[404, 'Workflow is not active'], before]);
      await ask('PUT', `/workflow/${id}/status`, { status: 'active' });
      expect(await trigger()).toEqual([400, 'telephony_not_configured']);
    });
  });
});
