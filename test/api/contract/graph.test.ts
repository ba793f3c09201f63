import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { at, createTenant, idAt, startApi, type ApiUnderTest } from '../../support/api-on-services.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { edge, node } from '../../support/definitions.ts';

/**
 * Contract 2.1 to 2.4, row by row. Validation (2.5) and cleaning (2.6) are in
 * test/api/sections/graphs.test.ts.
 */
let database: TestDatabase;
let api: ApiUnderTest;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase('mariadb');
  api = await startApi(database.db);
  ({ key } = await createTenant(database.db));
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

interface Graph {
  nodes: { id: string; type: string; position: object; data: Record<string, unknown> }[];
  edges: Record<string, unknown>[];
}

const graph = (): Graph => ({
  nodes: [
    node('s', 'startCall', { name: 'Start', prompt: 'p' }),
    node('a', 'agentNode', { name: 'Agent', prompt: 'p' }),
    node('e', 'endCall', { name: 'End', prompt: 'p' }),
  ],
  edges: [edge('s-a', 's', 'a', 'Begin'), edge('a-e', 'a', 'e', 'Finish')],
});
const save = async (definition: unknown) =>
  (
    await api.ask(key, 'POST', '/workflow/create/definition', {
      name: 'Agent',
      workflow_definition: definition,
    })
  ).body;
const stored = async (definition: unknown) => at(await save(definition), 'workflow_definition');
const errorsOf = async (definition: unknown): Promise<unknown> => {
  const created = await save(definition);
  const faults = at(created, 'detail', 'errors');
  if (faults !== undefined) return faults;
  const { body } = await api.ask(key, 'POST', `/workflow/${idAt(created, 'id')}/validate`);
  return at(body, 'errors') ?? at(body, 'detail', 'errors');
};
const spec = async (type: string) => (await api.ask(key, 'GET', `/node-types/${type}`)).body;
const property = async (type: string, name: string): Promise<unknown> => {
  const properties = at(await spec(type), 'properties');
  return Array.isArray(properties)
    ? properties.find((each: unknown) => at(each, 'name') === name)
    : undefined;
};

describe('2.1 outer shape', () => {
  test('a viewport and other keys of the graph, of nodes and of edges are kept', async () => {
    const given = graph();
    const definition = {
      ...given,
      nodes: given.nodes.map((each) => ({ ...each, measured: { width: 10 }, selected: true })),
      edges: given.edges.map((each) => ({ ...each, animated: true, type: 'smooth' })),
      viewport: { x: 0, y: 0, zoom: 1 },
      note: 'kept',
    };
    expect(await stored(definition)).toEqual(definition);
  });

  test.each(['id', 'type', 'position', 'data'])('a node needs its %s', async (field) => {
    const { nodes, edges } = graph();
    const lone = node('w', 'webhook', { name: 'Hook' });
    expect(
      await errorsOf({
        nodes: [...nodes, Object.fromEntries(Object.entries(lone).filter(([name]) => name !== field))],
        edges,
      }),
    ).toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'node', field })]));
  });

  test.each(['id', 'source', 'target', 'data'])('an edge needs its %s', async (field) => {
    const { nodes, edges } = graph();
    const more = Object.fromEntries(
      Object.entries(edge('a-a', 'a', 'a', 'Again')).filter(([name]) => name !== field),
    );
    expect(await errorsOf({ nodes, edges: [...edges, more] })).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'edge', field })]),
    );
  });

  test('two edges between the same nodes may have the same id, as published clients send them', async () => {
    const { nodes, edges } = graph();
    expect(await errorsOf({ nodes, edges: [...edges, { ...edge('a-e', 'a', 'e', 'Another way') }] })).toEqual(
      [],
    );
  });
});

