import { type Definition, isObject, type JsonObject, mapEdges, mapNodes, own } from './definition.ts';
import type { Fields } from './fields.ts';
import { readBoolean } from './fields.ts';
import { edgeFields, isNodeKind, kindSpec } from './node-kinds.ts';

/**
 * The definition as it is stored (contract 2.6), on create and on update: it keeps only the keys that a
 * node's or edge's kind defines in `data`, and everything outside `data` as sent. Nothing is added, except
 * that the old `pre_call_fetch_enabled: true` becomes the mode `always` if there is no mode. Data of unknown
 * kinds, and `data` that is not an object, stay unchanged. It is idempotent.
 */
export function cleanDefinition(definition: Definition): Definition {
  return mapEdges(mapNodes(definition, cleanNode), (edge) => cleanData(edge, edgeFields));
}

function cleanNode(node: JsonObject): JsonObject {
  const kind = own(node, 'type');
  if (!isNodeKind(kind)) return node;
  return cleanData(kind === 'startCall' ? withFetchMode(node) : node, kindSpec(kind).fields);
}

function cleanData(item: JsonObject, fields: Fields): JsonObject {
  const data = own(item, 'data');
  return isObject(data) ? { ...item, data: keepDefined(data, fields) } : item;
}

/** Keeps only declared keys, also inside lists of records. */
function keepDefined(data: JsonObject, fields: Fields): JsonObject {
  const kept = Object.entries(data).filter(
    ([key]) => Object.hasOwn(fields, key) && fields[key]?.retired !== true,
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, keepItems(value, fields[key]?.item)]));
}

function keepItems(value: unknown, item: Fields | undefined): unknown {
  if (item === undefined || !Array.isArray(value)) return value;
  return value.map((each: unknown) => (isObject(each) ? keepDefined(each, item) : each));
}

function withFetchMode(node: JsonObject): JsonObject {
  const data = own(node, 'data');
  if (!isObject(data) || readBoolean(own(data, 'pre_call_fetch_enabled')) !== true) return node;
  return (own(data, 'pre_call_fetch_mode') ?? null) === null
    ? { ...node, data: { ...data, pre_call_fetch_mode: 'always' } }
    : node;
}
