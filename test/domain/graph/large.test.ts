import { describe, expect, test } from '@jest/globals';
import { compilePlan, maxPlanBytes, planSizeFault } from '../../../src/domain/graph/compile.ts';
import {
  mapNodes,
  ownObject,
  type Definition,
  type JsonObject,
} from '../../../src/domain/graph/definition.ts';
import { edgeOf } from '../../../src/domain/graph/edges.ts';
import { edgeTools, nodeOf } from '../../../src/domain/graph/model.ts';
import { validateDefinition } from '../../../src/domain/graph/validate.ts';
import { largeDefinition } from '../../support/definitions.ts';

/** The definition, with a count of every read of a key of its nodes and edges. */
function watched(definition: Definition): { definition: Definition; reads: () => number } {
  let reads = 0;
  const watch = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(watch);
    if (typeof value !== 'object' || value === null) return value;
    const inside = Object.fromEntries(
      Object.entries(value).map(([key, each]: [string, unknown]) => [key, watch(each)]),
    );
    return new Proxy(inside, {
      get: (target, key) => {
        reads += 1;
        return Reflect.get(target, key) as unknown;
      },
    });
  };
  return {
    definition: { nodes: watch(definition['nodes']), edges: watch(definition['edges']) },
    reads: () => reads,
  };
}

describe('a graph of 500 nodes', () => {
  test('is valid, and its plan stays below 128 KiB', () => {
    expect(validateDefinition(largeDefinition(500)).errors).toEqual([]);
    expect(JSON.stringify(compilePlan(largeDefinition(500))).length).toBeLessThan(maxPlanBytes);
  });

  test.each<[string, (definition: Definition) => unknown]>([
    ['checking it', (definition) => validateDefinition(definition)],
    ['compiling it', (definition) => compilePlan(definition)],
    ['finding a node', (definition) => nodeOf(definition, 'n120')],
    ['finding the edges out of a node', (definition) => edgeTools(definition, 'n120')],
    ['finding an edge', (definition) => edgeOf(definition, 'n120-n121')],
  ])('%s reads twice as many keys as in a graph of half the size, not four times as many', (_name, use) => {
    const [half, whole] = [watched(largeDefinition(250)), watched(largeDefinition(500))];
    use(half.definition);
    use(whole.definition);
    expect(half.reads()).toBeGreaterThan(100);
    expect(whole.reads() / half.reads()).toBeLessThan(2.2);
  });
});

describe('a graph that is too large', () => {
  const large = (change: (node: JsonObject) => JsonObject) => mapNodes(largeDefinition(1000), change);

  test('is refused with its size, the maximum, and the field that takes most of it', () => {
    expect(planSizeFault(large((node) => node))).toEqual({
      code: 'graph_too_large',
      kind: 'workflow',
      id: null,
      field: 'edges',
      message: expect.stringMatching(
        /^The graph is too large: .* takes \d{6} bytes of at most 131072, \d+ of them for ids and targets of edges; shorten/,
      ),
      values: { bytes: expect.any(Number), max: maxPlanBytes, most: expect.any(Number), of: 'edges' },
    });
    const named = large((node) => ({ ...node, data: { ...ownObject(node, 'data'), name: 'x'.repeat(200) } }));
    expect(planSizeFault(named)).toMatchObject({
      field: 'nodes',
      message: expect.stringContaining('ids and names of nodes'),
    });
  });
});
