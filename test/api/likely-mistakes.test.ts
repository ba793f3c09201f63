import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { nodeTypes } from '../../src/domain/graph/catalog/node-specs.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { at, completeGraph, createTenant, idAt, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';

/**
 * The check list of contract 17, item by item, as far as agents go. 9 is test/domain/template/render.test.ts, 10 is
 * test/workflows/call-extraction.test.ts and test/workflows/delivery; 5, 11, 13, 15 and 16 belong to triggers, campaigns,
 * telephony and generated agents.
 */
describe.each(databases)('mistakes that implementations make, on %s', (kind) => {
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

  const ask = (method: string, path: string, body?: unknown) => api.ask(key, method, path, body);
  const create = async (definition: unknown = completeGraph('Published')) => (await ask('POST', '/workflow/create/definition', { name: 'n', workflow_definition: definition })).body;
  const put = async (id: string, change: unknown) => (await ask('PUT', `/workflow/${id}`, change)).body;
  const greetingOf = (record: unknown) => at(record, 'workflow_definition', 'nodes', 0, 'data', 'greeting');

  test('1: settings hold what was sent: no defaults, no merging', async () => {
    const id = idAt(await create(), 'id');
    expect(at(await put(id, { workflow_configurations: { max_call_duration: 600 } }), 'workflow_configurations')).toEqual({ max_call_duration: 600 });
    expect(at(await put(id, { workflow_configurations: { max_user_idle_timeout: 5 } }), 'workflow_configurations')).toEqual({ max_user_idle_timeout: 5 });
  });

  test('2, 3: current_definition_id stays at the published version while the record shows the draft', async () => {
    const created = await create();
    const changed = await put(idAt(created, 'id'), { workflow_definition: completeGraph('Draft') });
    expect([at(changed, 'current_definition_id'), greetingOf(changed), at(changed, 'version_status')]).toEqual([at(created, 'current_definition_id'), 'Draft', 'draft']);
    expect((await ask('GET', `/workflow/fetch/${idAt(created, 'id')}`)).body).toEqual(changed);
  });

  test('4: the detail of a refused graph is an object, of a refused field an array', async () => {
    const id = idAt(await create({}), 'id');
    expect(at((await ask('POST', `/workflow/${id}/validate`)).body, 'detail')).toMatchObject({ is_valid: false, errors: expect.any(Array) });
    expect(at((await ask('PUT', `/workflow/${id}`, { name: 5 })).body, 'detail')).toEqual([expect.objectContaining({ type: 'string_type' })]);
  });

  test('6: numbers and booleans written otherwise are accepted and stored converted', async () => {
    const sent = { max_call_duration: '600', turn_start_min_words: 10.0, context_compaction_enabled: 'yes', smart_turn_stop_secs: '1.5' };
    expect(at(await put(idAt(await create(), 'id'), { workflow_configurations: sent }), 'workflow_configurations')).toEqual({ max_call_duration: 600, turn_start_min_words: 10, context_compaction_enabled: true, smart_turn_stop_secs: 1.5 });
  });

  test('7: all faults, in declaration order, and a missing key shows the object it is missing in', async () => {
    const mapping = { destination_field: '1' };
    const sent = { workflow_configurations: { external_pbx_field_mappings: [mapping], turn_stop_strategy: 'x', max_call_duration: 0 }, name: 5 };
    expect((await ask('PUT', '/workflow/1', sent)).body).toMatchObject({
      detail: [
        { type: 'string_type', loc: ['body', 'name'], input: 5 },
        { type: 'greater_than', loc: ['body', 'workflow_configurations', 'max_call_duration'], input: 0 },
        { type: 'literal_error', loc: ['body', 'workflow_configurations', 'turn_stop_strategy'], input: 'x' },
        { type: 'missing', loc: ['body', 'workflow_configurations', 'external_pbx_field_mappings', 0, 'context_path'], input: mapping },
        { type: 'string_pattern_mismatch', loc: ['body', 'workflow_configurations', 'external_pbx_field_mappings', 0, 'destination_field'], input: '1' },
      ],
    });
  });

  test('8: no key is added to the data of a node but a path of a trigger, and every key that is kept is in the catalog', async () => {
    const data = (spec: (typeof specs)[number]) => Object.fromEntries(spec.properties.filter((each) => each.default !== null).map((each) => [each.name, each.default]));
    const specs = nodeTypes().node_types;
    const nodes = specs.map((spec) => ({ id: spec.name, type: spec.name, position: { x: 0, y: 0 }, data: data(spec) }));
    const stored = at(await create({ nodes, edges: [] }), 'workflow_definition', 'nodes');
    const minted = { trigger_path: expect.stringMatching(/^[0-9a-f-]{36}$/) };
    expect(stored).toEqual(nodes.map((node) => (node.type === 'trigger' ? { ...node, data: { ...node.data, ...minted } } : node)));
  });

  test('12: a call keeps the version that it began with, whatever is changed and published meanwhile', async () => {
    const created = await create();
    const id = idAt(created, 'id');
    const session = (await ask('POST', `/workflow/${id}/text-chat/sessions`, {})).body;
    await put(id, { workflow_definition: completeGraph('Later') });
    await ask('POST', `/workflow/${id}/publish`);
    const run = idAt(session, 'workflow_run_id');
    expect(at((await ask('GET', `/workflow/${id}/runs/${run}`)).body, 'definition_id')).toBe(at(created, 'current_definition_id'));
    expect(await database.db.getRepository(calls).findOneBy({ id: Number(run) })).toMatchObject({ versionId: at(created, 'current_definition_id') });
  });

  test('14: every moment of every answer carries its zone', async () => {
    const id = idAt(await create(), 'id');
    const run = idAt((await ask('POST', `/workflow/${id}/text-chat/sessions`, {})).body, 'workflow_run_id');
    await put(id, { workflow_definition: completeGraph('Later') });
    await ask('POST', '/folder/', { name: `f-${kind}` });
    await ask('POST', '/tools/', { name: 't', definition: { type: 'calculator' } });
    await ask('POST', '/credentials/', { name: `c-${kind}`, credential_type: 'none', credential_data: {} });
    const answers = [await ask('POST', `/workflow/${id}/publish`), ...(await Promise.all([`/workflow/fetch/${id}`, '/workflow/fetch', `/workflow/${id}/versions`, `/workflow/${id}/runs`, `/workflow/${id}/runs/${run}`, `/workflow/${id}/text-chat/sessions/${run}`, '/folder/', '/tools/', '/credentials/'].map((path) => ask('GET', path))))];
    for (const { status, body } of answers) {
      const moments = JSON.stringify(body).match(/"\d{4}-\d\d-\d\dT[^"]*"/g) ?? [];
      expect([status, moments.length > 0]).toEqual([200, true]);
      for (const moment of moments) expect(moment).toMatch(/^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"$/);
    }
  });
});