describe('2.2 node types', () => {
  test.each([
    ['startCall', 'Start Call', 'call_node'],
    ['agentNode', 'Agent Node', 'call_node'],
    ['endCall', 'End Call', 'call_node'],
    ['globalNode', 'Global Node', 'global_node'],
    ['trigger', 'API Trigger', 'trigger'],
    ['webhook', 'Webhook', 'integration'],
    ['qa', 'QA Analysis', 'integration'],
    ['tuner', 'Tuner', 'integration'],
    ['paygent', 'Paygent', 'integration'],
    ['noveum', 'Noveum', 'integration'],
  ])('%s is “%s” in the category %s', async (type, label, category) => {
    expect(await spec(type)).toMatchObject({ name: type, display_name: label, category });
  });

  const required: Record<string, Record<string, unknown>> = {
    tuner: { tuner_agent_id: 'a', tuner_workspace_id: 1, tuner_api_key: 'k' },
    paygent: { paygent_api_key: 'k', paygent_agent_id: 'a', paygent_customer_id: 'c' },
    noveum: { noveum_api_key: 'k' },
  };
  const lone = (type: string, id: string) =>
    node(id, type, { name: type, ...(type === 'globalNode' ? { prompt: 'p' } : {}), ...required[type] });

  test.each(['globalNode', 'trigger', 'tuner', 'paygent', 'noveum'])('%s: at most one', async (type) => {
    const { nodes, edges } = graph();
    expect(await errorsOf({ nodes: [...nodes, lone(type, 'x')], edges })).toEqual([]);
    expect(await errorsOf({ nodes: [...nodes, lone(type, 'x'), lone(type, 'y')], edges })).toEqual([
      expect.objectContaining({ kind: 'workflow', id: null }),
    ]);
  });

  test.each(['webhook', 'qa', 'agentNode', 'endCall'])('%s: any number', async (type) => {
    const { nodes, edges } = graph();
    const more = ['x', 'y', 'z'].map((id) =>
      node(id, type, { name: id, ...(type.endsWith('Call') || type === 'agentNode' ? { prompt: 'p' } : {}) }),
    );
    const into =
      type === 'webhook' || type === 'qa'
        ? []
        : more.map((each) => edge(`a-${each.id}`, 'a', each.id, `To ${each.id}`));
    expect(await errorsOf({ nodes: [...nodes, ...more], edges: [...edges, ...into] })).toEqual([]);
  });

  test('startCall: exactly one, without incoming edges', async () => {
    const { nodes, edges } = graph();
    expect(await errorsOf({ nodes: nodes.slice(1), edges: edges.slice(1) })).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'workflow' })]),
    );
    expect(await errorsOf({ nodes, edges: [...edges, edge('a-s', 'a', 's', 'Back')] })).toEqual([
      expect.objectContaining({ kind: 'node', id: 's' }),
    ]);
  });

  test('agentNode and endCall: with incoming edges; endCall: without outgoing edges', async () => {
    const { nodes, edges } = graph();
    expect(await errorsOf({ nodes, edges: edges.slice(0, 1) })).toEqual([
      expect.objectContaining({ kind: 'node', id: 'e' }),
    ]);
    expect(await errorsOf({ nodes, edges: [...edges, edge('e-a', 'e', 'a', 'Back')] })).toEqual([
      expect.objectContaining({ kind: 'node', id: 'e' }),
    ]);
  });

  test('degrees count neighbors once; cycles and loops are legal', async () => {
    const { nodes, edges } = graph();
    expect(
      await errorsOf({
        nodes,
        edges: [...edges, edge('a-a', 'a', 'a', 'Again'), edge('x', 'a', 'e', 'Other end')],
      }),
    ).toEqual([]);
  });
});

