import { describe, expect, test } from '@jest/globals';
import { inspectDefinition } from '../../../src/domain/graph/inspect.ts';
import { edge, end, inspectedGraphs, prompting, start } from './inspected-graphs.ts';

/** Codes with what they are about. */
const seen = (definition: object, testValues?: Record<string, unknown>) =>
  inspectDefinition({ ...definition }, testValues === undefined ? {} : { testValues }).map(
    ({ severity, code, id, field }) => [severity, code, id, field].join(' '),
  );

describe('checking a graph in an editor (contract 2.7)', () => {
  test.each(inspectedGraphs)('%s', (_what, definition, expected) => {
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

  test('a node that names a tool which calls are not offered gets a warning, if the offered tools are known', () => {
    const graph = { nodes: [start({ tool_uuids: ['live', 'old'] }), end], edges: [edge('s', 'e')] };
    const warned = inspectDefinition(graph, { toolNames: new Map([['live', 'look_up']]) });
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
