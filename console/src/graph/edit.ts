import { isObject, type JsonObject } from '../../../src/domain/graph/definition.ts';
import { type ExtractionVariable, variablesOf } from '../../../src/domain/graph/extraction-variables.ts';
import type { NodeSpec } from '../../../src/contract/node-types.ts';
import {
  type Draft,
  draftOf,
  type GraphEdge,
  type GraphNode,
  labelOf,
  nameOf,
  nodeSize,
  type Point,
} from './draft.ts';
import type { Problem } from './problems.ts';

/** Changes of a draft. Each answers a new draft and leaves the old one as it was. */

type MakeId = () => string;

/** Places of nodes lie on this grid. */
export const gridStep = 20;
const snapped = (value: number): number => Math.round(value / gridStep) * gridStep;
const placeOf = ({ x, y }: Point): Point => ({ x: snapped(x), y: snapped(y) });

/** The data of a new node: the defaults of its type, without those that mean nothing. */
export function initialData({ properties }: Pick<NodeSpec, 'properties'>): Record<string, unknown> {
  return Object.fromEntries(
    properties
      .filter(({ default: value }) => value !== null && value !== undefined)
      .map((each) => [each.name, each.default]),
  );
}

export function addNode(
  draft: Draft,
  { id, spec, at, name }: { id: string; spec: NodeSpec; at: Point; name?: string },
): Draft {
  const data = initialData(spec);
  const wanted = name ?? (typeof data['name'] === 'string' ? data['name'] : spec.display_name);
  const node: GraphNode = {
    id,
    type: spec.name,
    position: placeOf(at),
    data: { ...data, name: freeName(draft, wanted) },
  };
  return { ...draft, nodes: [...draft.nodes, node] };
}

