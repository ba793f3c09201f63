import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { definitionOf, draftOf } from '../../console/src/graph/draft.ts';
import { problemsOf, surroundingsOf } from '../../console/src/graph/problems.ts';
import { DefinitionFaults } from '../../src/contract/agents.ts';
import { Tool } from '../../src/contract/tools.ts';
import { composeAgent } from '../../src/domain/agent-templates/compose.ts';
import { agentTemplates } from '../../src/domain/agent-templates/templates.ts';
import { findNodeType } from '../../src/domain/graph/catalog/node-specs.ts';
import { nodesOf, ownObject } from '../../src/domain/graph/definition.ts';
import { graphsWithFaults, graphsWithoutFault } from '../domain/graph/checked-graphs.ts';
import { inspectedGraphs } from '../domain/graph/inspected-graphs.ts';
import {
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../support/database.ts';
import { threeStepDefinition } from '../support/definitions.ts';

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

  test('a node that names an archived or unknown tool gets a warning', async () => {
    const made = async (name: string) =>
      idAt(
        (await api.ask(key, 'POST', '/tools/', { name, definition: { type: 'calculator' } })).body,
        'tool_uuid',
      );
    const [live, archived] = [await made('Sum'), await made('Old sum')];
    await api.ask(key, 'DELETE', `/tools/${archived}`);
    const naming = (...tools: string[]) => {
      const { nodes, edges } = completeGraph();
      const data = { name: 'Start', prompt: 'Greet', greeting: 'Hello.', tool_uuids: tools };
      const start = { id: 's', type: 'startCall', position: { x: 0, y: 0 }, data };
      return { edges, nodes: [start, ...nodes.slice(1)] };
    };
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

  test('the editor finds in its browser what the server finds, in every sample graph and with tools', async () => {
    const tool = async (name: string, definition: object = { type: 'calculator' }) =>
      idAt((await api.ask(key, 'POST', '/tools/', { name, definition })).body, 'tool_uuid');
    const transfer = { type: 'transfer_call', config: { destination_source: 'dynamic' } };
    const allowed = { ...transfer, config: { ...transfer.config, allowed_destinations: ['+49*'] } };
    const archived = await tool('To e');
    await api.ask(key, 'DELETE', `/tools/${archived}`);
    const uuids = [
      await tool('To  Agentnode!'),
      await tool('Free slots'),
      await tool('Free-Slots'),
      archived,
    ];
    uuids.push(await tool('Anyone', transfer), await tool('A few', allowed));
    const withTools = (definition: Record<string, unknown>) => ({
      ...definition,
      nodes: nodesOf(definition).map((each) =>
        findNodeType(String(each['type']))?.category === 'call_node'
          ? { ...each, data: { ...ownObject(each, 'data'), tool_uuids: uuids } }
          : each,
      ),
    });
    const { body } = await api.ask(key, 'GET', '/tools/');
    const surroundings = surroundingsOf(z.array(Tool).parse(body), { hasNumbers: true });
    const samples: Record<string, unknown>[] = [
      ...agentTemplates.map(({ design }) => composeAgent(design)),
      ...[...graphsWithFaults, ...graphsWithoutFault].map(([, definition]) => definition),
      ...inspectedGraphs.map(([, definition]) => ({ ...definition })),
      threeStepDefinition(),
    ];
    const codes = new Set<string>();
    for (const sample of samples.flatMap((each) => [each, withTools(each)])) {
      // The editor fills in what it cannot do without, and the server gets it so.
      const draft = draftOf({
        name: 'Sample',
        workflow_definition: { ...sample },
        workflow_configurations: {},
        template_context_variables: { first_name: 'Ada' },
      });
      const answer = await check({
        workflow_definition: definitionOf(draft),
        template_context_variables: draft.values,
      });
      const { faults } = DefinitionFaults.parse(answer.body);
      const places = faults.map(({ kind, id, field, severity, code, fix }) => ({
        of: kind === 'workflow' ? 'agent' : kind,
        id,
        field: field?.replace(/^data\./, '') ?? null,
        severity,
        code,
        ...(fix === null ? {} : { fix }),
      }));
      const found = problemsOf(draft, surroundings);
      expect(found.map(({ message: _message, values: _values, ...place }) => place)).toEqual(places);
      for (const [index, { message }] of found.entries())
        expect(faults[index]?.message.toLowerCase()).toContain(message.toLowerCase());
      for (const { code } of faults) codes.add(code);
    }
    expect([...codes]).toEqual(
      expect.arrayContaining(['transition_named_as_tool', 'tool_names_equal', 'transfer_unbound']),
    );
  });
});
