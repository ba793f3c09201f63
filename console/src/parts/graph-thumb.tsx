import type { WorkflowOverview } from '../../../src/contract/agent-overviews.ts';

type Outline = WorkflowOverview['outline'];

const width = 84;
const height = 44;
const box = { width: 13, height: 5 };
const margin = 4;

/** A small picture of a graph; its name stands beside it. */
export function GraphThumb({ outline: { nodes, edges } }: { outline: Outline }) {
  const xs = nodes.map(({ x }) => x);
  const ys = nodes.map(({ y }) => y);
  const fit = (value: number, all: number[], room: number, maxStep: number) => {
    const [low, high] = [Math.min(...all), Math.max(...all)];
    if (high === low) return room / 2;
    const used = Math.min(room, ((new Set(all).size - 1) * maxStep * 3) / 2);
    return (room - used) / 2 + ((value - low) / (high - low)) * used;
  };
  const places = new Map(
    nodes.map(({ id, x, y }) => [
      id,
      {
        x: margin + box.width / 2 + fit(x, xs, width - box.width - 2 * margin, 16),
        y: margin + box.height / 2 + fit(y, ys, height - box.height - 2 * margin, 10),
      },
    ]),
  );
  return (
    <svg className="thumb" viewBox={`0 0 ${width} ${height}`} aria-hidden>
      {edges.map(([source = '', target = ''], index) => {
        const [from, to] = [places.get(source), places.get(target)];
        if (from === undefined || to === undefined) return null;
        const middle = (from.y + to.y) / 2;
        return <path key={index} d={`M${from.x} ${from.y}V${middle}H${to.x}V${to.y}`} />;
      })}
      {nodes.map(({ id, type }, index) => {
        const place = places.get(id);
        if (place === undefined) return null;
        return (
          <rect
            key={index}
            className={type === 'startCall' ? 'st' : type === 'endCall' ? 'en' : undefined}
            x={place.x - box.width / 2}
            y={place.y - box.height / 2}
            width={box.width}
            height={box.height}
            rx={1.5}
          />
        );
      })}
    </svg>
  );
}
