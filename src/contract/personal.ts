import { z } from 'zod';
import type { Scope } from './data/scopes.ts';

/** The scope without which a caller gets masked answers. */
export const personalScope: Scope = 'people:read';

/** Stands for a text, number or truth value that the caller may not see. It has no digit. */
export const maskText = '•••';

/** How a personal field looks to a caller without the scope. */
const maskings = ['masked', 'empty', 'without_numbers'] as const;
const mark = 'x-without-people-read';

/** A phone number in a text: seven digits or more, which are not part of an id, a date or a decimal. */
const numberInText = /(?<![\w.:-])[+(]?\d(?:[ ().-]{0,2}\d){6,}(?![\w:-])/g;

/**
 * Marks a field of answers whose texts, numbers and truth values are masked for a caller without the scope
 * `people:read`. The names of values stay, without phone numbers.
 */
export const masked = <Schema extends z.ZodType>(schema: Schema): Schema => schema.meta({ [mark]: 'masked' });

/**
 * Marks a field of answers that is null for a caller without the scope `people:read` if it may be, else an
 * empty text, list or object.
 */
export const emptied = <Schema extends z.ZodType>(schema: Schema): Schema => schema.meta({ [mark]: 'empty' });

/**
 * Marks a free-form field of answers, such as a graph with its prompts, in whose texts and names phone numbers
 * are masked for a caller without the scope `people:read`.
 */
export const withoutNumbers = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.meta({ [mark]: 'without_numbers' });

/** The answer for a caller without the scope `people:read`. */
export function maskedAnswer(schema: z.ZodType, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const how = markOf(schema);
  switch (how) {
    case 'masked':
      return maskedLeaves(value);
    case 'without_numbers':
      return eachLeaf(value, textWithoutNumbers);
    case 'empty':
      return emptyOf(schema, value);
    case undefined:
      return maskedParts(schema, value);
  }
}

function maskedParts(schema: z.ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return maskedAnswer(inner(schema), value);
  if (schema instanceof z.ZodArray) return maskedItems(schema, value);
  if (schema instanceof z.ZodObject) return maskedFields(schema, value);
  if (schema instanceof z.ZodRecord) return eachField(value, () => schema.valueType);
  if (schema instanceof z.ZodUnion) return maskedOption(schema, value);
  return value;
}

/** `instanceof` has lost the type of the schema within. */
const known = (schema: unknown): z.ZodType => {
  if (schema instanceof z.ZodType) return schema;
  throw new TypeError('Part of an answer schema is not a zod schema');
};
const inner = (schema: z.ZodNullable | z.ZodOptional): z.ZodType => known(schema.unwrap());

const markOf = (schema: z.ZodType) => maskings.find((each) => each === schema.meta()?.[mark]);

const maskedItems = (schema: z.ZodArray, value: unknown): unknown =>
  Array.isArray(value) ? value.map((item: unknown) => maskedAnswer(known(schema.element), item)) : value;

const maskedFields = (schema: z.ZodObject, value: unknown): unknown =>
  eachField(value, (name) => schema.shape[name]);

/** Masks the fields of an object that have a schema, and leaves the others. */
function eachField(value: unknown, schemaOf: (name: string) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => {
      const schema = schemaOf(name);
      return [name, schema === undefined ? field : maskedAnswer(known(schema), field)];
    }),
  );
}

function maskedOption(schema: z.ZodUnion, value: unknown): unknown {
  const option = schema.options.map(known).find((each) => each.safeParse(value).success);
  return option === undefined ? value : maskedAnswer(option, value);
}

/** The same names with every text, number and truth value masked. */
export const maskedLeaves = (value: unknown): unknown => eachLeaf(value, () => maskText);

const textWithoutNumbers = (leaf: unknown): unknown =>
  typeof leaf === 'string' ? leaf.replaceAll(numberInText, maskText) : leaf;

function eachLeaf(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => eachLeaf(item, change));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, field]: [string, unknown]) => [
        // A column is named by a cell of the header line, which may be a number in a file without one.
        name.replaceAll(numberInText, maskText),
        eachLeaf(field, change),
      ]),
    );
  return value === null || value === undefined ? value : change(value);
}

function emptyOf(schema: z.ZodType, value: unknown): unknown {
  if (schema.safeParse(null).success) return null;
  if (Array.isArray(value)) return [];
  return typeof value === 'object' ? {} : '';
}
