/** Where a picture of a graph draws its nodes and edges. */

export interface PictureNode {
  id: string;
  x: number;
  y: number;
  label?: string;
  kind?: 'start' | 'end' | 'other';
}

export interface PictureEdge {
  id: string;
  source: string;
  target: string;
}

export interface PlacedNode extends Required<PictureNode> {
  isVisited: boolean;
}

export interface PlacedEdge {
  id: string;
  /** Of an SVG path. */
  line: string;
  isTaken: boolean;
}

export interface Picture {
  width: number;
  height: number;
  nodeWidth: number;
  nodeHeight: number;
  nodes: PlacedNode[];
  edges: PlacedEdge[];
}

export const nodeSize = { width: 180, height: 44 };
const gap = { x: 56, y: 40 };
const margin = { x: 28, y: 12 };

/**
 * Places nodes as the editor does. `path` are the ids of the visited nodes in the order of entry. Nodes that
 * lie upon each other are placed anew in rows, by their distance from the first.
 */
export function layoutPicture(
  given: readonly PictureNode[],
  edges: readonly PictureEdge[],
  path: readonly string[] = [],
): Picture {
  const visited = new Set(path);
  const taken = new Set(path.slice(1).map((target, index) => `${path[index]}\n${target}`));
  const placed = haveOverlap(given) ? inRows(given, edges) : spread(given);
  const left = Math.min(...placed.map(({ x }) => x), Infinity);
  const top = Math.min(...placed.map(({ y }) => y), Infinity);
  const nodes = placed.map((node) => ({
    id: node.id,
    x: node.x - left + margin.x,
    y: node.y - top + margin.y,
    label: node.label ?? '',
    kind: node.kind ?? ('other' as const),
    isVisited: visited.has(node.id),
  }));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return {
    width: Math.max(0, ...nodes.map(({ x }) => x)) + nodeSize.width + margin.x,
    height: Math.max(0, ...nodes.map(({ y }) => y)) + nodeSize.height + margin.y,
    nodeWidth: nodeSize.width,
    nodeHeight: nodeSize.height,
    nodes,
    edges: edges.flatMap(({ id, source, target }) => {
      const [from, to] = [byId.get(source), byId.get(target)];
      if (from === undefined || to === undefined) return [];
      return [{ id, line: lineOf(from, to), isTaken: taken.has(`${source}\n${target}`) }];
    }),
  };
}

const haveOverlap = (nodes: readonly PictureNode[]): boolean =>
  nodes.some((one, index) =>
    nodes.slice(index + 1).some(({ x, y }) => Math.abs(one.x - x) < 20 && Math.abs(one.y - y) < 20),
  );

/** Nodes of an editor are larger than those of a picture: their distances shrink, their order stays. */
function spread(nodes: readonly PictureNode[]): PictureNode[] {
  const columns = ranks(
    nodes.map(({ x }) => x),
    nodeSize.width / 2,
  );
  const rows = ranks(
    nodes.map(({ y }) => y),
    nodeSize.height / 2,
  );
  return nodes.map((node) => ({
    ...node,
    x: (columns.get(node.x) ?? 0) * (nodeSize.width + gap.x),
    y: (rows.get(node.y) ?? 0) * (nodeSize.height + gap.y),
  }));
}

/** The place of each value in their order; values that are near share one. */
function ranks(values: readonly number[], near: number): Map<number, number> {
  const found = new Map<number, number>();
  let rank = -1;
  let begin = -Infinity;
  for (const value of [...new Set(values)].toSorted((left, right) => left - right)) {
    if (value - begin > near) {
      rank += 1;
      begin = value;
    }
    found.set(value, rank);
  }
  return found;
}

function inRows(nodes: readonly PictureNode[], edges: readonly PictureEdge[]): PictureNode[] {
  const [first] = [...nodes].toSorted(
    (one, other) => Number(other.kind === 'start') - Number(one.kind === 'start'),
  );
  const level = new Map<string, number>(first === undefined ? [] : [[first.id, 0]]);
  const queue = first === undefined ? [] : [first.id];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    for (const { source, target } of edges) {
      if (source !== id || level.has(target)) continue;
      level.set(target, (level.get(id) ?? 0) + 1);
      queue.push(target);
    }
  }
  const used = new Map<number, number>();
  return nodes.map((node) => {
    const row = level.get(node.id) ?? 0;
    const column = used.get(row) ?? 0;
    used.set(row, column + 1);
    return { ...node, x: column * (nodeSize.width + gap.x), y: row * (nodeSize.height + gap.y) };
  });
}

type Point = Pick<PictureNode, 'x' | 'y'>;

/** Down from node to node; beside them when the way leads back, stays in the row, or passes over a node. */
function lineOf(from: Point, to: Point): string {
  const [x1, x2] = [from.x + nodeSize.width / 2, to.x + nodeSize.width / 2];
  if (to.x === from.x && Math.abs(to.y - from.y) > nodeSize.height + gap.y) {
    const [y1, y2] = [from.y + nodeSize.height / 2, to.y + nodeSize.height / 2];
    return `M${from.x} ${y1} C${from.x - margin.x} ${y1} ${to.x - margin.x} ${y2} ${to.x} ${y2}`;
  }
  if (to.y > from.y) {
    const [y1, y2] = [from.y + nodeSize.height, to.y];
    const bend = Math.min(gap.y, (y2 - y1) / 2);
    return `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
  }
  const [y1, y2] = [from.y + nodeSize.height / 2, to.y + nodeSize.height / 2];
  const isRight = to.x > from.x;
  const [side1, side2] = isRight
    ? [from.x + nodeSize.width, to.x]
    : [from.x, to.x < from.x ? to.x + nodeSize.width : to.x];
  const away = gap.x / 2;
  return `M${side1} ${y1} C${side1 + (isRight ? away : -away)} ${y1} ${side2 + (isRight || to.x === from.x ? -away : away)} ${y2} ${side2} ${y2}`;
}
