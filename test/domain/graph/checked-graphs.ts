import type { Definition, JsonObject } from '../../../src/domain/graph/definition.ts';
import type { GraphFault } from '../../../src/domain/graph/faults.ts';
import { complete, edge, node, withData } from './samples.ts';

export type Place = [kind: GraphFault['kind'], id: string | null, field: string | null];

const without = (item: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(item).filter(([each]) => each !== key));
export const agent = (data: JsonObject) => withData('agentNode', { name: 'A', prompt: 'p', ...data });
export const start = (data: JsonObject) => withData('startCall', { name: 'S', prompt: 'p', ...data });
const hook = (data: JsonObject) => complete([node('webhook', { data })]);

/** Graphs that cannot be published, with the places of their faults (contract 2.5). */
export const graphsWithFaults: [row: string, definition: Definition, expected: Place[]][] = [
  ['node lacks type', complete([without(node('webhook'), 'type')]), [['node', 'webhook', 'type']]],
  [
    'node lacks position',
    complete([without(node('webhook'), 'position')]),
    [['node', 'webhook', 'position']],
  ],
  ['node lacks data', complete([without(node('webhook'), 'data')]), [['node', 'webhook', 'data']]],
  [
    'position without a number',
    complete([{ ...node('webhook'), position: { x: 1 } }]),
    [['node', 'webhook', 'position.y']],
  ],
  ['unknown node type', complete([node('robot')]), [['node', 'robot', 'type']]],
  [
    'a type that objects inherit is unknown',
    complete([node('constructor')]),
    [['node', 'constructor', 'type']],
  ],
  ['a type that is not text', complete([{ ...node('webhook'), type: 7 }]), [['node', 'webhook', 'type']]],
  ['data is not an object', complete([{ ...node('webhook'), data: [] }]), [['node', 'webhook', 'data']]],
  ['name missing', withData('agentNode', { prompt: 'p' }), [['node', 'agentNode', 'name']]],
  ['name wrong', agent({ name: null }), [['node', 'agentNode', 'name']]],
  [
    'extraction variable of an unknown type',
    agent({ extraction_variables: [{ name: 'a', type: 'date' }] }),
    [['node', 'agentNode', 'extraction_variables.0.type']],
  ],
  [
    'extraction variable without a name',
    agent({ extraction_variables: [{ name: 'a' }, { prompt: 'x' }] }),
    [['node', 'agentNode', 'extraction_variables.1.name']],
  ],
  [
    'extraction variable that is not an object',
    agent({ extraction_variables: ['a'] }),
    [['node', 'agentNode', 'extraction_variables.0']],
  ],
  [
    'unknown fetch mode',
    start({ pre_call_fetch_mode: 'sometimes' }),
    [['node', 'startCall', 'pre_call_fetch_mode']],
  ],
  [
    'header without a value',
    hook({ custom_headers: [{ key: 'a' }] }),
    [['node', 'webhook', 'custom_headers.0.value']],
  ],
  [
    'flag that is not a boolean',
    agent({ allow_interrupt: 'perhaps' }),
    [['node', 'agentNode', 'allow_interrupt']],
  ],
  [
    'number that is not a number',
    start({ delayed_start_duration: 'long' }),
    [['node', 'startCall', 'delayed_start_duration']],
  ],
  ['list that is not a list', agent({ tool_uuids: 'x' }), [['node', 'agentNode', 'tool_uuids']]],
  [
    'list item that is not text',
    agent({ document_uuids: ['x', 1] }),
    [['node', 'agentNode', 'document_uuids.1']],
  ],
  [
    'tool filters that are not lists',
    agent({ mcp_tool_filters: { t: 'x' } }),
    [['node', 'agentNode', 'mcp_tool_filters.t']],
  ],
  [
    'payload that is not an object',
    hook({ payload_template: 'x' }),
    [['node', 'webhook', 'payload_template']],
  ],
  ['unknown webhook method', hook({ http_method: 'BREW' }), [['node', 'webhook', 'http_method']]],
  [
    "header that is the service's",
    hook({ custom_headers: [{ key: 'Host', value: 'x' }] }),
    [['node', 'webhook', 'custom_headers.0.key']],
  ],
  [
    'sample rate out of range',
    complete([node('qa', { data: { qa_sample_rate: 101 } })]),
    [['node', 'qa', 'qa_sample_rate']],
  ],
  [
    'sample rate that is not a whole number',
    complete([node('qa', { data: { qa_sample_rate: 1.5 } })]),
    [['node', 'qa', 'qa_sample_rate']],
  ],
  ['prompt absent', withData('agentNode', { name: 'A' }), [['node', 'agentNode', null]]],
  ['prompt null', agent({ prompt: null }), [['node', 'agentNode', null]]],
  ['prompt blank', agent({ prompt: ' \n' }), [['node', 'agentNode', null]]],
  [
    'prompt of the global node blank',
    complete([node('globalNode', { data: { prompt: '' } })]),
    [['node', 'globalNode', null]],
  ],
  ['prompt that is not text', agent({ prompt: 5 }), [['node', 'agentNode', 'prompt']]],
  [
    'edge data missing',
    complete([], [without(edge('startCall', 'agentNode'), 'data')]),
    [['edge', 'startCall-agentNode', 'data']],
  ],
  [
    'edge data is not an object',
    complete([], [{ ...edge('startCall', 'agentNode'), data: 'x' }]),
    [['edge', 'startCall-agentNode', 'data']],
  ],
  [
    'label missing',
    complete([], [{ ...edge('agentNode', 'agentNode'), data: { condition: 'c' } }]),
    [['edge', 'agentNode-agentNode', 'data.label']],
  ],
  [
    'label empty',
    complete([], [edge('agentNode', 'agentNode', { label: '' })]),
    [['edge', 'agentNode-agentNode', 'data.label']],
  ],
  [
    'condition missing',
    complete([], [{ ...edge('agentNode', 'agentNode'), data: { label: 'l' } }]),
    [['edge', 'agentNode-agentNode', 'data.condition']],
  ],
  [
    'condition is not text',
    complete([], [edge('agentNode', 'agentNode', { condition: 5 })]),
    [['edge', 'agentNode-agentNode', 'data.condition']],
  ],
  ['no start node', { nodes: [node('webhook')], edges: [] }, [['workflow', null, null]]],
  [
    'nothing at all',
    {},
    [
      ['workflow', null, 'nodes'],
      ['workflow', null, 'edges'],
      ['workflow', null, null],
    ],
  ],
  ['edges absent', { nodes: [node('startCall')] }, [['workflow', null, 'edges']]],
  ['too many start nodes', complete([node('startCall', { id: 's2' })]), [['workflow', null, null]]],
  [
    'too many global nodes',
    complete([node('globalNode'), node('globalNode', { id: 'g2' })]),
    [['workflow', null, null]],
  ],
  [
    'too many triggers',
    complete([node('trigger'), node('trigger', { id: 't2' })]),
    [['workflow', null, null]],
  ],
  ['too many exports', complete([node('tuner'), node('tuner', { id: 't2' })]), [['workflow', null, null]]],
  ['agent without incoming', complete([node('agentNode', { id: 'lone' })]), [['node', 'lone', null]]],
  ['end without incoming', complete([node('endCall', { id: 'lone' })]), [['node', 'lone', null]]],
  ['incoming at the start', complete([], [edge('agentNode', 'startCall')]), [['node', 'startCall', null]]],
  ['outgoing at the end', complete([], [edge('endCall', 'agentNode')]), [['node', 'endCall', null]]],
  [
    'edges at a webhook',
    complete([node('webhook')], [edge('agentNode', 'webhook')]),
    [['node', 'webhook', null]],
  ],
  [
    'duplicate transition name, reported for each edge',
    complete([node('endCall', { id: 'e2' })], [edge('agentNode', 'e2', { label: 'To-EndCall' })]),
    [
      ['edge', 'agentNode-endCall', 'data.label'],
      ['edge', 'agentNode-e2', 'data.label'],
    ],
  ],
  [
    'trigger path is not text',
    complete([node('trigger', { data: { trigger_path: 5 } })]),
    [['node', 'trigger', 'data.trigger_path']],
  ],
  [
    'trigger path too long',
    complete([node('trigger', { data: { trigger_path: 'a'.repeat(37) } })]),
    [['node', 'trigger', 'data.trigger_path']],
  ],
  [
    'trigger path with invalid characters',
    complete([node('trigger', { data: { trigger_path: 'a b' } })]),
    [['node', 'trigger', 'data.trigger_path']],
  ],
  [
    'trigger path with a trailing line break',
    complete([node('trigger', { data: { trigger_path: 'ab\n' } })]),
    [['node', 'trigger', 'data.trigger_path']],
  ],
  [
    'trigger path repeated',
    complete([
      node('trigger', { data: { trigger_path: 'a' } }),
      node('trigger', { id: 't2', data: { trigger_path: 'a' } }),
    ]),
    [
      ['workflow', null, null],
      ['node', 't2', 'data.trigger_path'],
    ],
  ],
  [
    'edge with a missing source',
    complete([], [edge('ghost', 'agentNode')]),
    [['edge', 'ghost-agentNode', 'source']],
  ],
  [
    'edge with a missing target',
    complete([], [edge('agentNode', '__proto__')]),
    [['edge', 'agentNode-__proto__', 'target']],
  ],
  ['edge without id', complete([], [without(edge('agentNode', 'agentNode'), 'id')]), [['edge', null, 'id']]],
  ['node without id', complete([without(node('webhook'), 'id')]), [['node', null, 'id']]],
  [
    'node id that is too long for deliveries',
    complete([node('webhook', { id: 'x'.repeat(256) })]),
    [['node', 'x'.repeat(256), 'id']],
  ],
  [
    'node id that is not valid Unicode',
    complete([node('webhook', { id: '\ud800' })]),
    [['node', '\ud800', 'id']],
  ],
  ['duplicate node id', complete([node('webhook', { id: 'agentNode' })]), [['node', 'agentNode', 'id']]],
  [
    'an element that is not an object',
    { nodes: [node('startCall'), 5], edges: [] },
    [['workflow', null, 'nodes']],
  ],
];

