import * as fc from 'fast-check';
import { anyJson, nearObject, nearValue, orElse, type JsonText } from './json-texts.ts';

/** The part of JSON Schema that the description uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
}

export interface Surroundings {
  resolve: (ref: string) => Schema;
  /** Meaningful values by the name of their field: ids of existing objects, graphs. */
  known: (name: string) => readonly unknown[];
}

/** Bodies that match the schema, or almost: any place may hold something else. `name` is the field's own. */
export function nearSchema(schema: Schema, around: Surroundings, name = ''): fc.Arbitrary<JsonText> {
  const known = around.known(name);
  const fitting = orElse(fittingText(schema, around));
  return known.length === 0 ? fitting : fc.oneof(fitting, fc.constantFrom(...known).chain(nearValue));
}

function fittingText(schema: Schema, around: Surroundings): fc.Arbitrary<JsonText> {
  if (schema.$ref !== undefined) return fittingText(around.resolve(schema.$ref), around);
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return fc.oneof(...options.map((each) => fittingText(each, around)));
  if (schema.const !== undefined) return fc.constant(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum.map((each) => JSON.stringify(each)));
  const types = [schema.type ?? []].flat();
  return types.length === 0 ? anyJson : fc.oneof(...types.map((type) => textOfType(type, schema, around)));
}

function textOfType(type: string, schema: Schema, around: Surroundings): fc.Arbitrary<JsonText> {
  switch (type) {
    case 'null':
      return fc.constant('null');
    case 'boolean':
      return fc.constantFrom('true', 'false');
    case 'integer':
      return fc.integer(integerBounds(schema)).map(String);
    case 'number':
      return fc
        .double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1000, noNaN: true })
        .map((each) => JSON.stringify(each));
    case 'string':
      return fittingString(schema).map((each) => JSON.stringify(each));
    case 'array':
      return fc
        .array(nearSchema(schema.items ?? {}, around), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.min(schema.maxItems ?? 3, 3),
        })
        .map((items) => `[${items.join(',')}]`);
    case 'object':
      return nearObject(
        Object.entries(schema.properties ?? {}).map(([name, each]) => [name, nearSchema(each, around, name)]),
        (name) => schema.required?.includes(name) === true,
      );
    default:
      throw new TypeError(`the description has a type that this does not know: ${type}`);
  }
}

function integerBounds({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: Schema): {
  min: number;
  max: number;
} {
  const min = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
  return { min, max: maximum ?? (exclusiveMaximum === undefined ? Math.max(min, 20) : exclusiveMaximum - 1) };
}

/** A string that matches. */
export function fittingString({
  pattern,
  format,
  minLength = 0,
  maxLength = 40,
}: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'));
  if (format === 'email') return fc.nat().map((each) => `person-${each}@example.com`);
  const lengths = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) };
  return fc.oneof(fc.string(lengths), fc.string({ unit: 'grapheme', ...lengths }));
}
