import {
  type Definition,
  edgesOf,
  isObject,
  type JsonObject,
  nodesOf,
  own,
  ownObject,
  ownText,
} from './definition.ts';
import { edgeFault, graphFault, nodeFault } from './describe.ts';
import type { GraphFault } from './faults.ts';
import { fieldFaults, type Fields } from './fields.ts';
import { edgeFields, isNodeKind, kindSpec } from './node-kinds.ts';

/** Faults of single nodes: outer keys, kind, data fields, prompt, repeated id (contract 2.1, 2.3, 2.5). */
export function nodeShapeFaults(definition: Definition): GraphFault[] {
  const ids = new Set<string>();
  return [
    ...elementFaults(definition, 'nodes'),
    ...nodesOf(definition).flatMap((node) => [
      ...outerFaults(node, ids),
      ...dataFaults(node),
      ...promptFaults(node),
    ]),
  ];
}

/**
 * Faults of single edges: id, existing source and target, data fields (contract 2.1, 2.4, 2.5). Several edges
 * may share one id.
 */
export function edgeShapeFaults(definition: Definition): GraphFault[] {
  const ids = new Set(nodesOf(definition).map((node) => ownText(node, 'id')));
  return [
    ...elementFaults(definition, 'edges'),
    ...edgesOf(definition).flatMap((edge) => [
      ...edgeIdFaults(edge),
      ...endFaults(edge, ids),
      ...edgeDataFaults(edge),
    ]),
  ];
}

/** Elements that are not objects; the API refuses them earlier (contract 1.2). */
function elementFaults(definition: Definition, key: 'nodes' | 'edges'): GraphFault[] {
  const list = own(definition, key);
  return Array.isArray(list) && !list.every(isObject)
    ? [graphFault(key, `Every element of ${key} must be an object`)]
    : [];
}

const position: Fields = { x: { type: 'number', required: true }, y: { type: 'number', required: true } };

function outerFaults(node: JsonObject, ids: Set<string>): GraphFault[] {
  const missing = ['type', 'position', 'data'].filter((key) => !Object.hasOwn(node, key));
  const faults = missing.map((key) => nodeFault(node, key, `${key} is missing`));
  const [kind, place, data] = [own(node, 'type'), own(node, 'position'), own(node, 'data')];
  if (kind !== undefined && !isNodeKind(kind)) faults.push(nodeFault(node, 'type', 'unknown type of node'));
  if (place !== undefined) faults.push(...positionFaults(node, place));
  if (data !== undefined && !isObject(data)) faults.push(nodeFault(node, 'data', 'data must be an object'));
  return [...idFaults(node, ids), ...faults];
}

/** Deliveries store the id of their node, which must fit an index. */
const maxIdCharacters = 255;

function idFaults(node: JsonObject, ids: Set<string>): GraphFault[] {
  const id = ownText(node, 'id');
  if (id === undefined) return [nodeFault(node, 'id', 'the id is missing')];
  if (Array.from(id).length > maxIdCharacters || !id.isWellFormed())
    return [nodeFault(node, 'id', `the id must be Unicode text of at most ${maxIdCharacters} characters`)];
  if (ids.has(id)) return [nodeFault(node, 'id', `another node also has the id ${id}`)];
  ids.add(id);
  return [];
}

function positionFaults(node: JsonObject, place: unknown): GraphFault[] {
  if (!isObject(place)) return [nodeFault(node, 'position', 'position must be an object')];
  return fieldFaults(place, position).map(({ path, message }) =>
    nodeFault(node, `position.${path}`, message),
  );
}

function dataFaults(node: JsonObject): GraphFault[] {
  const [kind, data] = [own(node, 'type'), own(node, 'data')];
  if (!isNodeKind(kind) || !isObject(data)) return [];
  return fieldFaults(data, kindSpec(kind).fields).map(({ path, message }) => nodeFault(node, path, message));
}

function promptFaults(node: JsonObject): GraphFault[] {
  const [kind, data] = [own(node, 'type'), own(node, 'data')];
  if (!isNodeKind(kind) || !isObject(data) || !Object.hasOwn(kindSpec(kind).fields, 'prompt')) return [];
  const prompt = own(data, 'prompt') ?? '';
  return typeof prompt === 'string' && prompt.trim() === ''
    ? [nodeFault(node, null, 'a prompt is required')]
    : [];
}

function edgeIdFaults(edge: JsonObject): GraphFault[] {
  return (ownText(edge, 'id') ?? '') === ''
    ? [edgeFault({ ...edge, id: null }, 'id', 'the id is missing')]
    : [];
}

function endFaults(edge: JsonObject, ids: ReadonlySet<string | undefined>): GraphFault[] {
  return ['source', 'target'].flatMap((key) => {
    const id = ownText(edge, key);
    return id !== undefined && ids.has(id)
      ? []
      : [edgeFault(edge, key, id === undefined ? `${key} is missing` : `${key} is not a node of the graph`)];
  });
}

function edgeDataFaults(edge: JsonObject): GraphFault[] {
  if (!isObject(own(edge, 'data')))
    return [
      edgeFault(edge, 'data', Object.hasOwn(edge, 'data') ? 'data must be an object' : 'data is missing'),
    ];
  return fieldFaults(ownObject(edge, 'data'), edgeFields).map(({ path, message }) =>
    edgeFault(edge, `data.${path}`, message),
  );
}
