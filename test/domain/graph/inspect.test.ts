import { describe, expect, test } from '@jest/globals';
import { inspectDefinition } from '../../../src/domain/graph/inspect.ts';

const position = { x: 0, y: 0 };
const node = (id: string, type: string, data: object = {}) => ({
  id,
  type,
  position,
  data: { name: id, ...(type === 'webhook' ? {} : { prompt: 'Speak' }), ...data },
});
const edge = (source: string, target: string, label = `${source} to ${target}`, data: object = {}) => ({
  id: `${source}-${target}-${label}`,
  source,
  target,
  data: { label, condition: 'always', ...data },
});
const start = (data: object = {}) => node('s', 'startCall', data);
const end = node('e', 'endCall');
const prompting = (prompt: string) => ({ nodes: [start({ prompt }), end], edges: [edge('s', 'e')] });

/** Codes with what they are about. */
const seen = (definition: object, testValues?: Record<string, unknown>) =>
  inspectDefinition({ ...definition }, testValues === undefined ? {} : { testValues }).map(
    ({ severity, code, id, field }) => [severity, code, id, field].join(' '),
  );

describe('checking a graph in an editor (contract 2.7)', () => {
  test.each<[string, object, string[]]>([
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
  ])('%s', (_what, definition, expected) => {
    expect(seen(definition)).toEqual(expected);
  });

  test.each([
    ['Wants a date', 'Wants date', true],
    ['Has questions', 'Has question', true],
    ['Date is known', 'Known is date', true],
    ['Date is known', 'Date is unknown', false],
    ['Can come', 'Can not come', false],
    ['Option 1', 'Option 2', false],
    ['Yes', 'No', false],
  ])('%s and %s are alike: %s', (one, other, isAlike) => {
    const found = seen({ nodes: [start(), end], edges: [edge('s', 'e', one), edge('s', 'e', other)] });
    expect(found).toEqual(isAlike ? [`warning transitions_alike s-e-${other} data.label`] : []);
  });

  test('a node is told of each tool that no call is offered, if those are known', () => {
    const graph = { nodes: [start({ tool_uuids: ['live', 'old'] }), end], edges: [edge('s', 'e')] };
    const warned = inspectDefinition(graph, { missingTools: new Set(['old', 'elsewhere']) });
    expect(warned).toMatchObject([
      { severity: 'warning', code: 'tool_not_offered', id: 's', field: 'tool_uuids' },
    ]);
    expect(seen(graph)).toEqual([]);
  });

  test('with test values, a variable that is not among them is unknown', () => {
    expect(seen(prompting('{{first_name}} {{frist_name}}'), { first_name: 'Ada' })).toEqual([
      'warning default_missing s prompt',
      'warning variable_unknown s prompt',
    ]);
  });

  test('ranges are places in the text as it was written, and the fix removes the warning', () => {
    const prompt = String.raw`One\n{{ day }} and\n\n{{initial_context.city}}`;
    const found = inspectDefinition(prompting(prompt));
    expect(found.map(({ range }) => prompt.slice(range?.start, range?.end))).toEqual([
      '{{ day }}',
      '{{initial_context.city}}',
    ]);
    const fixed = found.toReversed().reduce((text, { fix }) => {
      if (fix?.edit.op !== 'replace_text') throw new Error('no text to replace');
      return text.slice(0, fix.edit.start) + fix.edit.text + text.slice(fix.edit.end);
    }, prompt);
    expect(seen(prompting(fixed))).toEqual([]);
  });

  test('whatever a draft holds, it is read', () => {
    expect(seen({ nodes: [{ id: 4 }, { id: 'a', type: 'agentNode', data: [] }], edges: [{}, 3] })).toContain(
      'error element_not_object  edges',
    );
    expect(seen({})).toContain('error list_missing  nodes');
  });
});
