import { describe, expect, test } from '@jest/globals';
import { graphFaults, readImport } from '../../../console/src/screens/agents/read-import.ts';
import { inspectDefinition } from '../../../src/domain/graph/inspect.ts';

const canvas = (x: number, y: number) => ({
  position: { x, y },
  width: 300,
  height: 156,
  measured: { width: 300, height: 156 },
  selected: false,
  dragging: false,
});

/** What Dograh answers for an agent (its interface, 1.1 and 2): flags, canvas state and nodes for other services. */
const dograhAgent = {
  id: 412,
  name: 'Recall of patients',
  status: 'active',
  created_at: '2026-03-02T09:12:44.120Z',
  workflow_definition: {
    nodes: [
      {
        ...canvas(0, 0),
        id: '1',
        type: 'startCall',
        data: {
          name: 'Start Call',
          prompt: 'You are Ava of Bright Smile. Greet {{first_name | there}}.',
          is_start: true,
          is_end: false,
          greeting_type: 'text',
          greeting: 'Hello {{first_name}}, this is Ava.',
          allow_interrupt: false,
          add_global_prompt: true,
          delayed_start: true,
          delayed_start_duration: 0.5,
          extraction_enabled: false,
          tool_uuids: null,
          pre_call_fetch_enabled: false,
        },
      },
      {
        ...canvas(0, 260),
        id: '2',
        type: 'agentNode',
        data: {
          name: 'Find a day',
          prompt: 'Ask which day suits.',
          is_start: false,
          is_end: false,
          allow_interrupt: true,
          extraction_enabled: true,
          extraction_prompt: 'Read the wanted day.',
          extraction_variables: [{ name: 'day', type: 'string', prompt: 'the wanted day' }],
          document_uuids: [],
        },
      },
      {
        ...canvas(0, 520),
        id: '3',
        type: 'endCall',
        data: { name: 'End Call', prompt: 'Say goodbye.', is_end: true, add_global_prompt: false },
      },
      { ...canvas(400, 0), id: '4', type: 'globalNode', data: { name: 'Global Node', prompt: 'Be brief.' } },
      {
        ...canvas(400, 260),
        id: '5',
        type: 'webhook',
        data: {
          name: 'Webhook',
          enabled: true,
          http_method: 'POST',
          endpoint_url: 'https://crm.example.com/calls',
          custom_headers: [{ key: 'X-Source', value: 'dograh' }],
          payload_template: { day: '{{gathered_context.day}}', run: '{{workflow_run_id}}' },
        },
      },
      { ...canvas(400, 520), id: '6', type: 'tuner', data: { name: 'Tuner', tuner_enabled: false } },
    ],
    edges: [
      {
        id: 'reactflow__edge-1-2',
        source: '1',
        target: '2',
        type: 'custom',
        animated: true,
        data: { label: 'Right person', condition: 'The patient answered.', invalid: false },
      },
      {
        id: 'reactflow__edge-2-3',
        source: '2',
        target: '3',
        type: 'custom',
        selected: true,
        data: { label: 'Day found', condition: 'The day is known.', transition_speech: 'Very good.' },
      },
    ],
    viewport: { x: 12.5, y: -40, zoom: 0.8 },
  },
  workflow_configurations: { max_call_duration: 600, max_user_idle_timeout: 10 },
  template_context_variables: { first_name: 'Maria' },
  call_disposition_codes: {},
  total_runs: 88,
};
const read = (value: unknown) => readImport(JSON.stringify(value));
const { workflow_definition: graph, name } = dograhAgent;

describe('an agent of Dograh', () => {
  test('is taken over whole: graph, canvas, settings and test values, and has no fault', () => {
    const agent = read(dograhAgent);
    expect(agent).toEqual({
      kind: 'agent',
      name: 'Recall of patients',
      definition: graph,
      settings: dograhAgent.workflow_configurations,
      testValues: dograhAgent.template_context_variables,
    });
    expect(inspectDefinition(graph).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test.each([
    ['a template', { template_name: name, template_json: graph }, name],
    ['a version', { version_number: 3, workflow_json: graph }, ''],
    ['a graph alone', graph, ''],
  ])('is read from %s, too', (_title, value, expected) => {
    expect(read(value)).toMatchObject({
      kind: 'agent',
      name: expected,
      definition: graph,
      settings: {},
      testValues: {},
    });
  });
});

describe('a file that is not an agent', () => {
  test.each([
    ['', 'empty', ''],
    ['{"nodes": [', 'json', expect.stringContaining('JSON')],
    ['[1]', 'object', ''],
    ['{"name": "Recall"}', 'nodes', ''],
    ['{"nodes": [], "edges": {}}', 'edges', ''],
    ['{"nodes": [{}, 7]}', 'element', 'nodes[1]'],
    ['{"nodes": [], "edges": [null]}', 'element', 'edges[0]'],
  ])('%j is refused, and says where', (text, code, detail) => {
    expect(readImport(text)).toEqual({ kind: 'fault', code, detail });
  });

  test('the faults that the service finds name the node or the transition as people know it', () => {
    const errors = [
      { kind: 'node', id: '2', field: 'data.prompt', message: 'must not be blank' },
      { kind: 'edge', id: 'reactflow__edge-1-2', field: null, message: 'leads nowhere' },
      { kind: 'workflow', id: null, field: null, message: 'has no start node' },
    ];
    expect(graphFaults({ is_valid: false, errors }, graph)).toEqual([
      'Find a day, data.prompt: must not be blank',
      'Right person: leads nowhere',
      'has no start node',
    ]);
    expect(graphFaults('Not found', graph)).toEqual([]);
  });
});
