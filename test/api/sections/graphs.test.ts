import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { definitionPlace, settingsPlace } from '../../../src/services/kernel/sealed-text.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
  type Asked,
} from '../../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../../support/database.ts';
import { openedIn } from '../../support/sealed.ts';

type Item = Record<string, unknown>;
type Place = [kind: string, id: string | null, field: string | null];
type Refused = 409 | 422;

const position = { x: 0, y: 0 };
const node = (id: string, type: string, data: Item = {}): Item => ({
  id,
  type,
  position,
  data: { name: id, prompt: 'p', ...data },
});
const edge = (source: string, target: string, data: Item = {}): Item => ({
  id: `${source}-${target}`,
  source,
  target,
  data: { label: `to ${target}`, condition: 'c', ...data },
});
const without = (item: Item, key: string): Item =>
  Object.fromEntries(Object.entries(item).filter(([each]) => each !== key));
const graph = (nodes: Item[] = [], edges: Item[] = []): Item => ({
  nodes: [node('s', 'startCall'), node('a', 'agentNode'), node('e', 'endCall'), ...nodes],
  edges: [edge('s', 'a'), edge('a', 'e'), ...edges],
});
const agentWith = (data: Item): Item => ({
  nodes: [node('s', 'startCall'), node('a', 'agentNode', data), node('e', 'endCall')],
  edges: [edge('s', 'a'), edge('a', 'e')],
});
const trigger = (trigger_path: unknown, id = 't') => node(id, 'trigger', { trigger_path });
const exactly = (id: string) => ({ id, type: 'agentNode', position, data: { name: id } });

