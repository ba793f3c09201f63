import dagre from '@dagrejs/dagre';
import {
  edgesOf,
  type JsonObject,
  nodesOf,
  own,
  ownObject,
  ownText,
} from '../../../../src/domain/graph/definition.ts';
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
/** Lanes past cards, and their labels, stand at the left. */
const margin = { x: 72, y: 40 };
const loop = 44;

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
  const nodes = all.map(([id, node]): PictureNode => {
    const data = ownObject(node, 'data');
    return {
      id,
      name: nameOf(node, id),
      type: ownText(node, 'type') ?? '',
      text: ownText(data, 'greeting') ?? ownText(data, 'prompt') ?? '',
      mark: marks.get(`node ${id}`) ?? 'same',
      ...(places.get(id) ?? { x: 0, y: 0 }),
    };
  });
  const right = Math.max(0, ...nodes.map(({ x }) => x)) + nodeSize.width;
  let loops = 0;
  let skips = 0;
  const edges = links.map(({ id, source, target, label }): PictureEdge => {
    const [from, to] = [places.get(source) ?? { x: 0, y: 0 }, places.get(target) ?? { x: 0, y: 0 }];
    const siblings = links.filter((each) => each.source === source);
    const shift = (siblings.findIndex((each) => each.id === id) - (siblings.length - 1) / 2) * 24;
    const mark = marks.get(`edge ${id}`) ?? 'same';
    const begin = { x: from.x + nodeSize.width / 2 + shift, y: from.y + nodeSize.height };
    const end = { x: to.x + nodeSize.width / 2 + shift / 4, y: to.y - 6 };
    if (end.y > begin.y) {
      const isPast = nodes.some(
        ({ id: each, x, y }) =>
          each !== source &&
          each !== target &&
          y > from.y &&
          y < to.y &&
          x < Math.max(begin.x, end.x) &&
          x + nodeSize.width > Math.min(begin.x, end.x),
      );
      // Past a card that lies between, not behind it.
      if (isPast) {
        const lane = Math.min(from.x, to.x) - 28 * ++skips;
        const [one, other] = [from.y + nodeSize.height / 2, to.y + nodeSize.height / 2];
        const path = `M${from.x} ${one}H${lane}V${other}H${to.x - 6}`;
        return { id, label, mark, path, x: lane, y: (one + other) / 2 };
      }
      const bend = Math.max(24, (end.y - begin.y) / 2);
      const path = `M${begin.x} ${begin.y}C${begin.x} ${begin.y + bend} ${end.x} ${end.y - bend} ${end.x} ${end.y}`;
      return { id, label, mark, path, x: (begin.x + end.x) / 2, y: (begin.y + end.y) / 2 };
    }
    // A way back runs along the side.
    const side = right + loop * ++loops;
    const [one, other] = [from.y + nodeSize.height / 2, to.y + nodeSize.height / 2 + 8];
    const path = `M${from.x + nodeSize.width} ${one}H${side}V${other}H${to.x + nodeSize.width + 6}`;
    return { id, label, mark, path, x: side, y: (one + other) / 2 };
  });
  return {
    nodes,
    edges,
    width: right + loop * loops + (loops > 0 ? 80 : 0) + margin.y,
    height: Math.max(0, ...nodes.map(({ y }) => y)) + nodeSize.height + margin.y,
  };
}

/** The stored places, unless they are missing or cards would cover each other. */
function placesOf(
  all: readonly (readonly [string, JsonObject])[],
  links: readonly { source: string; target: string }[],
): Map<string, { x: number; y: number }> {
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
  const [left, top] = [Math.min(...placed.map(({ x }) => x)), Math.min(...placed.map(({ y }) => y))];
  return new Map(placed.map(({ id, x, y }) => [id, { x: x - left + margin.x, y: y - top + margin.y + 24 }]));
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
