import { z } from 'zod';
import { lax, read, refuse, type Reading, type Refusal } from './fault.ts';

export interface TextRules {
  /** Minimum number of code points. */
  min?: number;
  /** Maximum number of code points. */
  max?: number;
  /** Sent as is in `ctx.pattern`. Matched with the flag `u`. */
  pattern?: string;
  /** Whether to trim white space before all other rules. Faults then have the trimmed text. */
  trim?: boolean;
}

const outerWhiteSpace = /^\p{White_Space}+|\p{White_Space}+$/gu;

const loneSurrogate = /\p{Surrogate}/u;

/** Trims Unicode white space (not U+FEFF, unlike `String.trim`). */
export const trimmed = (text: string): string => text.replaceAll(outerWhiteSpace, '');

/** Whether a value is a string that UTF-8 cannot represent. Such strings are always refused. */
export const hasLoneSurrogate = (value: unknown): value is string =>
  typeof value === 'string' && loneSurrogate.test(value);

export const notUnicode = (input: string): Refusal =>
  refuse(
    'string_unicode',
    'Input should be a valid string, unable to parse raw data as a unicode string',
    input,
  );

const characters = (count: number) => `${count} character${count === 1 ? '' : 's'}`;

function readText(value: unknown, rules: TextRules & { expression?: RegExp }): Reading<string> {
  if (typeof value !== 'string') return refuse('string_type', 'Input should be a valid string', value);
  const text = rules.trim === true ? trimmed(value) : value;
  if (hasLoneSurrogate(text)) return notUnicode(text);
  const length = rules.min === undefined && rules.max === undefined ? 0 : Array.from(text).length;
  if (rules.min !== undefined && length < rules.min)
    return refuse('string_too_short', `String should have at least ${characters(rules.min)}`, text, {
      min_length: rules.min,
    });
  if (rules.max !== undefined && length > rules.max)
    return refuse('string_too_long', `String should have at most ${characters(rules.max)}`, text, {
      max_length: rules.max,
    });
  if (rules.expression?.test(text) === false)
    return refuse('string_pattern_mismatch', `String should match pattern '${rules.pattern}'`, text, {
      pattern: rules.pattern,
    });
  return read(text);
}

/** A string. Numbers are not converted (contract 0.4). Lengths count code points. */
export function text(rules: TextRules = {}) {
  const expression = rules.pattern === undefined ? undefined : new RegExp(rules.pattern, 'u');
  const shown = z.string().meta({
    ...(rules.min === undefined ? {} : { minLength: rules.min }),
    ...(rules.max === undefined ? {} : { maxLength: rules.max }),
    ...(rules.pattern === undefined ? {} : { pattern: rules.pattern }),
  });
  return lax(
    (value) => readText(value, { ...rules, ...(expression === undefined ? {} : { expression }) }),
    shown,
  );
}

/** Lists alternatives as `'a', 'b' or 'c'`. */
export function alternatives(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  const last = quoted.at(-1) ?? '';
  return quoted.length < 2 ? last : `${quoted.slice(0, -1).join(', ')} or ${last}`;
}

function closedSet<const Values extends readonly [string, ...string[]]>(
  type: 'literal_error' | 'enum',
  values: Values,
) {
  const expected = alternatives(values);
  const isMember = (value: unknown): value is Values[number] => values.some((each) => each === value);
  return lax((value): Reading<Values[number]> => {
    if (hasLoneSurrogate(value)) return notUnicode(value);
    return isMember(value) ? read(value) : refuse(type, `Input should be ${expected}`, value, { expected });
  }, z.enum(values));
}

/** One of a closed set of strings. Any other value is a `literal_error`. */
export const literal = <const Values extends readonly [string, ...string[]]>(...values: Values) =>
  closedSet('literal_error', values);

/** Like `literal`, with faults of type `enum` (contract 0.4: `credential_type`). */
export const enumeration = <const Values extends readonly [string, ...string[]]>(...values: Values) =>
  closedSet('enum', values);
