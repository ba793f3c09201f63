import type { Point } from './draft.ts';

export interface Rect extends Point {
  width: number;
  height: number;
}

/** A transition as it is drawn: straight pieces between points, and its label in the middle of one. */
export interface Drawn {
  points: readonly Point[];
  label: Point;
}

interface End {
  id: string;
  source: string;
  target: string;
}

type Side = 'top' | 'bottom' | 'left' | 'right';
interface Plan extends End {
  from: Side;
  to: Side;
  /** Where a path along a side of other nodes runs. */
  lane: number | null;
}

const laneGap = 36;
const portGap = 40;
const turnRoom = 16;

const bottom = (rect: Rect): number => rect.y + rect.height;
const right = (rect: Rect): number => rect.x + rect.width;
const middle = (rect: Rect): Point => ({ x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 });

/**
 * Draws transitions: the flow runs from top to bottom, exits turn to the side, short cuts and ways back run
 * beside the nodes that they pass.
 */
export function drawEdges(rects: ReadonlyMap<string, Rect>, edges: readonly End[]): Map<string, Drawn> {
  const lanes = new Map<string, number>();
  const plans = edges.flatMap((edge) => plan(edge, rects, lanes) ?? []);
  const ports = spread(plans, rects);
  const labels: Point[] = [];
  return new Map(
    plans.flatMap((each): [string, Drawn][] => {
      const [from, to] = [ports.get(`${each.id} from`), ports.get(`${each.id} to`)];
      if (from === undefined || to === undefined) return [];
      const points = join(from, to, each);
      const places = labelPlaces(points);
      const label =
        places.find((place) => labels.every((other) => !overlap(place, other))) ?? places[0] ?? from;
      labels.push(label);
      return [[each.id, { points, label }]];
    }),
  );
}

/** Room for a label with the first words of its condition. */
const labelSize = { width: 168, height: 40 };
const overlap = (a: Point, b: Point): boolean =>
  Math.abs(a.x - b.x) < labelSize.width && Math.abs(a.y - b.y) < labelSize.height;

function plan(edge: End, rects: ReadonlyMap<string, Rect>, lanes: Map<string, number>): Plan | null {
  const [s, t] = [rects.get(edge.source), rects.get(edge.target)];
  if (s === undefined || t === undefined) return null;
  const [from, to] = [middle(s), middle(t)];
  // Enough for a piece that leaves sideways and turns up or down into the other node.
  const isBelow = t.y >= from.y + turnRoom;
  const isAbove = bottom(t) <= from.y - turnRoom;
  const dx = to.x - from.x;
  const isInColumn = Math.abs(dx) < (s.width + t.width) / 4;
  const along = (side: 'left' | 'right'): Plan => ({
    ...edge,
    from: side,
    to: side,
    lane: freeLane(side, edge, rects, lanes),
  });
  if (t.y >= bottom(s) && isInColumn)
    return isFree({ x: from.x, from: bottom(s), to: t.y }, edge, rects)
      ? { ...edge, from: 'bottom', to: 'top', lane: null }
      : along('left');
  if (!isBelow && !isAbove && dx !== 0) {
    const gap = dx > 0 ? t.x - right(s) : s.x - right(t);
    if (gap > 0)
      return { ...edge, from: dx > 0 ? 'right' : 'left', to: dx > 0 ? 'left' : 'right', lane: null };
  }
  if (isInColumn || (!isBelow && !isAbove)) return along('right');
  if (isBelow) {
    const passes = isFree({ x: to.x, from: from.y, to: t.y }, edge, rects);
    const clears = dx > 0 ? to.x > right(s) : to.x < s.x;
    if (!clears) return { ...edge, from: 'bottom', to: 'top', lane: null };
    if (passes && dx > 0) return { ...edge, from: 'right', to: 'top', lane: null };
    // Back into the main flow: down, then sideways.
    if (to.y >= bottom(s) + turnRoom && isFree({ x: from.x, from: bottom(s), to: to.y }, edge, rects))
      return { ...edge, from: 'bottom', to: dx > 0 ? 'left' : 'right', lane: null };
    return passes ? { ...edge, from: 'left', to: 'top', lane: null } : along(dx > 0 ? 'right' : 'left');
  }
  return isFree({ x: to.x, from: bottom(t), to: from.y }, edge, rects)
    ? { ...edge, from: dx > 0 ? 'right' : 'left', to: 'bottom', lane: null }
    : along(dx > 0 ? 'right' : 'left');
}

/** No other node stands on a vertical piece. */
function isFree(
  { x, from, to }: { x: number; from: number; to: number },
  { source, target }: End,
  rects: ReadonlyMap<string, Rect>,
): boolean {
  return [...rects].every(
    ([id, rect]) =>
      id === source ||
      id === target ||
      x < rect.x - 4 ||
      x > right(rect) + 4 ||
      bottom(rect) <= Math.min(from, to) ||
      rect.y >= Math.max(from, to),
  );
}

