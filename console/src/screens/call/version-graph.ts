import type { PictureEdge, PictureNode } from '../../parts/graph-layout.ts';
import type { Transition } from './script.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
const within = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** What the page of a call needs of the version that spoke. */
export interface VersionGraph {
  /** Nodes of the conversation; side nodes such as webhooks are left out. */
  nodes: PictureNode[];
  edges: (PictureEdge & Transition)[];
  /** By the name of a value, the nodes that extract it, with its type. */
  asked: ReadonlyMap<string, { type: string; nodes: string[] }>;
  /** The name of every node by its id, side nodes included. */
  names: ReadonlyMap<string, string>;
}

const kinds: Record<string, PictureNode['kind']> = { startCall: 'start', agentNode: 'other', endCall: 'end' };

/** Whether the version has a QA node that is switched on. */
export function judgesCalls(definition: unknown): boolean {
  return objects(within(definition, 'nodes')).some(
    (node) => node['type'] === 'qa' && within(node['data'], 'qa_enabled') !== false,
  );
}

/** Reads a definition (contract 2.1). */
export function readGraph(definition: unknown): VersionGraph {
  const all = objects(within(definition, 'nodes')).map((node) => ({
    id: text(node['id']),
    kind: kinds[text(node['type'])],
    label: text(within(node['data'], 'name')) || text(node['id']),
    x: number(within(node['position'], 'x')),
    y: number(within(node['position'], 'y')),
    extracts:
      within(node['data'], 'extraction_enabled') === false
        ? []
        : objects(within(node['data'], 'extraction_variables')),
  }));
  const asked = new Map<string, { type: string; nodes: string[] }>();
  for (const { label, extracts } of all)
    for (const variable of extracts) {
      const name = text(variable['name']);
      const known = asked.get(name) ?? { type: text(variable['type']) || 'string', nodes: [] };
      asked.set(name, { ...known, nodes: [...known.nodes, label] });
    }
  const nodes = all.flatMap(({ id, kind, label, x, y }) =>
    kind === undefined ? [] : [{ id, kind, label, x, y }],
  );
  const ids = new Set(nodes.map(({ id }) => id));
  return {
    nodes,
    edges: objects(within(definition, 'edges'))
      .map((edge) => ({
        id: text(edge['id']),
        source: text(edge['source']),
        target: text(edge['target']),
        label: text(within(edge['data'], 'label')),
      }))
      .filter(({ source, target }) => ids.has(source) && ids.has(target)),
    asked,
    names: new Map(all.map(({ id, label }) => [id, label])),
  };
}
