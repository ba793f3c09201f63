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
import { edgeFault, graphFault, nodeFault, said } from './describe.ts';
import type { CodedFault } from './faults.ts';
import { fieldFaults, type Fields } from './fields.ts';
import { edgeFields, isNodeKind, kindSpec } from './node-kinds.ts';

/** Faults of single nodes: outer keys, kind, data fields, prompt, repeated id (contract 2.1, 2.3, 2.5). */
export function nodeShapeFaults(definition: Definition): CodedFault[] {
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
export function edgeShapeFaults(definition: Definition): CodedFault[] {
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
function elementFaults(definition: Definition, key: 'nodes' | 'edges'): CodedFault[] {
  const list = own(definition, key);
  return Array.isArray(list) && !list.every(isObject)
    ? [graphFault('element_not_object', key, said(`Every element of ${key} must be an object`, { key }))]
    : [];
}

const position: Fields = { x: { type: 'number', required: true }, y: { type: 'number', required: true } };

function outerFaults(node: JsonObject, ids: Set<string>): CodedFault[] {
  const missing = ['type', 'position', 'data'].filter((key) => !Object.hasOwn(node, key));
  const faults: CodedFault[] = missing.map((key) =>
    nodeFault('key_missing', node, key, said(`${key} is missing`, { key, is: 'missing' })),
  );
  const [kind, place, data] = [own(node, 'type'), own(node, 'position'), own(node, 'data')];
  if (kind !== undefined && !isNodeKind(kind))
    faults.push(nodeFault('type_unknown', node, 'type', 'unknown type of node'));
  if (place !== undefined) faults.push(...positionFaults(node, place));
  if (data !== undefined && !isObject(data))
    faults.push(
      nodeFault('value_wrong', node, 'data', said('data must be an object', { field: 'data', is: 'object' })),
    );
  return [...idFaults(node, ids), ...faults];
}

/** Deliveries store the id of their node, which must fit an index. */
const maxIdCharacters = 255;

function idFaults(node: JsonObject, ids: Set<string>): CodedFault[] {
  const id = ownText(node, 'id');
  if (id === undefined)
    return [nodeFault('id_wrong', node, 'id', said('the id is missing', { is: 'missing' }))];
  if (Array.from(id).length > maxIdCharacters || !id.isWellFormed())
    return [
      nodeFault(
        'id_wrong',
        node,
        'id',
        said(`the id must be Unicode text of at most ${maxIdCharacters} characters`, {
          is: 'long',
          max: maxIdCharacters,
        }),
      ),
    ];
  if (ids.has(id))
    return [nodeFault('id_repeated', node, 'id', said(`another node also has the id ${id}`, { id }))];
  ids.add(id);
  return [];
}

function positionFaults(node: JsonObject, place: unknown): CodedFault[] {
  if (!isObject(place))
    return [
      nodeFault(
        'value_wrong',
        node,
        'position',
        said('position must be an object', {
          field: 'position',
          is: 'object',
        }),
      ),
    ];
  return fieldFaults(place, position).map(({ path, message, values }) =>
    nodeFault('value_wrong', node, `position.${path}`, said(message, { field: path, ...values })),
  );
}

function dataFaults(node: JsonObject): CodedFault[] {
  const [kind, data] = [own(node, 'type'), own(node, 'data')];
  if (!isNodeKind(kind) || !isObject(data)) return [];
  return fieldFaults(data, kindSpec(kind).fields).map(({ path, message, values }) =>
    nodeFault('value_wrong', node, path, said(message, { field: path, ...values })),
  );
}

function promptFaults(node: JsonObject): CodedFault[] {
  const [kind, data] = [own(node, 'type'), own(node, 'data')];
  if (!isNodeKind(kind) || !isObject(data) || !Object.hasOwn(kindSpec(kind).fields, 'prompt')) return [];
  const prompt = own(data, 'prompt') ?? '';
  return typeof prompt === 'string' && prompt.trim() === ''
    ? [nodeFault('prompt_missing', node, null, 'a prompt is required')]
    : [];
}

function edgeIdFaults(edge: JsonObject): CodedFault[] {
  return (ownText(edge, 'id') ?? '') === ''
    ? [edgeFault('id_wrong', { ...edge, id: null }, 'id', said('the id is missing', { is: 'missing' }))]
    : [];
}

function endFaults(edge: JsonObject, ids: ReadonlySet<string | undefined>): CodedFault[] {
  return ['source', 'target'].flatMap((key) => {
    const id = ownText(edge, key);
    return id !== undefined && ids.has(id)
      ? []
      : [
          edgeFault(
            'end_unknown',
            edge,
            key,
            said(id === undefined ? `${key} is missing` : `${key} is not a node of the graph`, {
              key,
              is: id === undefined ? 'missing' : 'unknown',
            }),
          ),
        ];
  });
}

function edgeDataFaults(edge: JsonObject): CodedFault[] {
  if (!isObject(own(edge, 'data')))
    return [
      edgeFault(
        'key_missing',
        edge,
        'data',
        said(Object.hasOwn(edge, 'data') ? 'data must be an object' : 'data is missing', {
          key: 'data',
          is: Object.hasOwn(edge, 'data') ? 'wrong' : 'missing',
        }),
      ),
    ];
  return fieldFaults(ownObject(edge, 'data'), edgeFields).map(({ path, message, values }) =>
    edgeFault('value_wrong', edge, `data.${path}`, said(message, { field: path, ...values })),
  );
}
