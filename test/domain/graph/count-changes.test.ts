import { expect, test } from '@jest/globals';
import { countChanges } from '../../../src/domain/graph/count-changes.ts';
import { outlineOf } from '../../../src/domain/graph/outline.ts';

const node = (id: string, data: object, x = 0) => ({ id, type: 'agentNode', position: { x, y: 0 }, data });
const version = (nodes: object[], edges: object[] = [], settings = {}, testValues = {}) => ({
  definition: { nodes, edges },
  settings,
  testValues,
});

test.each([
  ['nothing', 0, version([node('a', { name: 'A', prompt: 'x' })])],
  ['the order of keys', 0, version([node('a', { prompt: 'x', name: 'A' })])],
  ['a place', 0, version([node('a', { name: 'A', prompt: 'x' }, 500)])],
  ['a prompt', 1, version([node('a', { name: 'A', prompt: 'y' })])],
  ['a new id', 2, version([node('b', { name: 'A', prompt: 'x' })])],
  ['a second node with its id', 1, version([node('a', { name: 'A', prompt: 'x' }), node('a', {})])],
  [
    'two edges of one id, a setting and a value',
    4,
    version([node('a', { name: 'A', prompt: 'x' })], [{ id: 'e' }, { id: 'e' }], { a: 1 }, { b: 2 }),
  ],
])('%s between two versions counts %s times', (_what, count, after) => {
  const before = version([node('a', { name: 'A', prompt: 'x' })]);
  expect([countChanges(before, after), countChanges(after, before)]).toEqual([count, count]);
});

test('a picture has the first nodes and the edges between them, whatever a draft holds', () => {
  const many = Array.from({ length: 70 }, (_each, index) => node(`n${index}`, {}, index + 0.4));
  const edges = [{ source: 'n0', target: 'n1' }, { source: 'n0', target: 'n69' }, { source: 'n0' }];
  const outline = outlineOf({ nodes: [...many, { id: 4 }], edges });
  expect([outline.nodes.length, outline.nodes[1], outline.edges]).toEqual([
    60,
    { id: 'n1', type: 'agentNode', x: 1, y: 0 },
    [['n0', 'n1']],
  ]);
  expect(outlineOf({ nodes: [{ id: 'a', type: 'own', position: null }] })).toEqual({
    nodes: [{ id: 'a', type: null, x: 0, y: 0 }],
    edges: [],
  });
  expect(outlineOf({})).toEqual({ nodes: [], edges: [] });
});