/** Graphs that look odd and can be published. */
export const graphsWithoutFault: [row: string, definition: Definition][] = [
  [
    'a node unreachable from the start',
    complete(
      [node('agentNode', { id: 'a' }), node('agentNode', { id: 'b' })],
      [edge('a', 'b'), edge('b', 'a')],
    ),
  ],
  ['a loop onto itself', complete([], [edge('agentNode', 'agentNode')])],
  [
    'two edges between the same nodes with one id',
    complete([], [edge('agentNode', 'endCall', { label: 'other' })]),
  ],
  [
    'one label at different nodes',
    complete(
      [],
      [edge('startCall', 'endCall', { label: 'x' }), edge('agentNode', 'agentNode', { label: 'x' })],
    ),
  ],
  ['an empty name', agent({ name: '' })],
  ['an extraction variable without a type', agent({ extraction_variables: [{ name: 'a', prompt: 'b' }] })],
  [
    'extraction on the start node',
    start({ extraction_enabled: true, extraction_variables: [{ name: 'a' }] }),
  ],
  [
    'booleans and numbers written as text',
    start({ delayed_start: 'yes', delayed_start_duration: '2.5', allow_interrupt: 1 }),
  ],
  [
    'null where null is the default',
    start({
      greeting: null,
      greeting_type: null,
      tool_uuids: null,
      extraction_variables: null,
      delayed_start_duration: null,
    }),
  ],
  ['flags without meaning', start({ is_start: true, is_end: false })],
  ['a trigger whose path is not minted yet', complete([node('trigger')])],
  [
    'nodes with ids that objects inherit',
    complete(
      [node('agentNode', { id: '__proto__' }), node('agentNode', { id: 'constructor' })],
      [edge('__proto__', 'constructor'), edge('constructor', '__proto__')],
    ),
  ],
  ['keys of the canvas', complete([{ ...node('webhook'), measured: { width: 1 }, selected: true }])],
];
