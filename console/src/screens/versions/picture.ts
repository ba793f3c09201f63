import dagre from '@dagrejs/dagre';
import {
  edgesOf,
  type JsonObject,
  nodesOf,
  own,
  ownObject,
  ownText,
} from '../../../../src/domain/graph/definition.ts';
import type { Point } from '../../graph/draft.ts';
import { drawEdges, pathOf, type Rect } from '../../graph/edges.ts';
import { type Change, type Content, keyed, nameOf } from './compare.ts';

export type Mark = Change['kind'] | 'same';

export interface PictureNode {
  id: string;
  name: string;
  type: string;
  text: string;
  mark: Mark;
  x: number;
  y: number;
}

export interface PictureEdge {
  id: string;
  label: string;
  mark: Mark;
  path: string;
  /** Where its label stands. */
  x: number;
  y: number;
}

export interface Picture {
  nodes: PictureNode[];
  edges: PictureEdge[];
  width: number;
  height: number;
}

export const nodeSize = { width: 248, height: 108 };
const margin = 40;
/** Half of a usual label, which may stand beside all cards. */
const labelRoom = 60;

/** Both versions in one graph: each thing where it is in the later version, what was removed where it was. */
export function pictureOf(before: Content, after: Content, changes: readonly Change[]): Picture {
  const marks = new Map(changes.map(({ of, id, kind }) => [`${of} ${id}`, kind]));
  const union = (elements: (definition: JsonObject) => readonly JsonObject[]) => [
    ...new Map([...keyed(elements(before.definition)), ...keyed(elements(after.definition))]),
  ];
  const all = union(nodesOf);
  const ids = new Set(all.map(([id]) => id));
  const links = union(edgesOf).flatMap(([id, edge]) => {
    const [source, target] = [ownText(edge, 'source') ?? '', ownText(edge, 'target') ?? ''];
    if (!ids.has(source) || !ids.has(target)) return [];
    return [{ id, source, target, label: ownText(ownObject(edge, 'data'), 'label') ?? '' }];
  });
  const places = placesOf(all, links);
  const drawn = drawEdges(
    new Map([...places].map(([id, place]): [string, Rect] => [id, { ...place, ...nodeSize }])),
    links,
  );
  const ways = [...drawn.values()];
  const corners = [
    ...[...places.values()].flatMap(({ x, y }) => [
      { x, y },
      { x: x + nodeSize.width, y: y + nodeSize.height },
    ]),
    ...ways.flatMap(({ points }) => points),
    ...ways.flatMap(({ label: { x, y } }) => [
      { x: x - labelRoom, y },
      { x: x + labelRoom, y },
    ]),
  ];
  const [left, top] = [Math.min(...corners.map(({ x }) => x)), Math.min(...corners.map(({ y }) => y))];
  const shifted = ({ x, y }: Point): Point => ({ x: x - left + margin, y: y - top + margin });
  const nodes = all.map(([id, node]): PictureNode => {
    const data = ownObject(node, 'data');
    return {
      id,
      name: nameOf(node, id),
      type: ownText(node, 'type') ?? '',
      text: ownText(data, 'greeting') ?? ownText(data, 'prompt') ?? '',
      mark: marks.get(`node ${id}`) ?? 'same',
      ...shifted(places.get(id) ?? { x: 0, y: 0 }),
    };
  });
  const edges = links.flatMap(({ id, label }): PictureEdge[] => {
    const way = drawn.get(id);
    if (way === undefined) return [];
    const mark = marks.get(`edge ${id}`) ?? 'same';
    return [{ id, label, mark, path: pathOf(way.points.map(shifted)), ...shifted(way.label) }];
  });
  return {
    nodes,
    edges,
    width: Math.max(0, ...corners.map(({ x }) => x - left)) + 2 * margin,
    height: Math.max(0, ...corners.map(({ y }) => y - top)) + 2 * margin,
  };
}

/** The stored places, unless they are missing or cards would cover each other. */
function placesOf(
  all: readonly (readonly [string, JsonObject])[],
  links: readonly { source: string; target: string }[],
): Map<string, Point> {
  const stored = all.map(([id, node]) => {
    const position = ownObject(node, 'position');
    const [x, y] = [own(position, 'x'), own(position, 'y')].map((value) =>
      typeof value === 'number' && Number.isFinite(value) ? value : 0,
    ) as [number, number];
    return { id, x, y };
  });
  const isCovered = stored.some((one, index) =>
    stored
      .slice(index + 1)
      .some(
        (other) =>
          Math.abs(one.x - other.x) < nodeSize.width + 16 && Math.abs(one.y - other.y) < nodeSize.height + 16,
      ),
  );
  const placed = isCovered ? arranged(all, links) : stored;
  return new Map(placed.map(({ id, x, y }) => [id, { x, y }]));
}

function arranged(
  all: readonly (readonly [string, JsonObject])[],
  links: readonly { source: string; target: string }[],
): { id: string; x: number; y: number }[] {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 48, ranksep: 80 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [id] of all) graph.setNode(id, { ...nodeSize });
  for (const { source, target } of links) graph.setEdge(source, target);
  dagre.layout(graph);
  return all.map(([id]) => {
    const { x = 0, y = 0 } = graph.node(id);
    return { id, x: x - nodeSize.width / 2, y: y - nodeSize.height / 2 };
  });
}
