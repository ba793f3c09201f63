const position = { x: 0, y: 0 };
export const node = (id: string, type: string, data: object = {}) => ({
  id,
  type,
  position,
  data: { name: id, ...(type === 'webhook' ? {} : { prompt: 'Speak' }), ...data },
});
export const edge = (
  source: string,
  target: string,
  label = `${source} to ${target}`,
  data: object = {},
) => ({
  id: `${source}-${target}-${label}`,
  source,
  target,
  data: { label, condition: 'always', ...data },
});
export const start = (data: object = {}) => node('s', 'startCall', data);
export const end = node('e', 'endCall');
export const prompting = (prompt: string) => ({ nodes: [start({ prompt }), end], edges: [edge('s', 'e')] });

/** A graph that calls people: its start and what more it has. */
export const calling = (data: object, ...more: object[]) => ({
  nodes: [
    start({ ...optOut, ...data }),
    end,
    { ...node('t', 'trigger', { enabled: true, trigger_path: 'shop' }) },
    ...more,
  ],
  edges: [edge('s', 'e')],
});
const optOut = {
  extraction_enabled: true,
  extraction_variables: [{ name: 'do_not_call', type: 'boolean', prompt: 'Whether they want no more calls' }],
};

/** Graphs with what is said about them (contract 2.7): severity, code, id and field. */
export const inspectedGraphs: [what: string, definition: object, expected: string[]][] = [
  ['a complete graph', prompting('Speak'), []],
  [
    'a graph with an error',
    { nodes: [end], edges: [] },
    ['error start_missing  ', 'error neighbors_wrong e '],
  ],
  [
    'a node without a way out',
    { nodes: [start(), node('a', 'agentNode')], edges: [edge('s', 'a')] },
    ['warning dead_end a '],
  ],
  [
    'a node that may end by a tool',
    { nodes: [start(), node('a', 'agentNode', { tool_uuids: ['t'] })], edges: [edge('s', 'a')] },
    [],
  ],
  [
    'nodes that no way leads to',
    {
      nodes: [start(), node('a', 'agentNode'), node('b', 'agentNode'), end],
      edges: [edge('s', 'e'), edge('a', 'b'), edge('b', 'a')],
    },
    ['warning unreachable a ', 'warning unreachable b '],
  ],
  [
    'a circle without an end',
    {
      nodes: [start(), node('a', 'agentNode'), node('b', 'agentNode'), end],
      edges: [edge('s', 'e'), edge('s', 'a'), edge('a', 'b'), edge('b', 'a')],
    },
    ['warning no_end_ahead a ', 'warning no_end_ahead b '],
  ],
  [
    'a webhook without an address',
    { nodes: [start(), end, node('w', 'webhook')], edges: [edge('s', 'e')] },
    ['warning webhook_without_address w endpoint_url'],
  ],
  [
    'a webhook that is off',
    { nodes: [start(), end, node('w', 'webhook', { enabled: false })], edges: [edge('s', 'e')] },
    [],
  ],
  ['a long prompt', prompting('x'.repeat(16_001)), ['warning prompt_long s prompt']],
  ['a prompt just below', prompting('x'.repeat(16_000)), []],
  ['a variable without a default', prompting('Hi {{first_name}}'), ['warning default_missing s prompt']],
  [
    'variables with a default or of the service',
    prompting(
      '{{a | b}} {{phone_number}} {{current_time_Asia/Kolkata}} {{initial_context.direction}} {{a|}}',
    ),
    [],
  ],
  [
    'a value of the call in a prompt',
    prompting('{{gathered_context.day | soon}}'),
    ['warning variable_unknown s prompt'],
  ],
  [
    'names of a payload',
    {
      nodes: [
        start(),
        end,
        node('w', 'webhook', {
          endpoint_url: 'https://shop.example.com',
          payload_template: { a: '{{gathered_context.day}}', b: ['{{call_time}}', '{{first_name}}'] },
        }),
      ],
      edges: [edge('s', 'e')],
    },
    ['warning variable_unknown w payload_template.b.1'],
  ],
  [
    'a spoken transition',
    { nodes: [start(), end], edges: [edge('s', 'e', 'Bye', { transition_speech: 'Bye {{name}}' })] },
    ['warning default_missing s-e-Bye data.transition_speech'],
  ],
  [
    'a graph that calls people, with a greeting that discloses the AI, and an opt-out',
    calling({ greeting: 'Hello, this is the AI assistant of Acme.' }),
    [],
  ],
  [
    'one whose greeting does not disclose it, though its prompt does',
    calling({ greeting: 'Hello, this is Ava of {{company.name | Acme}}. Hi!', prompt: 'You are an AI.' }),
    ['warning disclosure_missing s greeting'],
  ],
  ['one without a greeting whose prompt does not', calling({}), ['warning disclosure_missing s prompt']],
  [
    'one without a greeting whose global prompt does',
    calling({}, node('g', 'globalNode', { prompt: 'Say first that you are a robot.' })),
    [],
  ],
  [
    'one whose opening leaves out the global prompt that does',
    calling({ add_global_prompt: false }, node('g', 'globalNode', { prompt: 'Say that you are a robot.' })),
    ['warning disclosure_missing s prompt'],
  ],
  [
    'one that begins with a recording',
    calling({ greeting_type: 'audio', greeting_recording_id: 'r1', greeting: 'Hello.' }),
    [],
  ],
  ['one whose greeting is a variable', calling({ greeting: '{{opening | }}' }), []],
  [
    'one without an opt-out',
    calling({ extraction_enabled: false, prompt: 'Say that you are an AI.' }),
    ['warning opt_out_missing t '],
  ],
  [
    'one whose trigger is off',
    {
      nodes: [start(), end, node('t', 'trigger', { enabled: false, trigger_path: 'shop' })],
      edges: [edge('s', 'e')],
    },
    [],
  ],
];
