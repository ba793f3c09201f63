import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { edge, node } from '../support/definitions.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';

describe.each(databases)('checking a graph that is not stored on %s (contract 2.7)', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
    ({ key } = await createTenant(database.db));
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const check = (body: unknown, as = key) => api.ask(as, 'POST', '/workflow/validate', body);

  test('faults have codes, severities, places and fixes, and nothing is stored', async () => {
    const graph = completeGraph();
    const answer = await check({
      workflow_definition: { ...graph, edges: graph.edges.slice(0, 1) },
      workflow_configurations: { dictionary: 'Chen' },
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        faults: [
          {
            kind: 'node',
            id: 'e',
            field: null,
            message: expect.stringMatching(/^End: /),
            code: 'neighbors_wrong',
            severity: 'error',
            range: null,
            fix: null,
          },
          { id: 'a', code: 'dead_end', severity: 'warning', fix: { edit: { op: 'add_edge' } } },
          { id: 'e', code: 'unreachable', fix: { edit: { op: 'remove_node' } } },
          {
            id: 's',
            field: 'greeting',
            code: 'default_missing',
            range: { start: 6, end: 20 },
            fix: { label: expect.any(String), edit: { op: 'replace_text', text: '{{first_name | }}' } },
          },
        ],
      },
    });
    expect((await api.ask(key, 'GET', '/workflow/count')).body).toMatchObject({ total: 0 });
  });

  test('a node that names an archived or unknown tool is told that no call is offered it', async () => {
    const made = async (name: string) =>
      idAt(
        (await api.ask(key, 'POST', '/tools/', { name, definition: { type: 'calculator' } })).body,
        'tool_uuid',
      );
    const [live, archived] = [await made('Sum'), await made('Old sum')];
    await api.ask(key, 'DELETE', `/tools/${archived}`);
    const naming = (...tools: string[]) => ({
      nodes: [
        node('s', 'startCall', { name: 'Start', prompt: 'Greet', tool_uuids: tools }),
        node('e', 'endCall', { name: 'End', prompt: 'Say goodbye' }),
      ],
      edges: [edge('s-e', 's', 'e', 'done')],
    });
    const faults = async (...tools: string[]) =>
      (await check({ workflow_definition: naming(...tools) })).body;
    expect(await faults(live)).toEqual({ faults: [] });
    expect(await faults(live, archived)).toMatchObject({
      faults: [{ code: 'tool_not_offered', severity: 'warning', id: 's', field: 'tool_uuids' }],
    });
    expect(await faults('no uuid', archived)).toMatchObject({
      faults: [{ message: expect.stringContaining('2 tools') }],
    });
  });

  test('the test values tell unknown variables from those without a default', async () => {
    const known = (values: object) =>
      check({ workflow_definition: completeGraph(), template_context_variables: values });
    expect([(await known({ first_name: 'Ada' })).body, (await known({ name: 'Ada' })).body]).toMatchObject([
      { faults: [{ code: 'default_missing' }] },
      { faults: [{ code: 'variable_unknown' }] },
    ]);
  });

  test('settings are refused as on save, and a body without a graph too', async () => {
    const answers = [
      await check({ workflow_definition: {}, workflow_configurations: { max_call_duration: 0 } }),
      await check({}),
    ];
    expect(answers).toMatchObject([
      { status: 422, body: { detail: [{ loc: ['body', 'workflow_configurations', 'max_call_duration'] }] } },
      { status: 422, body: { detail: [{ type: 'missing', loc: ['body', 'workflow_definition'] }] } },
    ]);
  });

  test('only tools of the own organization have names', async () => {
    const tool = await api.ask(key, 'POST', '/tools/', { name: 'Begin', definition: { type: 'calculator' } });
    const graph = completeGraph('Hello');
    const [first, ...others] = graph.nodes;
    const data = { name: 'Start', prompt: 'Greet', tool_uuids: [idAt(tool.body, 'tool_uuid')] };
    const workflow_definition = { ...graph, nodes: [{ ...Object(first), data }, ...others] };
    const stranger = await createTenant(database.db);
    expect((await check({ workflow_definition })).body).toMatchObject({
      faults: [{ code: 'transition_named_as_tool' }],
    });
    expect((await check({ workflow_definition }, stranger.key)).body).toMatchObject({
      faults: [{ code: 'tool_not_offered' }],
    });
  });
});
