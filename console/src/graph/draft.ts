import type { Workflow } from '../../../src/contract/agents.ts';
import {
  isObject,
  type JsonObject,
  ownList,
  ownObject,
  ownText,
} from '../../../src/domain/graph/definition.ts';
import { readNumber } from '../../../src/domain/graph/fields.ts';

export interface Point {
  x: number;
  y: number;
}

/** The size of every node on the canvas. */
export const nodeSize = { width: 248, height: 100 } as const;

/** A node of the graph. Keys beyond these, and types that this console does not know, are kept as they are. */
export interface GraphNode extends JsonObject {
  readonly id: string;
  readonly type: string;
  readonly position: Point;
  readonly data: JsonObject;
}

/** A transition. */
export interface GraphEdge extends JsonObject {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly data: JsonObject;
}

/** Everything of an agent that the editor changes. It is never changed in place. */
export interface Draft {
  readonly name: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Other keys of the definition, such as `viewport`. */
  readonly rest: JsonObject;
  /** `workflow_configurations`. */
  readonly settings: JsonObject;
  /** `template_context_variables`: values for tests. */
  readonly values: JsonObject;
}

/** The values that tests begin with, as the rules of graphs know them: null if there are none. */
export const testValuesOf = ({ values }: Draft): JsonObject | null =>
  Object.keys(values).length === 0 ? null : values;

type Stored = Pick<
  Workflow,
  'name' | 'workflow_definition' | 'workflow_configurations' | 'template_context_variables'
>;

/**
 * An agent as the editor works on it. What the editor cannot do without is filled in: ids, which are unique,
 * places and data. Elements that are not objects have no meaning, and the API refuses them.
 */
export function draftOf(agent: Stored): Draft {
  const { nodes: _nodes, edges: _edges, ...rest } = agent.workflow_definition;
  return {
    name: agent.name,
    nodes: unique(ownList(agent.workflow_definition, 'nodes').filter(isObject), 'node').map(toNode),
    edges: unique(ownList(agent.workflow_definition, 'edges').filter(isObject), 'edge').map(toEdge),
    rest,
    settings: agent.workflow_configurations ?? {},
    values: agent.template_context_variables ?? {},
  };
}

/** The definition as it is stored. */
export const definitionOf = ({ nodes, edges, rest }: Draft): Record<string, unknown> => ({
  ...rest,
  nodes: [...nodes],
  edges: [...edges],
});

/** SDKs give two edges between the same nodes one id; later ones get `#2`, `#3` as in a call (contract 14.3). */
function unique(items: readonly JsonObject[], kind: string): (JsonObject & { id: string })[] {
  const taken = new Set(items.map((item) => ownText(item, 'id')));
  const given = new Set<string>();
  return items.map((item, index) => {
    const id = ownText(item, 'id') ?? '';
    let free = id === '' ? `${kind}-${index + 1}` : id;
    for (let count = 2; given.has(free) || (free !== id && taken.has(free)); count += 1)
      free = `${id === '' ? `${kind}-${index + 1}` : id}#${count}`;
    given.add(free);
    return { ...item, id: free };
  });
}

function toNode(item: JsonObject & { id: string }): GraphNode {
  const place = ownObject(item, 'position');
  const [x, y] = [readNumber(place['x']), readNumber(place['y'])];
  return {
    ...item,
    type: ownText(item, 'type') ?? '',
    position: { ...place, x: x ?? 0, y: y ?? 0 },
    data: ownObject(item, 'data'),
  };
}

const toEdge = (item: JsonObject & { id: string }): GraphEdge => ({
  ...item,
  source: ownText(item, 'source') ?? '',
  target: ownText(item, 'target') ?? '',
  data: ownObject(item, 'data'),
});

/** The name of a node: its own, else that of its type. */
export const nameOf = (node: GraphNode, typeName?: string): string => {
  const name = (ownText(node.data, 'name') ?? '').trim();
  return name === '' ? (typeName ?? node.type) : name;
};

/** The label of a transition; empty while it has none. */
export const labelOf = (edge: GraphEdge): string => (ownText(edge.data, 'label') ?? '').trim();

/** When the model follows a transition; empty while nothing says it. */
export const conditionOf = (edge: GraphEdge): string => (ownText(edge.data, 'condition') ?? '').trim();

export const sameJson = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, index) => sameJson(each, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
};