describe.each(databases)('graphs over HTTP on %s', (kind) => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let key: string;
  let organizationId: number;
  let toolUuid: string;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    api = await startApi(database.db);
    ({ key, organizationId } = await createTenant(database.db));
    toolUuid = idAt(
      (await ask('POST', '/tools/', { name: 'To E', definition: { type: 'calculator' } })).body,
      'tool_uuid',
    );
    await create(graph([trigger(`owned-${kind}`)]));
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  const ask = (method: string, path: string, body?: unknown) => api.ask(key, method, path, body);
  const create = (definition: unknown) =>
    ask('POST', '/workflow/create/definition', { name: 'n', workflow_definition: definition });
  const errorsOf = ({ body }: Asked): unknown[] => [at(body, 'detail', 'errors')].flat();
  const fault = ([faultKind, id, field]: Place) =>
    expect.objectContaining({ kind: faultKind, id, field, message: expect.stringMatching(/./) });
  const refusal = (status: Refused, place: Place) => ({
    status,
    body: { detail: { is_valid: false, errors: expect.arrayContaining([fault(place)]) } },
  });

  /**
   * The table of contract 2.5: the statuses of create and update, 200 where a draft may have the fault.
   * Validate and publish refuse all rows.
   */
  const rows: [
    row: string,
    definition: (unique: string) => Item,
    place: Place,
    create: 200 | Refused,
    update: 200 | Refused,
  ][] = [
    [
      'node lacks type',
      () => graph([without(node('w', 'webhook'), 'type')]),
      ['node', 'w', 'type'],
      200,
      200,
    ],
    [
      'node lacks position',
      () => graph([without(node('w', 'webhook'), 'position')]),
      ['node', 'w', 'position'],
      200,
      200,
    ],
    [
      'node lacks data',
      () => graph([without(node('w', 'webhook'), 'data')]),
      ['node', 'w', 'data'],
      200,
      200,
    ],
    ['unknown node type', () => graph([node('w', 'robot')]), ['node', 'w', 'type'], 200, 200],
    [
      'data field missing: name',
      () => graph([{ ...node('w', 'webhook'), data: {} }]),
      ['node', 'w', 'name'],
      200,
      200,
    ],
    [
      'data field wrong: extraction_variables.0.type',
      () => agentWith({ extraction_variables: [{ name: 'v', type: 'date' }] }),
      ['node', 'a', 'extraction_variables.0.type'],
      200,
      200,
    ],
    [
      'data field wrong: pre_call_fetch_mode',
      () => ({
        ...graph(),
        nodes: [
          node('s', 'startCall', { pre_call_fetch_mode: 'maybe' }),
          node('a', 'agentNode'),
          node('e', 'endCall'),
        ],
      }),
      ['node', 's', 'pre_call_fetch_mode'],
      200,
      200,
    ],
    [
      'data field missing: custom_headers.0.value',
      () => graph([node('w', 'webhook', { custom_headers: [{ key: 'X-A' }] })]),
      ['node', 'w', 'custom_headers.0.value'],
      200,
      200,
    ],
    [
      'prompt absent',
      () => ({
        nodes: [node('s', 'startCall'), exactly('a'), node('e', 'endCall')],
        edges: [edge('s', 'a'), edge('a', 'e')],
      }),
      ['node', 'a', null],
      200,
      200,
    ],
    ['prompt blank', () => agentWith({ prompt: ' \t' }), ['node', 'a', null], 200, 200],
    [
      'edge data missing',
      () => graph([], [without(edge('a', 'a'), 'data')]),
      ['edge', 'a-a', 'data'],
      200,
      200,
    ],
    [
      'edge data wrong: label',
      () => graph([], [edge('a', 'a', { label: '' })]),
      ['edge', 'a-a', 'data.label'],
      200,
      200,
    ],
    [
      'edge data wrong: condition',
      () => graph([], [edge('a', 'a', { condition: 5 })]),
      ['edge', 'a-a', 'data.condition'],
      200,
      200,
    ],
    [
      'no start node',
      () => ({ nodes: [node('a', 'agentNode')], edges: [edge('a', 'a')] }),
      ['workflow', null, null],
      200,
      200,
    ],
    ['an empty definition has no start node', () => ({}), ['workflow', null, null], 200, 200],
    [
      'too many of a type: two starts',
      () => graph([node('s2', 'startCall')]),
      ['workflow', null, null],
      422,
      409,
    ],
    [
      'too many of a type: two global nodes',
      () => graph([node('g', 'globalNode'), node('g2', 'globalNode')]),
      ['workflow', null, null],
      422,
      409,
    ],
    [
      'too many of a type: two triggers',
      (unique) => graph([trigger(unique), trigger(`${unique}x`, 't2')]),
      ['workflow', null, null],
      422,
      409,
    ],
    ['too few incoming', () => graph([node('lone', 'agentNode')]), ['node', 'lone', null], 200, 200],
    ['too many incoming', () => graph([], [edge('a', 's')]), ['node', 's', null], 200, 200],
    ['too many outgoing', () => graph([], [edge('e', 'a')]), ['node', 'e', null], 200, 200],
    [
      'duplicate transition name',
      () => graph([], [edge('a', 'a', { label: 'TO-E' })]),
      ['edge', 'a-a', 'data.label'],
      422,
      409,
    ],
    [
      'transition name equals a tool function name',
      () => agentWith({ tool_uuids: [toolUuid] }),
      ['edge', 'a-e', 'data.label'],
      422,
      409,
    ],
    ['trigger path not a string', () => graph([trigger(5)]), ['node', 't', 'data.trigger_path'], 422, 422],
    [
      'trigger path too long',
      () => graph([trigger('x'.repeat(37))]),
      ['node', 't', 'data.trigger_path'],
      422,
      422,
    ],
    [
      'trigger path with invalid characters',
      () => graph([trigger('a b')]),
      ['node', 't', 'data.trigger_path'],
      422,
      422,
    ],
    [
      'trigger path repeated in the graph',
      (unique) => graph([trigger(unique), trigger(unique, 't2')]),
      ['node', 't2', 'data.trigger_path'],
      422,
      422,
    ],
    [
      'trigger path owned by another agent',
      () => graph([trigger(`owned-${kind}`)]),
      ['node', 't', 'data.trigger_path'],
      409,
      409,
    ],
    [
      'edge names a missing source',
      () => graph([], [edge('ghost', 'a')]),
      ['edge', 'ghost-a', 'source'],
      200,
      200,
    ],
    [
      'edge names a missing target',
      () => graph([], [edge('a', 'ghost')]),
      ['edge', 'a-ghost', 'target'],
      200,
      200,
    ],
    ['edge without id', () => graph([], [without(edge('a', 'a'), 'id')]), ['edge', null, 'id'], 200, 200],
    ['nodes absent', () => ({ edges: [] }), ['workflow', null, 'nodes'], 200, 200],
    ['edges absent', () => ({ nodes: [node('s', 'startCall')] }), ['workflow', null, 'edges'], 200, 200],
    ['duplicate node id', () => graph([node('a', 'webhook')]), ['node', 'a', 'id'], 200, 200],
  ];

  describe('contract 2.5, refused graphs by endpoint', () => {
    test.each(rows.map(([title, ...row], index) => [title, row, `u${index}-${kind}`] as const))(
      '%s',
      async (_title, [definition, place, onCreate, onUpdate], unique) => {
        const created = await create(definition(unique));
        expect(created).toMatchObject(onCreate === 200 ? { status: 200 } : refusal(onCreate, place));
        const id = idAt((await create(graph())).body, 'id');
        const updated = await ask('PUT', `/workflow/${id}`, {
          workflow_definition: definition(`${unique}-u`),
        });
        expect(updated).toMatchObject(
          onUpdate === 200 ? { status: 200, body: { version_number: 2 } } : refusal(onUpdate, place),
        );
        // If the faulty graph was not stored, the complete graph is still there, which both accept.
        const stored = onUpdate === 200;
        expect(await ask('POST', `/workflow/${id}/validate`)).toMatchObject(
          stored ? refusal(422, place) : { status: 200, body: { is_valid: true, valid: true, errors: [] } },
        );
        expect(await ask('POST', `/workflow/${id}/publish`)).toMatchObject(
          stored ? refusal(422, place) : { status: 400 },
        );
        expect(await ask('POST', `/workflow/${id}/text-chat/sessions`, {})).toMatchObject(
          stored ? refusal(422, place) : { status: 200 },
        );
      },
    );

    test('each edge with a duplicate name is reported, and messages begin with a label', async () => {
      const refused = await create(graph([], [edge('a', 'a', { label: 'TO-E' })]));
      expect(errorsOf(refused)).toEqual([
        expect.objectContaining({ id: 'a-e', message: expect.stringMatching(/^to e: /) }),
        expect.objectContaining({ id: 'a-a', message: expect.stringMatching(/^TO-E: /) }),
      ]);
    });

    test('an unreachable node is accepted', async () => {
      const id = idAt((await create(graph([node('x', 'agentNode')], [edge('x', 'x')]))).body, 'id');
      expect((await ask('POST', `/workflow/${id}/validate`)).status).toBe(200);
    });
  });

  describe('contract 2.6, cleaning on save', () => {
    const messy = () => ({
      ...graph(
        [
          {
            ...node('w', 'webhook', { stray: 1, custom_headers: [{ key: 'X-A', value: 'b', stray: 1 }] }),
            measured: { width: 3 },
          },
        ],
        [{ ...edge('a', 'a', { stray: 1 }), animated: true }],
      ),
      viewport: { zoom: 2 },
      note: 'kept',
    });
    const clean = {
      nodes: [
        {},
        {},
        {},
        { measured: { width: 3 }, data: { name: 'w', custom_headers: [{ key: 'X-A', value: 'b' }] } },
      ],
      edges: [{}, {}, { animated: true, data: { label: 'to a', condition: 'c' } }],
      viewport: { zoom: 2 },
      note: 'kept',
    };

    test.each<['create' | 'update']>([['create'], ['update']])(
      '%s drops unknown keys of data and keeps everything outside of data',
      async (act) => {
        const created = await create(act === 'create' ? messy() : graph());
        const answer =
          act === 'create'
            ? created
            : await ask('PUT', `/workflow/${idAt(created.body, 'id')}`, { workflow_definition: messy() });
        expect(answer).toMatchObject({ status: 200, body: { workflow_definition: clean } });
        expect(JSON.stringify(answer.body)).not.toContain('stray');
      },
    );
  });

  describe('contract 1.1, the record', () => {
    const keys = [
      'call_disposition_codes',
      'created_at',
      'current_definition_id',
      'id',
      'name',
      'status',
      'template_context_variables',
      'total_runs',
      'version_number',
      'version_status',
      'workflow_configurations',
      'workflow_definition',
      'workflow_uuid',
    ];
    const answers: [act: string, ask: (id: string) => Promise<Asked>][] = [
      ['create', () => create(graph())],
      ['update', (id) => ask('PUT', `/workflow/${id}`, { name: 'other' })],
      ['status change', (id) => ask('PUT', `/workflow/${id}/status`, { status: 'active' })],
      ['fetch one', (id) => ask('GET', `/workflow/fetch/${id}`)],
      ['duplicate', (id) => ask('POST', `/workflow/${id}/duplicate`)],
    ];

    test.each(answers)('%s fills every field', async (_act, answer) => {
      const { status, body } = await answer(idAt((await create(graph())).body, 'id'));
      expect(status).toBe(200);
      expect(Object.keys(Object(body)).toSorted()).toEqual(keys);
      expect(Object.values(Object(body))).not.toContain(null);
    });

    const secrets: [row: string, type: string, field: string][] = [
      ['qa', 'qa', 'qa_api_key'],
      ['tuner', 'tuner', 'tuner_api_key'],
      ['paygent', 'paygent', 'paygent_api_key'],
      ['noveum', 'noveum', 'noveum_api_key'],
    ];
    test.each(secrets)(
      'the secret of a %s node is always masked, and a mask that is sent back keeps it',
      async (_row, type, field) => {
        const definition = graph([node('x', type, { [field]: 'sk-very-secret-1234' })]);
        const created = await create(definition);
        const id = idAt(created.body, 'id');
        const shown = at(created.body, 'workflow_definition');
        expect(at(shown, 'nodes', 3, 'data', field)).toBe(`${'*'.repeat(15)}1234`);
        await ask('PUT', `/workflow/${id}`, { workflow_definition: shown });
        const read = await Promise.all(
          [`/workflow/fetch/${id}`, `/workflow/${id}/versions`].map((path) => ask('GET', path)),
        );
        for (const { body } of read) expect(JSON.stringify(body)).not.toContain('very-secret');
        const rows: { definition: string }[] = await database.db.query(
          `SELECT definition FROM agent_versions WHERE agent_id = ${id} ORDER BY number`,
        );
        expect(rows.map((row) => openedIn(row.definition, definitionPlace(organizationId)))).toEqual([
          ['sk-very-secret-1234'],
          ['sk-very-secret-1234'],
        ]);
      },
    );

    const overrides = (part: string, llm: Item): Item =>
      part === 'model_configuration_v2_override'
        ? { version: 2, mode: 'byok', byok: { mode: 'pipeline', pipeline: { llm } } }
        : { llm };
    test.each(['model_overrides', 'model_configuration_v2_override', 'voicemail_detection'])(
      'keys inside %s are masked, and a mask that is sent back keeps them',
      async (part) => {
        const id = idAt((await create(graph())).body, 'id');
        const given = (key: string) => overrides(part, { provider: 'openai', model: 'm', api_key: key });
        const shown = await ask('PUT', `/workflow/${id}`, {
          workflow_configurations: { [part]: given('sk-very-secret-1234') },
        });
        expect(at(shown.body, 'workflow_configurations', part)).toEqual(given(`${'*'.repeat(15)}1234`));
        await ask('PUT', `/workflow/${id}`, {
          workflow_configurations: at(shown.body, 'workflow_configurations'),
        });
        const rows: { settings: string }[] = await database.db.query(
          `SELECT settings FROM agent_versions WHERE agent_id = ${id} AND state = 'draft'`,
        );
        expect(openedIn(rows[0]?.settings, settingsPlace(organizationId))).toEqual(['sk-very-secret-1234']);
      },
    );
  });

  test('the sample graph of these tests is complete', async () => {
    const id = idAt((await create(completeGraph())).body, 'id');
    expect((await ask('POST', `/workflow/${id}/validate`)).status).toBe(200);
  });
});