/** A vertical line beside all nodes between both ends, apart from the lines that are there. */
function freeLane(
  side: 'left' | 'right',
  { source, target }: End,
  rects: ReadonlyMap<string, Rect>,
  lanes: Map<string, number>,
): number {
  const [s, t] = [rects.get(source), rects.get(target)];
  if (s === undefined || t === undefined) return 0;
  const [top, end] = [Math.min(s.y, t.y), Math.max(bottom(s), bottom(t))];
  const [west, east] = [Math.min(s.x, t.x), Math.max(right(s), right(t))];
  const passed = [...rects.values()].filter(
    (rect) => bottom(rect) > top && rect.y < end && right(rect) > west && rect.x < east,
  );
  const edge =
    side === 'left' ? Math.min(...passed.map(({ x }) => x)) : Math.max(...passed.map((rect) => right(rect)));
  const key = `${side} ${Math.round(edge)}`;
  const count = (lanes.get(key) ?? 0) + 1;
  lanes.set(key, count);
  return side === 'left' ? edge - laneGap * (count + 0.5) : edge + laneGap * (count + 0.5);
}

/** Gives each end a place of its own on the side of its node, ordered so that lines do not cross there. */
function spread(plans: readonly Plan[], rects: ReadonlyMap<string, Rect>): Map<string, Point> {
  interface Port {
    key: string;
    other: Rect;
    lane: number | null;
  }
  const sides = new Map<string, { rect: Rect; side: Side; ports: Port[] }>();
  const put = (node: string, side: Side, port: Port) => {
    const rect = rects.get(node);
    if (rect === undefined) return;
    const place = sides.get(`${node} ${side}`) ?? { rect, side, ports: [] };
    place.ports.push(port);
    sides.set(`${node} ${side}`, place);
  };
  for (const { id, source, target, from, to, lane } of plans) {
    const [s, t] = [rects.get(source), rects.get(target)];
    if (s === undefined || t === undefined) continue;
    put(source, from, { key: `${id} from`, other: t, lane });
    put(target, to, { key: `${id} to`, other: s, lane });
  }
  const points = new Map<string, Point>();
  for (const { rect, side, ports } of sides.values()) {
    const isFlat = side === 'top' || side === 'bottom';
    const length = isFlat ? rect.width : rect.height;
    const gap = Math.min(portGap, (length - 16) / ports.length);
    const at = ({ other }: Port) => (isFlat ? middle(other).x : middle(other).y);
    ports
      .toSorted((a, b) => at(a) - at(b))
      .forEach(({ key }, index) => {
        const offset = (index - (ports.length - 1) / 2) * gap;
        const center = middle(rect);
        points.set(
          key,
          isFlat
            ? { x: center.x + offset, y: side === 'top' ? rect.y : bottom(rect) }
            : { x: side === 'left' ? rect.x : right(rect), y: center.y + offset },
        );
      });
  }
  return points;
}

function join(from: Point, to: Point, { from: out, to: into, lane }: Plan): Point[] {
  if (lane !== null) return [from, { x: lane, y: from.y }, { x: lane, y: to.y }, to];
  const isOutFlat = out === 'left' || out === 'right';
  const isIntoFlat = into === 'left' || into === 'right';
  if (isOutFlat !== isIntoFlat)
    return isOutFlat ? [from, { x: to.x, y: from.y }, to] : [from, { x: from.x, y: to.y }, to];
  if (isOutFlat) {
    if (Math.abs(from.y - to.y) < 1) return [from, to];
    const x = (from.x + to.x) / 2;
    return [from, { x, y: from.y }, { x, y: to.y }, to];
  }
  if (Math.abs(from.x - to.x) < 1) return [from, to];
  const y = (from.y + to.y) / 2;
  return [from, { x: from.x, y }, { x: to.x, y }, to];
}

/** Where the label may stand: on the longest straight piece first, in its middle first. */
function labelPlaces(points: readonly Point[]): Point[] {
  const pieces = points.slice(1).flatMap((end, index) => {
    const start = points[index];
    return start === undefined ? [] : [{ start, end, length: distance(start, end) }];
  });
  const longest = Math.max(...pieces.map(({ length }) => length));
  return pieces
    .filter(({ length }) => length >= longest / 3)
    .toSorted((a, b) => b.length - a.length)
    .flatMap(({ start, end }) =>
      [0.5, 0.35, 0.65, 0.2, 0.8].map((share) => ({
        x: start.x + (end.x - start.x) * share,
        y: start.y + (end.y - start.y) * share,
      })),
    );
}

/** The path of an SVG through the points, with round corners. */
export function pathOf(points: readonly Point[], radius = 12): string {
  const [first, ...others] = points;
  if (first === undefined) return '';
  let path = `M${first.x} ${first.y}`;
  others.forEach((point, index) => {
    const [before, after] = [index === 0 ? first : others[index - 1], others[index + 1]];
    if (before === undefined || after === undefined) {
      path += `L${point.x} ${point.y}`;
      return;
    }
    const r = Math.min(radius, distance(before, point) / 2, distance(point, after) / 2);
    const start = towards(point, before, r);
    const end = towards(point, after, r);
    path += `L${start.x} ${start.y}Q${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  return path;
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
function towards(from: Point, to: Point, by: number): Point {
  const length = distance(from, to);
  if (length === 0) return from;
  return { x: from.x + ((to.x - from.x) * by) / length, y: from.y + ((to.y - from.y) * by) / length };
}
