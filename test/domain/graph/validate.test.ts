import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Definition } from '../../../src/domain/graph/definition.ts';
import { validateDefinition } from '../../../src/domain/graph/validate.ts';
import { agent, graphsWithFaults, graphsWithoutFault, type Place, start } from './checked-graphs.ts';
import { complete, edge, node, withData } from './samples.ts';

const places = (definition: Definition, toolNames = new Map<string, string>()): Place[] =>
  validateDefinition(definition, { toolNames }).errors.map(({ kind, id, field }) => [kind, id, field]);

test('a complete graph has no fault', () => {
  expect(
    validateDefinition(
      complete([
        node('globalNode'),
        node('trigger'),
        node('webhook'),
        node('qa'),
        node('tuner'),
        node('paygent'),
        node('noveum'),
      ]),
    ),
  ).toEqual({ is_valid: true, errors: [] });
});

describe('rules (contract 2.5)', () => {
  test.each(graphsWithFaults)('%s', (_row, definition, expected) => {
    expect(places(definition)).toEqual(expected);
  });

  test('a transition name equals a tool function name of its source node', () => {
    const definition = agent({ tool_uuids: ['t1'] });
    expect(places(definition, new Map([['t1', 'to_endcall']]))).toEqual([
      ['edge', 'agentNode-endCall', 'data.label'],
    ]);
    expect(places(definition, new Map([['t2', 'to_endcall']]))).toEqual([]);
    expect(places(start({ tool_uuids: ['t1'] }), new Map([['t1', 'to_endcall']]))).toEqual([]);
  });

  test('field faults skip the degree rules, but names and trigger paths are still reported', () => {
    const definition = complete(
      [
        node('agentNode', { id: 'lone', data: { prompt: '' } }),
        node('trigger', { data: { trigger_path: '!' } }),
      ],
      [edge('agentNode', 'agentNode', { label: 'to endcall' })],
    );
    expect(places(definition)).toEqual([
      ['node', 'lone', null],
      ['edge', 'agentNode-endCall', 'data.label'],
      ['edge', 'agentNode-agentNode', 'data.label'],
      ['node', 'trigger', 'data.trigger_path'],
    ]);
  });

  test.each(graphsWithoutFault)('%s is accepted', (_row, definition) => {
    expect(places(definition)).toEqual([]);
  });

  test('messages begin with the label of the node', () => {
    expect(validateDefinition(withData('agentNode', { name: 'Ask city' })).errors[0]?.message).toMatch(
      /^Ask city: /,
    );
    expect(
      validateDefinition(complete([node('agentNode', { id: 'x', data: { name: '' } })])).errors[0]?.message,
    ).toMatch(/^Agent Node: /);
  });
});

test('any stored graph is validated without throwing', () => {
  const key = fc.constantFrom(
    'id',
    'type',
    'position',
    'data',
    'source',
    'target',
    'name',
    'prompt',
    'label',
    '__proto__',
  );
  const item = fc.dictionary(
    key,
    fc.oneof(fc.jsonValue(), fc.constantFrom('startCall', 'agentNode', 'constructor', '__proto__')),
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(item, fc.jsonValue())),
      fc.array(fc.oneof(item, fc.jsonValue())),
      (nodes, edges) => {
        expect(validateDefinition({ nodes, edges }).is_valid).toBe(false);
      },
    ),
  );
});
