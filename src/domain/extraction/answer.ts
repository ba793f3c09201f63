import { own } from '../graph/definition.ts';
import { readNumber } from '../graph/fields.ts';
import { findJsonObject } from '../models/json-answer.ts';
import type { ExtractionVariable, VariableType } from '../graph/extraction-variables.ts';

/** A value extracted from a conversation; null = not determined. */
export type ExtractedValue = string | number | boolean | null;

/** Values by variable name. Keys are the customer's, may be `__proto__`, and are always own keys. */
export type ExtractedValues = Record<string, ExtractedValue>;

/**
 * Reads a model's answer (contract 8.3). It tolerates code fences and text around the object, reads requested
 * keys only, and converts each value to its type or null. Null when there is no JSON object: then nothing is
 * stored.
 */
export function readExtraction(
  answer: string,
  variables: readonly ExtractionVariable[],
): ExtractedValues | null {
  const object = findJsonObject(answer);
  if (object === null) return null;
  return Object.fromEntries(variables.map(({ name, type }) => [name, coerce(own(object, name), type)]));
}

/** Converts a value to the variable's type; null when it cannot be converted. */
export function coerce(value: unknown, type: VariableType): ExtractedValue {
  return coercions[type](value);
}

const coercions = {
  string: (value) => {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    // guarantee: unextracted-value-is-null
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  },
  number: (value) => readNumber(value) ?? null,
  boolean: (value) => {
    if (typeof value === 'boolean') return value;
    const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
    if (word === 'true' || word === 'yes') return true;
    return word === 'false' || word === 'no' ? false : null;
  },
} satisfies Record<VariableType, (value: unknown) => ExtractedValue>;