describe('2.3 node data fields: their catalog entries and their storage', () => {
  type Row = [type: string, field: string, catalogType: string, catalogDefault: unknown, value: unknown];
  const conversation = (type: string, rows: [string, string, unknown, unknown][]): Row[] =>
    rows.map((row) => [type, ...row]);
  const start: [string, string, unknown, unknown][] = [
    ['greeting_type', 'options', 'text', 'audio'],
    ['greeting', 'string', null, 'Hello'],
    ['greeting_recording_id', 'recording_ref', null, 'rec'],
    ['allow_interrupt', 'boolean', false, true],
    ['add_global_prompt', 'boolean', true, false],
    ['delayed_start', 'boolean', false, true],
    ['delayed_start_duration', 'number', 2, 3.5],
    ['extraction_enabled', 'boolean', false, true],
    ['extraction_prompt', 'string', null, 'x'],
    ['extraction_variables', 'fixed_collection', null, [{ name: 'v', type: 'number', prompt: 'p' }]],
    ['tool_uuids', 'tool_refs', null, []],
    ['document_uuids', 'document_refs', null, ['d']],
    ['pre_call_fetch_mode', 'options', 'disabled', 'always'],
    ['pre_call_fetch_url', 'url', null, 'https://example.test'],
    ['pre_call_fetch_credential_uuid', 'credential_ref', null, 'c'],
  ];
  const rows: Row[] = [
    ...conversation('startCall', start),
    ...conversation('agentNode', [
      ['allow_interrupt', 'boolean', true, false],
      ['add_global_prompt', 'boolean', true, false],
      ['extraction_enabled', 'boolean', false, true],
      ['tool_uuids', 'tool_refs', null, []],
      ['document_uuids', 'document_refs', null, ['d']],
    ]),
    ...conversation('endCall', [
      ['add_global_prompt', 'boolean', false, true],
      ['extraction_enabled', 'boolean', false, true],
      ['extraction_prompt', 'string', null, 'x'],
    ]),
    ...conversation('trigger', [['enabled', 'boolean', true, false]]),
    ...conversation('webhook', [
      ['enabled', 'boolean', true, false],
      ['http_method', 'options', 'POST', 'PUT'],
      ['endpoint_url', 'url', null, 'https://example.test'],
      ['credential_uuid', 'credential_ref', null, 'c'],
      ['custom_headers', 'fixed_collection', null, [{ key: 'X-A', value: '1' }]],
    ]),
    ...conversation('qa', [
      ['qa_enabled', 'boolean', true, false],
      ['qa_min_call_duration', 'number', 15, 30],
      ['qa_voicemail_calls', 'boolean', false, true],
      ['qa_sample_rate', 'number', 100, 50],
      ['qa_use_workflow_llm', 'boolean', true, false],
      ['qa_provider', 'options', null, 'openai'],
      ['qa_model', 'string', 'default', 'gpt-x'],
      ['qa_endpoint', 'url', null, 'https://example.test'],
    ]),
    ...conversation('tuner', [
      ['tuner_enabled', 'boolean', true, false],
      ['tuner_workspace_id', 'number', null, 7],
      ['cost_calculation_enabled', 'boolean', false, true],
    ]),
    ...conversation('paygent', [
      ['paygent_enabled', 'boolean', true, false],
      ['paygent_indicator', 'string', 'per-minute-call', 'other'],
    ]),
    ...conversation('noveum', [
      ['noveum_enabled', 'boolean', true, false],
      ['noveum_environment', 'string', 'production', 'test'],
      ['noveum_record_audio', 'boolean', true, false],
    ]),
  ];

  test.each(
    rows.map(([type, field, catalogType, catalogDefault, value]) => ({
      type,
      field,
      catalogType,
      catalogDefault,
      value,
    })),
  )(
    '$type.$field: $catalogType, default $catalogDefault in the catalog',
    async ({ type, field, catalogType, catalogDefault, value }) => {
      const found = await property(type, field);
      expect([at(found, 'type'), at(found, 'default')]).toEqual([catalogType, catalogDefault]);
      const data = { name: 'x', [field]: value };
      expect(
        at(await stored({ nodes: [node('n', type, data)], edges: [] }), 'nodes', 0, 'data'),
      ).toMatchObject(data);
    },
  );

  test.each(['startCall', 'agentNode', 'endCall', 'globalNode'])(
    '%s.prompt: required, non-blank',
    async (type) => {
      expect(at(await property(type, 'prompt'), 'required')).toBe(true);
      const { nodes, edges } = graph();
      const blank =
        type === 'globalNode'
          ? [...nodes, node('g', type, { name: 'G', prompt: '  ' })]
          : nodes.map((each) =>
              each.type === type ? { ...each, data: { ...each.data, prompt: ' ' } } : each,
            );
      expect(await errorsOf({ nodes: blank, edges })).toEqual([
        expect.objectContaining({ kind: 'node', field: null }),
      ]);
    },
  );

  test('an extraction variable without a type is a string', async () => {
    const { nodes, edges } = graph();
    const read = { extraction_enabled: true, extraction_variables: [{ name: 'day', prompt: 'the day' }] };
    expect(
      await errorsOf({
        nodes: nodes.map((each) => (each.id === 'a' ? { ...each, data: { ...each.data, ...read } } : each)),
        edges,
      }),
    ).toEqual([]);
  });

  test('is_start, is_end and mcp_tool_filters are kept and not in the catalog', async () => {
    const hidden = { is_start: true, is_end: false, mcp_tool_filters: { t: ['f'] } };
    expect(
      at(
        await stored({ nodes: [node('s', 'startCall', { name: 'S', prompt: 'p', ...hidden })], edges: [] }),
        'nodes',
        0,
        'data',
      ),
    ).toMatchObject(hidden);
    for (const name of Object.keys(hidden)) expect(await property('startCall', name)).toBeUndefined();
  });

  test('webhook.http_method: another verb is refused', async () => {
    const { nodes, edges } = graph();
    expect(
      await errorsOf({ nodes: [...nodes, node('w', 'webhook', { name: 'W', http_method: 'BREW' })], edges }),
    ).toEqual([expect.objectContaining({ kind: 'node', id: 'w', field: 'http_method' })]);
  });
});

describe('2.4 edge data', () => {
  const withEdge = (data: Record<string, unknown>) => ({
    ...graph(),
    edges: [...graph().edges, { id: 'a-a', source: 'a', target: 'a', data }],
  });

  test.each(['label', 'condition'])('%s: a text of at least one character', async (field) => {
    for (const wrong of [undefined, '', 5])
      expect(await errorsOf(withEdge({ label: 'Again', condition: 'c', [field]: wrong }))).toEqual([
        expect.objectContaining({ kind: 'edge', id: 'a-a', field: `data.${field}` }),
      ]);
  });

  test('transition_speech, its type and its recording are kept; other keys are not', async () => {
    const data = {
      label: 'Again',
      condition: 'c',
      transition_speech: 'One moment.',
      transition_speech_type: 'text',
      transition_speech_recording_id: 'rec',
    };
    expect(at(await stored(withEdge({ ...data, invented: 1 })), 'edges', 2, 'data')).toEqual(data);
  });

  test('“Go on” and “go-on” are the same function name', async () => {
    const definition = {
      ...graph(),
      edges: [...graph().edges, edge('a-a', 'a', 'a', 'Go on'), edge('x', 'a', 'e', 'go-on')],
    };
    expect(await errorsOf(definition)).toEqual([
      expect.objectContaining({ kind: 'edge', id: 'a-a', field: 'data.label' }),
      expect.objectContaining({ kind: 'edge', id: 'x', field: 'data.label' }),
    ]);
  });
});
