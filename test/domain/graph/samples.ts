import type { Definition, JsonObject } from '../../../src/domain/graph/definition.ts';

/** Small graphs for tests of the graph's rules. */
export interface NodeSample {
  id?: string;
  type?: unknown;
  data?: JsonObject;
}

export function node(
  type: string,
  { id = type, data = {}, ...rest }: NodeSample & JsonObject = {},
): JsonObject {
  const prompt = ['startCall', 'agentNode', 'endCall', 'globalNode'].includes(type)
    ? { prompt: 'Speak.' }
    : {};
  return { id, type, position: { x: 0, y: 0 }, data: { name: id, ...prompt, ...data }, ...rest };
}

export function edge(source: string, target: string, data: JsonObject = {}): JsonObject {
  return {
    id: `${source}-${target}`,
    source,
    target,
    data: { label: `to ${target}`, condition: 'always', ...data },
  };
}

/** A valid graph with start, agent and end node. */
export function complete(extraNodes: JsonObject[] = [], extraEdges: JsonObject[] = []): Definition {
  return {
    nodes: [node('startCall'), node('agentNode'), node('endCall'), ...extraNodes],
    edges: [edge('startCall', 'agentNode'), edge('agentNode', 'endCall'), ...extraEdges],
    viewport: { x: 0, y: 0, zoom: 1 },
  };
}

/** The valid graph with other data in one node. */
export function withData(id: string, data: JsonObject): Definition {
  const { nodes, edges } = {
    nodes: [node('startCall'), node('agentNode'), node('endCall')],
    edges: complete()['edges'],
  };
  return { nodes: nodes.map((each) => (each['id'] === id ? { ...each, data } : each)), edges };
}
