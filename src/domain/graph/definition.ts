/**
 * A definition as customers store it (contract 2.1): any JSON object. Its content is not trusted: drafts may
 * be incomplete, and keys may be `__proto__` or `constructor`. All code reads it through the functions of
 * this file.
 */
export type JsonObject = Readonly<Record<string, unknown>>;
export type Definition = JsonObject;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of an own key; inherited keys do not count. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The value of an own key when it is a string. */
export function ownText(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === 'string' ? value : undefined;
}

/** The value of an own key when it is an object, else an empty one. */
export function ownObject(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  return isObject(value) ? value : {};
}

/** The value of an own key when it is an array, else an empty one. */
export function ownList(object: JsonObject, key: string): readonly unknown[] {
  const value = own(object, key);
  return Array.isArray(value) ? value : [];
}

/** The definition's nodes in graph order. */
export function nodesOf(definition: Definition): readonly JsonObject[] {
  return ownList(definition, 'nodes').filter(isObject);
}

/** The definition's edges in graph order. */
export function edgesOf(definition: Definition): readonly JsonObject[] {
  return ownList(definition, 'edges').filter(isObject);
}

/** The definition with each node passed through `change`; everything else stays unchanged. */
export function mapNodes(definition: Definition, change: (node: JsonObject) => JsonObject): Definition {
  return mapList(definition, 'nodes', change);
}

/** The definition with each edge passed through `change`. */
export function mapEdges(definition: Definition, change: (edge: JsonObject) => JsonObject): Definition {
  return mapList(definition, 'edges', change);
}

function mapList(
  definition: Definition,
  key: 'nodes' | 'edges',
  change: (item: JsonObject) => JsonObject,
): Definition {
  const list = own(definition, key);
  if (!Array.isArray(list)) return definition;
  return { ...definition, [key]: list.map((item: unknown) => (isObject(item) ? change(item) : item)) };
}
