import { z } from 'zod';
import { lax, read, refuse, type Reading } from './fault.ts';
import { hasLoneSurrogate, notUnicode, trimmed } from './text.ts';

/** Limits of a number. `gt` and `lt` are exclusive, `ge` and `le` inclusive. */
export interface NumberRules {
  gt?: number;
  ge?: number;
  lt?: number;
  le?: number;
}

const bounds = {
  le: {
    type: 'less_than_equal',
    words: 'less than or equal to',
    holds: (value: number, limit: number) => value <= limit,
  },
  lt: { type: 'less_than', words: 'less than', holds: (value: number, limit: number) => value < limit },
  ge: {
    type: 'greater_than_equal',
    words: 'greater than or equal to',
    holds: (value: number, limit: number) => value >= limit,
  },
  gt: { type: 'greater_than', words: 'greater than', holds: (value: number, limit: number) => value > limit },
} satisfies Record<keyof NumberRules, unknown>;

function bounded(value: number, input: unknown, rules: NumberRules): Reading<number> {
  for (const key of ['le', 'lt', 'ge', 'gt'] as const) {
    const limit = rules[key];
    const { type, words, holds } = bounds[key];
    if (limit !== undefined && !holds(value, limit))
      return refuse(type, `Input should be ${words} ${limit}`, input, { [key]: limit });
  }
  return read(value);
}

const shownBounds = ({ gt, ge, lt, le }: NumberRules) => ({
  ...(gt === undefined ? {} : { exclusiveMinimum: gt }),
  ...(ge === undefined ? {} : { minimum: ge }),
  ...(lt === undefined ? {} : { exclusiveMaximum: lt }),
  ...(le === undefined ? {} : { maximum: le }),
});

const integerText = /^[+-]?\d+(?:_\d+)*(?:\.0+)?$/;
const numberText = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** Misplaced underscores. Single underscores are allowed inside a text that has no outer white space. */
const badGroups = /^_|_$|__/;
const isNumberText = (text: string, given: string) =>
  !badGroups.test(text) &&
  (text === given || !text.includes('_')) &&
  numberText.test(text.replaceAll('_', ''));
const notFinite = /^[+-]?(?:inf|infinity|nan)$/i;
const withoutGroups = (text: string) => Number(text.replaceAll('_', ''));
/** Maximum length of a text that is read as an integer. */
const maxDigits = 4300;
/** Limits a value to the range of doubles, which exceeds every limit and every id. */
const clamped = (value: number) => Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
const finiteNumber = (input: unknown) => refuse('finite_number', 'Input should be a finite number', input);

function readInteger(value: unknown): Reading<number> {
  if (typeof value === 'boolean') return read(value ? 1 : 0);
  if (typeof value === 'string') {
    const text = trimmed(value);
    if (text.length > maxDigits)
      return refuse(
        'int_parsing_size',
        'Unable to parse input string as an integer, exceeded maximum size',
        value,
      );
    if (integerText.test(text)) return read(clamped(withoutGroups(text)));
    return refuse(
      'int_parsing',
      'Input should be a valid integer, unable to parse string as an integer',
      value,
    );
  }
  if (typeof value !== 'number') return refuse('int_type', 'Input should be a valid integer', value);
  if (!Number.isInteger(value))
    return refuse(
      'int_from_float',
      'Input should be a valid integer, got a number with a fractional part',
      value,
    );
  return read(value);
}

function readNumber(value: unknown): Reading<number> {
  if (typeof value === 'boolean') return read(value ? 1 : 0);
  if (typeof value === 'string') {
    const text = trimmed(value);
    if (notFinite.test(text)) return finiteNumber(value);
    if (!isNumberText(text, value))
      return refuse(
        'float_parsing',
        'Input should be a valid number, unable to parse string as a number',
        value,
      );
    const parsed = withoutGroups(text);
    return Number.isFinite(parsed) ? read(parsed) : finiteNumber(value);
  }
  if (typeof value !== 'number') return refuse('float_type', 'Input should be a valid number', value);
  return read(value);
}

/** Refuses a string with a lone surrogate before it is parsed. */
const asText = (value: unknown, reader: (value: unknown) => Reading<number>) =>
  hasLoneSurrogate(value) ? notUnicode(value) : reader(value);

const within = (reading: Reading<number>, input: unknown, rules: NumberRules) =>
  reading.ok ? bounded(reading.value, input, rules) : reading;

/** An integer: accepts `600`, `"600"`, `" 12 "`, `10.0`, `"10.0"` and `true` (contract 0.4). */
export function integer(rules: NumberRules = {}) {
  return lax(
    (value) => within(asText(value, readInteger), value, rules),
    z.number().meta({ type: 'integer', ...shownBounds(rules) }),
  );
}

/** A finite number: accepts `3`, `"3.5"` and `true` (contract 0.4). */
export function number(rules: NumberRules = {}) {
  return lax((value) => within(asText(value, readNumber), value, rules), z.number().meta(shownBounds(rules)));
}

const words = new Map<string, boolean>([
  ...['1', 'true', 't', 'yes', 'y', 'on'].map((word) => [word, true] as const),
  ...['0', 'false', 'f', 'no', 'n', 'off'].map((word) => [word, false] as const),
]);

/** Whether a value is an integer of 64 bits. Larger ones get another fault when read as a boolean. */
const isSmallInteger = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 63;

function readBoolean(value: unknown): Reading<boolean> {
  if (typeof value === 'boolean') return read(value);
  if (hasLoneSurrogate(value)) return notUnicode(value);
  const known = typeof value === 'string' ? words.get(value.toLowerCase()) : undefined;
  if (known !== undefined) return read(known);
  if (value === 0 || value === 1) return read(value === 1);
  if (typeof value === 'string' || isSmallInteger(value))
    return refuse('bool_parsing', 'Input should be a valid boolean, unable to interpret input', value);
  return refuse('bool_type', 'Input should be a valid boolean', value);
}

/**
 * A boolean: also accepts `1`, `1.0`, `"yes"`, `"on"`, `"t"` and their opposites, in any case (contract 0.4).
 */
export const boolean = () => lax(readBoolean, z.boolean());
