import type { Draft } from '../../../graph/draft.ts';

/** What a draft does, without where its nodes lie. */
export const behaviorOf = ({ nodes, edges, settings, values }: Draft) => ({
  nodes: nodes.map(({ id, type, data }) => ({ id, type, data })),
  edges: edges.map(({ source, target, data }) => ({ source, target, data })),
  settings,
  values,
});
