import { isObject, own, ownObject, ownText, type JsonObject } from '../graph/definition.ts';
import { toolParameters } from './offer.ts';

/** The arguments of a tool call that may be used, and the names of those that the tool does not declare. */
export type ReadArguments =
  | { kind: 'read'; values: Record<string, unknown>; ignored: string[] }
  | { kind: 'invalid'; error: string };

/**
 * Reads the model's arguments by the schema that the model was shown (contract 15.1). Undeclared ones are
 * left out, at the top and as `__proto__` at any depth. An argument of another type than declared makes them
 * invalid; null means not given.
 */
export function readArguments(definition: JsonObject, given: JsonObject): ReadArguments {
  const properties = Object.entries(ownObject(toolParameters(definition) ?? {}, 'properties'));
  const faults: string[] = [];
  const values: [string, unknown][] = [];
  for (const [name, schema] of properties) {
    const value = own(given, name) ?? null;
    const type = isObject(schema) ? (ownText(schema, 'type') ?? 'string') : 'string';
    if (value === null) continue;
    if (isOfType(value, type)) values.push([name, withoutProto(value)]);
    else faults.push(`the argument ${name} must be ${words[type] ?? type}`);
  }
  if (faults.length > 0) return { kind: 'invalid', error: faults.join('; ') };
  const declared = new Set(properties.map(([name]) => name));
  // guarantee: only-declared-arguments-are-sent
  return {
    kind: 'read',
    values: Object.fromEntries(values),
    ignored: Object.keys(given).filter((name) => !declared.has(name)),
  };
}

const words: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function isOfType(value: unknown, type: string): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  // JSON can write a number that is too large to be one.
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

/** A copy without keys that would change the prototype of an object at the endpoint. */
function withoutProto(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProto);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== '__proto__')
      .map(([key, each]) => [key, withoutProto(each)]),
  );
}
