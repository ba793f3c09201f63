import { isObject, type JsonObject, own } from '../graph/definition.ts';
import { readNumber } from '../graph/fields.ts';
import type { ExtractionVariable, VariableType } from './variables.ts';

/** A value read out of a conversation; null = not determined. */
export type ExtractedValue = string | number | boolean | null;

/** Values by variable name; the keys are the customer's, `__proto__` included, always own. */
export type ExtractedValues = Record<string, ExtractedValue>;

/**
 * Reads a model's answer (contract 8.3): code fences and text around the object are tolerated, requested keys only, each
 * brought to its type or null. Null when no JSON object is in it: then nothing is stored.
 */
export function readExtraction(answer: string, variables: readonly ExtractionVariable[]): ExtractedValues | null {
  const object = findObject(answer);
  if (object === null) return null;
  return Object.fromEntries(variables.map(({ name, type }) => [name, coerce(own(object, name), type)]));
}

/** A value in the variable's type, null when it is not one. */
export function coerce(value: unknown, type: VariableType): ExtractedValue {
  return coercions[type](value);
}

const coercions = {
  string: (value) => {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
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

/** A few places where models put the object; each is tried once, so that the work stays linear. */
function findObject(answer: string): JsonObject | null {
  const fenced = /```[a-z]*\s/i.exec(answer);
  const inFence = fenced === null ? '' : (answer.slice(fenced.index + fenced[0].length).split('```', 1)[0] ?? '');
  const candidates = [answer, inFence, firstObject(answer), answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)];
  for (const candidate of candidates) {
    const value = parse(candidate.trim());
    if (isObject(value)) return value;
  }
  return null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Models say all kinds of things; what is no JSON is no answer.
  }
}

/** From the first brace to the one that closes it, text in quotes skipped. */
function firstObject(text: string): string {
  const start = text.indexOf('{');
  if (start < 0) return '';
  let [depth, quoted] = [0, false];
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (quoted && character === '\\') index += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === '{') depth += 1;
    else if (!quoted && character === '}') depth -= 1;
    if (depth === 0) return text.slice(start, index + 1);
  }
  return '';
}
