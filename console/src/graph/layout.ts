import { graphlib, layout } from '@dagrejs/dagre';
import { type Draft, nodeSize, type Point } from './draft.ts';
import { gridStep } from './edit.ts';

/** Places for the nodes of the conversation: from top to bottom, exits to the sides. */
export function tidy({ nodes, edges }: Draft, ids: readonly string[]): Map<string, Point> {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 80, ranksep: 60, edgesep: 40 });
  graph.setDefaultEdgeLabel(() => ({}));
  const shown = new Set(ids);
  for (const { id } of nodes) if (shown.has(id)) graph.setNode(id, { ...nodeSize });
  for (const { id, source, target } of edges)
    if (shown.has(source) && shown.has(target) && source !== target)
      graph.setEdge(source, target, { weight: 1 }, id);
  layout(graph);
  return new Map(
    ids.flatMap((id): [string, Point][] => {
      const place = graph.node(id) as { x: number; y: number } | undefined;
      if (place === undefined) return [];
      const snap = (value: number) => Math.round(value / gridStep) * gridStep;
      return [[id, { x: snap(place.x - nodeSize.width / 2), y: snap(place.y - nodeSize.height / 2) }]];
    }),
  );
}
