import { z } from 'zod';
import { lax, raiseAsGiven, read, refuse, settle, type Reading, type Refusal } from './fault.ts';

/** A JSON object with the customer's own content. */
export type JsonObject = Record<string, unknown>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readObject(value: unknown): Reading<JsonObject> {
  return isJsonObject(value) ? read(value) : refuse('dict_type', 'Input should be a valid dictionary', value);
}

/** A free-form object, kept as sent: with its key order, `__proto__` keys and lone surrogates. */
export const freeForm = () =>
  lax(readObject, z.custom<JsonObject>().meta({ type: 'object', additionalProperties: true }));

/** An object with any keys whose values share one schema. */
export function dictionary<Value extends z.ZodType>(value: Value) {
  return z.preprocess((given, ctx) => settle(ctx, readObject(given)), z.record(z.string(), value));
}

export interface ListRules {
  min?: number;
  max?: number;
}

const items = (count: number) => `${count} item${count === 1 ? '' : 's'}`;

function lengthFault(kind: 'too_long' | 'too_short', list: readonly unknown[], limit: number): Refusal {
  const [bound, key] = kind === 'too_long' ? ['at most', 'max_length'] : ['at least', 'min_length'];
  return refuse(
    kind,
    `List should have ${bound} ${items(limit)} after validation, not ${list.length}`,
    list,
    {
      field_type: 'List',
      [key]: limit,
      actual_length: list.length,
    },
  );
}

/**
 * An array. A list that is too long gets one fault. A list that is too short gets its fault only if all items
 * are valid.
 */
export function list<Item extends z.ZodType>(item: Item, rules: ListRules = {}) {
  const { min, max } = rules;
  const shown = z
    .array(item)
    .meta({
      ...(min === undefined ? {} : { minItems: min }),
      ...(max === undefined ? {} : { maxItems: max }),
    })
    .superRefine((value, ctx) => {
      if (min === undefined || value.length >= min) return;
      raiseAsGiven(ctx, lengthFault('too_short', value, min).fault);
    });
  return z.preprocess((value, ctx) => settle(ctx, readList(value, max)), shown);
}

function readList(value: unknown, max: number | undefined): Reading<unknown[]> {
  if (!Array.isArray(value)) return refuse('list_type', 'Input should be a valid list', value);
  return max !== undefined && value.length > max ? lengthFault('too_long', value, max) : read(value);
}

/** The name that replaces an own `__proto__` key inside zod, which would drop it. */
const hiddenProto = '\u0000__proto__';

function hideProto(object: JsonObject): JsonObject {
  if (!Object.hasOwn(object, '__proto__')) return object;
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key === '__proto__' ? hiddenProto : key, value]),
  );
}

/** Restores the name of the hidden key in the new object that zod made. */
function showProto<T extends object>(fresh: T): T {
  const hidden = Object.getOwnPropertyDescriptor(fresh, hiddenProto);
  if (hidden === undefined) return fresh;
  Reflect.deleteProperty(fresh, hiddenProto);
  return Object.defineProperty(fresh, '__proto__', hidden);
}

/** A key of a record as it was sent. */
export const shownKey = (key: string): string => (key === hiddenProto ? '__proto__' : key);

function readFields(value: unknown, otherwise: 'model_attributes_type' | 'dict_type'): Reading<JsonObject> {
  if (isJsonObject(value)) return read(hideProto(value));
  if (otherwise === 'dict_type') return refuse('dict_type', 'Input should be a valid dictionary', value);
  return refuse(
    'model_attributes_type',
    'Input should be a valid dictionary or object to extract fields from',
    value,
  );
}

/** A typed object. Unknown keys are ignored. Faults come in declaration order. */
export function record<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(
    (value, ctx) => settle(ctx, readFields(value, 'model_attributes_type')),
    z.object(shape),
  );
}

/** A typed object that refuses unknown keys. Their faults follow those of its fields. */
export function exactRecord<Shape extends z.ZodRawShape>(shape: Shape) {
  // guarantee: unknown-rule-name-refused
  return z.preprocess(
    (value, ctx) => settle(ctx, readFields(value, 'model_attributes_type')),
    z.strictObject(shape),
  );
}

/**
 * A typed object that keeps unknown keys as sent, including `__proto__`. `otherwise` is the fault of a value
 * that is not an object.
 */
export function openRecord<Shape extends z.ZodRawShape>(
  shape: Shape,
  { otherwise = 'model_attributes_type' }: { otherwise?: 'model_attributes_type' | 'dict_type' } = {},
) {
  return z.preprocess(
    (value, ctx) => settle(ctx, readFields(value, otherwise)),
    z.looseObject(shape).transform(showProto),
  );
}
