import { isObject, type JsonObject, own, ownText } from '../../../../src/domain/graph/definition.ts';

/** An agent from a file, or why the file is not one. */
export type Imported =
  | { kind: 'agent'; name: string; definition: Graph; settings: JsonObject; testValues: JsonObject }
  | { kind: 'fault'; code: 'empty' | 'json' | 'object' | 'nodes' | 'edges' | 'element'; detail: string };

export interface Graph extends JsonObject {
  nodes: JsonObject[];
  edges: JsonObject[];
}

const wrappers = ['workflow_definition', 'workflow_json', 'template_json'] as const;
const nameKeys = ['name', 'workflow_name', 'template_name'] as const;

/** Reads what the API returns for an agent, a version or a template, Dograh's exports, or a bare graph. */
export function readImport(text: string): Imported {
  const fault = (code: (Imported & { kind: 'fault' })['code'], detail = ''): Imported => ({
    kind: 'fault',
    code,
    detail,
  });
  if (text.trim() === '') return fault('empty');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return fault('json', error instanceof Error ? error.message : '');
  }
  if (!isObject(parsed)) return fault('object');
  const outer = parsed;
  const definition = [outer, ...wrappers.map((key) => own(outer, key))].find(
    (each): each is JsonObject => isObject(each) && Array.isArray(own(each, 'nodes')),
  );
  if (definition === undefined) return fault('nodes');
  const nodes = own(definition, 'nodes') as unknown[];
  const edges = own(definition, 'edges') ?? [];
  if (!Array.isArray(edges)) return fault('edges');
  for (const [list, name] of [
    [nodes, 'nodes'],
    [edges, 'edges'],
  ] as const) {
    const wrong = list.findIndex((each) => !isObject(each));
    if (wrong >= 0) return fault('element', `${name}[${wrong}]`);
  }
  const objectAt = (key: string): JsonObject => {
    const value = definition === outer ? undefined : own(outer, key);
    return isObject(value) ? value : {};
  };
  return {
    kind: 'agent',
    name: nameKeys.map((key) => ownText(outer, key)).find((each) => each !== undefined) ?? '',
    definition: { ...definition, nodes: nodes.filter(isObject), edges: edges.filter(isObject) },
    settings: objectAt('workflow_configurations'),
    testValues: objectAt('template_context_variables'),
  };
}

/** The faults that the service finds in a graph, each after the name of the thing it is about. */
export function graphFaults(detail: unknown, definition: Graph): string[] {
  if (!isObject(detail)) return [];
  const faults = own(detail, 'errors');
  if (!Array.isArray(faults)) return [];
  return faults.filter(isObject).map((fault) => {
    const id = ownText(fault, 'id');
    const element = [...definition.nodes, ...definition.edges].find((each) => ownText(each, 'id') === id);
    const data = element === undefined ? undefined : own(element, 'data');
    const name = isObject(data) ? (ownText(data, 'name') ?? ownText(data, 'label')) : undefined;
    const place = [name ?? id, ownText(fault, 'field')].filter(Boolean).join(', ');
    return [place, ownText(fault, 'message')].filter(Boolean).join(': ');
  });
}