function freeName({ nodes }: Draft, wanted: string): string {
  const taken = new Set(nodes.map((node) => nameOf(node)));
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted} ${count}`;
  return name;
}

/** Adds a transition at the end of those of its source. */
export function connect(
  draft: Draft,
  { id, source, target, data = {} }: { id: string; source: string; target: string; data?: JsonObject },
): Draft {
  const edge: GraphEdge = { id, source, target, data: { label: '', condition: '', ...data } };
  return { ...draft, edges: [...draft.edges, edge] };
}

/** Removes nodes with their transitions, and transitions. */
export function remove(draft: Draft, ids: readonly string[]): Draft {
  const gone = new Set(ids);
  return {
    ...draft,
    nodes: draft.nodes.filter(({ id }) => !gone.has(id)),
    edges: draft.edges.filter(
      ({ id, source, target }) => !gone.has(id) && !gone.has(source) && !gone.has(target),
    ),
  };
}

export function moveNodes(draft: Draft, places: ReadonlyMap<string, Point>): Draft {
  return {
    ...draft,
    nodes: draft.nodes.map((node) => {
      const place = places.get(node.id);
      return place === undefined ? node : { ...node, position: { ...node.position, ...place } };
    }),
  };
}

/** Places on the way from one to the other; `share` is from 0 to 1. A node that was nowhere is at once where it goes. */
export const between = (
  from: ReadonlyMap<string, Point>,
  to: ReadonlyMap<string, Point>,
  share: number,
): Map<string, Point> =>
  new Map(
    [...to].map(([id, end]) => {
      const start = from.get(id) ?? end;
      return [id, { x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share }];
    }),
  );

/** Least distances between nodes that are lined up. */
const gap = { row: 2 * gridStep, column: 3 * gridStep } as const;

/** Places that line nodes up, in their order: as a row at the highest, or as a column at the leftmost. */
export function linedUp(draft: Draft, ids: readonly string[], as: 'row' | 'column'): Map<string, Point> {
  const [along, across] = as === 'row' ? (['x', 'y'] as const) : (['y', 'x'] as const);
  const step = as === 'row' ? nodeSize.width + gap.row : nodeSize.height + gap.column;
  const chosen = new Set(ids);
  const nodes = draft.nodes
    .filter(({ id }) => chosen.has(id))
    .toSorted((one, other) => one.position[along] - other.position[along]);
  const line = Math.min(...nodes.map(({ position }) => position[across]));
  const places = new Map<string, Point>();
  let next = -Infinity;
  for (const { id, position } of nodes) {
    const at = Math.max(position[along], next);
    places.set(id, placeOf(as === 'row' ? { x: at, y: line } : { x: line, y: at }));
    next = at + step;
  }
  return places;
}

/** A line through the nearest node whose left or upper edge is that of a moved node. */
export interface Guide {
  readonly kind: 'left' | 'top';
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** The guides of a node that is moved among the others. All nodes have one size, so edges and middles agree. */
export function guidesOf(place: Point, others: readonly Point[]): Guide[] {
  const guide = (kind: Guide['kind']): Guide[] => {
    const [same, along, size] =
      kind === 'left' ? (['x', 'y', nodeSize.height] as const) : (['y', 'x', nodeSize.width] as const);
    const nearest = others
      .filter((other) => other[same] === place[same] && other[along] !== place[along])
      .toSorted(
        (one, other) => Math.abs(one[along] - place[along]) - Math.abs(other[along] - place[along]),
      )[0];
    if (nearest === undefined) return [];
    const ends = [nearest[along], place[along]];
    return [{ kind, at: place[same], from: Math.min(...ends), to: Math.max(...ends) + size }];
  };
  return [...guide('left'), ...guide('top')];
}

/** Sets a key of a node's data; `undefined` removes it. */
export const setField = (draft: Draft, id: string, field: string, value: unknown): Draft => ({
  ...draft,
  nodes: draft.nodes.map((node) =>
    node.id === id ? { ...node, data: withKey(node.data, field, value) } : node,
  ),
});

/** Replaces a node's data as a whole. */
export const setData = (draft: Draft, id: string, data: JsonObject): Draft => ({
  ...draft,
  nodes: draft.nodes.map((node) => (node.id === id ? { ...node, data } : node)),
});

export const setEdgeField = (draft: Draft, id: string, field: string, value: unknown): Draft => ({
  ...draft,
  edges: draft.edges.map((edge) =>
    edge.id === id ? { ...edge, data: withKey(edge.data, field, value) } : edge,
  ),
});

/** Leads a transition to another node. */
/** The draft with the change that a problem suggests; fixes that ask a person first change nothing here. */
export function applyFix(draft: Draft, { of, id, field, fix }: Problem): Draft {
  if (fix?.edit.op === 'add_variable') {
    const { ids, variable } = fix.edit;
    return {
      ...draft,
      nodes: draft.nodes.map((node) =>
        ids.includes(node.id) ? { ...node, data: extracting(node.data, variable) } : node,
      ),
    };
  }
  if (fix?.edit.op !== 'replace_text' || field === null) return draft;
  const { start, end, text } = fix.edit;
  const replaced = <Item extends GraphNode | GraphEdge>(item: Item): Item => {
    const data = changedAt(item.data, field.split('.'), (old) => old.slice(0, start) + text + old.slice(end));
    return item.id === id && isObject(data) ? { ...item, data } : item;
  };
  return of === 'edge'
    ? { ...draft, edges: draft.edges.map(replaced) }
    : { ...draft, nodes: draft.nodes.map(replaced) };
}

/** Variables that were switched off stay out. */
function extracting(data: JsonObject, variable: ExtractionVariable): JsonObject {
  const others = variablesOf(data).filter(({ name }) => name !== variable.name);
  return { ...data, extraction_enabled: true, extraction_variables: [...others, { ...variable }] };
}

/** A value with the text at a path inside of it changed. */
function changedAt(
  value: unknown,
  [key, ...path]: readonly string[],
  change: (text: string) => string,
): unknown {
  if (key === undefined) return typeof value === 'string' ? change(value) : value;
  if (Array.isArray(value))
    return value.map((each: unknown, index) =>
      String(index) === key ? changedAt(each, path, change) : each,
    );
  return isObject(value) && Object.hasOwn(value, key)
    ? { ...value, [key]: changedAt(value[key], path, change) }
    : value;
}

export const retarget = (draft: Draft, id: string, target: string): Draft => ({
  ...draft,
  edges: draft.edges.map((edge) => (edge.id === id ? { ...edge, target } : edge)),
});

export const setSetting = (draft: Draft, key: string, value: unknown): Draft => ({
  ...draft,
  settings: withKey(draft.settings, key, value),
});

export const setValue = (draft: Draft, key: string, value: unknown): Draft => ({
  ...draft,
  values: withKey(draft.values, key, value),
});

function withKey(object: JsonObject, key: string, value: unknown): JsonObject {
  if (value !== undefined) return { ...object, [key]: value };
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** Moves a transition among those of its source: the model is offered them in this order. */
export function reorder(draft: Draft, id: string, by: -1 | 1): Draft {
  const edge = draft.edges.find((each) => each.id === id);
  const siblings = draft.edges.filter(({ source }) => source === edge?.source);
  const other = siblings[siblings.findIndex((each) => each.id === id) + by];
  if (edge === undefined || other === undefined) return draft;
  return {
    ...draft,
    edges: draft.edges.map((each) => (each === edge ? other : each === other ? edge : each)),
  };
}

/** Puts a node between the ends of a transition. The transition then leads to the node. */
export function insertOnEdge(
  draft: Draft,
  { edgeId, node, newEdgeId }: { edgeId: string; node: Parameters<typeof addNode>[1]; newEdgeId: string },
): Draft {
  const target = draft.edges.find(({ id }) => id === edgeId)?.target;
  if (target === undefined) return draft;
  const added = retarget(addNode(draft, node), edgeId, node.id);
  return connect(added, { id: newEdgeId, source: node.id, target });
}

/** Nodes with the transitions between them, as they are copied. */
export interface Clipping {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export function clippingOf({ nodes, edges }: Draft, ids: readonly string[]): Clipping {
  const chosen = new Set(ids);
  return {
    nodes: nodes.filter(({ id }) => chosen.has(id)),
    edges: edges.filter(({ source, target }) => chosen.has(source) && chosen.has(target)),
  };
}

/** Reads copied nodes from text; null for any other text. */
export function readClipping(text: string): Clipping | null {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isObject(parsed)) return null;
    const { nodes, edges } = draftOf({
      name: '',
      workflow_definition: { ...parsed },
      workflow_configurations: null,
      template_context_variables: null,
    });
    return nodes.length === 0 ? null : { nodes, edges };
  } catch {
    return null;
  }
}

/** Adds copied nodes beside the originals, with ids of their own, and answers the ids of the new nodes. */
export function paste(draft: Draft, clipping: Clipping, makeId: MakeId): { draft: Draft; ids: string[] } {
  const ids = new Map(clipping.nodes.map(({ id }) => [id, makeId()]));
  let result = draft;
  for (const node of clipping.nodes) {
    const id = ids.get(node.id) ?? makeId();
    const copy: GraphNode = {
      ...node,
      id,
      position: placeOf({ x: node.position.x + 2 * gridStep, y: node.position.y + 2 * gridStep }),
      data: { ...node.data, name: freeName(result, nameOf(node)) },
    };
    result = { ...result, nodes: [...result.nodes, copy] };
  }
  const edges = clipping.edges.flatMap((edge): GraphEdge[] => {
    const [source, target] = [ids.get(edge.source), ids.get(edge.target)];
    return source === undefined || target === undefined ? [] : [{ ...edge, id: makeId(), source, target }];
  });
  return { draft: { ...result, edges: [...result.edges, ...edges] }, ids: [...ids.values()] };
}

/** What a change is called in the names of undo: a node or a transition by its name. */
export function titleOf(draft: Draft, id: string): string {
  const node = draft.nodes.find((each) => each.id === id);
  if (node !== undefined) return nameOf(node);
  const edge = draft.edges.find((each) => each.id === id);
  return edge === undefined ? id : labelOf(edge);
}
