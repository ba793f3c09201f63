/**
 * Parses JSON with the errors that published clients know (contract 0.2, 0.4): a fault has the text of
 * Python's parser and an offset in code points. Two further faults are numbers that no double can represent
 * (NaN, Infinity, 1e400), and nesting deeper than `maxLevels`. All keys, including `__proto__`, are plain own
 * keys. The last of equal keys wins.
 */

/** Maximum nesting of a body. */
export const maxLevels = 500;

export type ParsedJson =
  | { kind: 'value'; value: unknown }
  /** `offset` counts code points. */
  | { kind: 'fault'; error: string; offset: number }
  /** Well formed, but nested deeper than `maxLevels`. */
  | { kind: 'too_deep' };

export function parseJson(text: string): ParsedJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return findFault(text);
  }
  const verdict = inspect(value, 0);
  if (verdict === 'fine') return { kind: 'value', value };
  return verdict === 'too_deep' ? { kind: 'too_deep' } : findFault(text);
}

function inspect(value: unknown, level: number): 'fine' | 'too_deep' | 'not_finite' {
  if (typeof value === 'number') return Number.isFinite(value) ? 'fine' : 'not_finite';
  if (typeof value !== 'object' || value === null) return 'fine';
  // guarantee: deeply-nested-body-refused
  if (level >= maxLevels) return 'too_deep';
  for (const each of Array.isArray(value) ? value : Object.values(value)) {
    const verdict = inspect(each, level + 1);
    if (verdict !== 'fine') return verdict;
  }
  return 'fine';
}

class Fault extends Error {
  readonly offset: number;

  constructor(error: string, offset: number) {
    super(error);
    this.offset = offset;
  }
}

class TooDeep extends Error {}

/** Finds the fault of a text that JSON.parse or `inspect` refused. */
function findFault(text: string): ParsedJson {
  try {
    const end = skipSpace(text, scanValue(text, skipSpace(text, 0), 0));
    if (end < text.length) throw new Fault('Extra data', end);
  } catch (error) {
    if (error instanceof TooDeep) return { kind: 'too_deep' };
    if (error instanceof Fault)
      return { kind: 'fault', error: error.message, offset: Array.from(text.slice(0, error.offset)).length };
    throw error;
  }
  throw new TypeError('no fault found in a text that JSON.parse refused');
}

const space = /[ \t\n\r]*/y;
const numberToken = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;

/** Returns the end of the match of `pattern` at `at`, or `at` if there is none. */
function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

const skipSpace = (text: string, at: number): number => matchEnd(space, text, at);

/** Each scanner takes the offset of the first character and returns the offset after the last. */
function scanValue(text: string, at: number, level: number): number {
  if (level > maxLevels) throw new TooDeep();
  if (text[at] === '"') return scanString(text, at);
  if (text[at] === '{') return scanObject(text, at, level);
  if (text[at] === '[') return scanArray(text, at, level);
  const word = ['null', 'true', 'false'].find((each) => text.startsWith(each, at));
  if (word !== undefined) return at + word.length;
  const end = matchEnd(numberToken, text, at);
  if (end === at || !Number.isFinite(Number(text.slice(at, end)))) throw new Fault('Expecting value', at);
  return end;
}

function scanObject(text: string, start: number, level: number): number {
  let at = skipSpace(text, start + 1);
  if (text[at] === '}') return at + 1;
  for (;;) {
    if (text[at] !== '"') throw new Fault('Expecting property name enclosed in double quotes', at);
    at = skipSpace(text, scanString(text, at));
    if (text[at] !== ':') throw new Fault("Expecting ':' delimiter", at);
    at = skipSpace(text, scanValue(text, skipSpace(text, at + 1), level + 1));
    if (text[at] === '}') return at + 1;
    if (text[at] !== ',') throw new Fault("Expecting ',' delimiter", at);
    at = skipSpace(text, at + 1);
  }
}

function scanArray(text: string, start: number, level: number): number {
  let at = skipSpace(text, start + 1);
  if (text[at] === ']') return at + 1;
  for (;;) {
    at = skipSpace(text, scanValue(text, at, level + 1));
    if (text[at] === ']') return at + 1;
    if (text[at] !== ',') throw new Fault("Expecting ',' delimiter", at);
    at = skipSpace(text, at + 1);
  }
}

const plainCharacters = /(?:(?!\p{Cc})[^"\\]|[\u007f-\u009f])*/uy;
const hexQuad = /[0-9a-fA-F]{4}/y;

function scanString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    at = matchEnd(plainCharacters, text, at);
    if (at >= text.length) throw new Fault('Unterminated string starting at', start);
    if (text[at] === '"') return at + 1;
    if (text[at] !== '\\') throw new Fault('Invalid control character at', at);
    at = scanEscape(text, at, start);
  }
}

function scanEscape(text: string, at: number, start: number): number {
  const letter = text[at + 1];
  if (letter === undefined) throw new Fault('Unterminated string starting at', start);
  if (letter !== 'u') {
    if (!'"\\/bfnrt'.includes(letter)) throw new Fault('Invalid \\escape', at);
    return at + 2;
  }
  const end = matchEnd(hexQuad, text, at + 2);
  if (end === at + 2) throw new Fault('Invalid \\uXXXX escape', at + 1);
  return end;
}
