import { useId, useMemo } from 'react';
import { cx } from './cx.ts';
import { layoutPicture, type PictureEdge, type PictureNode } from './graph-layout.ts';

/**
 * A picture of an agent's graph: a thumbnail without `isLabelled`, else with the names of its nodes. Nodes of
 * `path` and the transitions between them stand out.
 */
export function GraphPicture({
  label,
  nodes,
  edges,
  path = [],
  isLabelled = false,
  activeId,
  className,
}: {
  /** Read out in place of the picture. */
  label: string;
  nodes: readonly PictureNode[];
  edges: readonly PictureEdge[];
  /** Ids of the visited nodes in the order of entry. */
  path?: readonly string[];
  isLabelled?: boolean;
  /** The node that is spoken in now. */
  activeId?: string | undefined;
  className?: string;
}) {
  const picture = useMemo(() => layoutPicture(nodes, edges, path), [nodes, edges, path]);
  const arrow = useId();
  const { width, height, nodeWidth, nodeHeight } = picture;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      className={cx('graph-picture', isLabelled && 'is-labelled', className)}
      {...(isLabelled ? { width, height } : {})}
    >
      <defs>
        {['plain', 'taken'].map((kind) => (
          <marker
            key={kind}
            id={`${arrow}${kind}`}
            className={`arrow ${kind}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            markerUnits="userSpaceOnUse"
            orient="auto-start-reverse"
          >
            <path d="M0 0 8 4 0 8z" />
          </marker>
        ))}
      </defs>
      {picture.edges
        .toSorted((one, other) => Number(one.isTaken) - Number(other.isTaken))
        .map(({ id, line, isTaken }) => (
          <path
            key={id}
            d={line}
            className={cx('edge', isTaken && 'is-taken')}
            {...(isLabelled ? { markerEnd: `url(#${arrow}${isTaken ? 'taken' : 'plain'})` } : {})}
          />
        ))}
      {picture.nodes.map(({ id, x, y, label: name, kind, isVisited }) => (
        <g
          key={id}
          className={cx('node', `is-${kind}`, isVisited && 'is-visited', id === activeId && 'is-active')}
        >
          <rect x={x} y={y} width={nodeWidth} height={nodeHeight} rx={8} />
          {isLabelled && (
            <foreignObject x={x} y={y} width={nodeWidth} height={nodeHeight}>
              <div className="name">
                {isVisited && <b>{path.indexOf(id) + 1}</b>}
                <span>{name}</span>
              </div>
            </foreignObject>
          )}
        </g>
      ))}
    </svg>
  );
}
