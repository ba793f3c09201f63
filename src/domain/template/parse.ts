/**
 * Parses a template into text and placeholders (contract 7.1). Its time is linear in the text's length for
 * any content: each search result is remembered until the parser has passed it.
 */
export type Segment = { kind: 'text'; text: string } | Placeholder;

export interface Placeholder {
  kind: 'placeholder';
  name: string;
  /** Null when there is none. */
  defaultText: string | null;
}

/** Old graphs write `{{name | fallback:text}}`. */
const oldPrefix = 'fallback:';

const escapedBreak = String.raw`\n`;
const escapedBreakPattern = /\\n/g;

export function parseTemplate(template: string): Segment[] {
  const text = template.replaceAll(escapedBreak, '\n');
  const segments: Segment[] = [];
  let written = 0;
  for (const { placeholder, start, end } of placeholdersOf(text)) {
    if (start > written) segments.push({ kind: 'text', text: text.slice(written, start) });
    segments.push(placeholder);
    written = end;
  }
  if (written < text.length) segments.push({ kind: 'text', text: text.slice(written) });
  return segments;
}

/** A placeholder and its place in the text as it was written, for editors. */
export interface PlacedPlaceholder extends Placeholder {
  start: number;
  end: number;
}

/** The placeholders of a template with their places, in order. */
export function locatePlaceholders(template: string): PlacedPlaceholder[] {
  const text = template.replaceAll(escapedBreak, '\n');
  const breaks = [...template.matchAll(escapedBreakPattern)].map(({ index }) => index);
  let passed = 0; // each written break is one character shorter in `text`
  const written = (place: number) => {
    while ((breaks[passed] ?? Infinity) - passed < place) passed += 1;
    return place + passed;
  };
  return placeholdersOf(text).map(({ placeholder, start, end }) => {
    const from = written(start);
    return { ...placeholder, start: from, end: written(end) };
  });
}

interface Found {
  placeholder: Placeholder;
  start: number;
  end: number;
}

function placeholdersOf(text: string): Found[] {
  const found: Found[] = [];
  const reader = createReader(text);
  let open = text.indexOf('{{');
  while (open >= 0) {
    const read = reader(open + 2);
    if (read !== null) found.push({ ...read, start: open });
    open = text.indexOf('{{', read === null ? open + 1 : read.end);
  }
  return found;
}

type Reader = (start: number) => { placeholder: Placeholder; end: number } | null;

/**
 * Reads the inside of a placeholder that was opened just before `start`; null when it is not a placeholder.
 */
function createReader(text: string): Reader {
  const afterLeadingSpace = createFinder(text, /\S/g);
  const afterName = createFinder(text, /[\s|}]/g);
  const afterTrailingSpace = createFinder(text, /\S/g);
  const closing = createFinder(text, /\}/g);

  return (start) => {
    const nameStart = afterLeadingSpace(start);
    const nameEnd = afterName(nameStart);
    if (nameEnd === nameStart) return null;
    const name = text.slice(nameStart, nameEnd);
    const next = afterTrailingSpace(nameEnd);
    if (text.startsWith('}}', next))
      return { placeholder: { kind: 'placeholder', name, defaultText: null }, end: next + 2 };
    if (text[next] !== '|') return null;
    const close = closing(next + 1);
    if (!text.startsWith('}}', close)) return null;
    return {
      placeholder: { kind: 'placeholder', name, defaultText: readDefault(text.slice(next + 1, close)) },
      end: close + 2,
    };
  };
}

function readDefault(written: string): string {
  const text = written.trim();
  return text.startsWith(oldPrefix) ? text.slice(oldPrefix.length).trim() : text;
}

/**
 * Finds the first position at or after the given one where the pattern matches, or the text's length. It
 * searches no range twice: callers never ask for an earlier position than before.
 */
function createFinder(text: string, pattern: RegExp): (from: number) => number {
  let knownAt = -1;
  return (from) => {
    if (from <= knownAt) return knownAt;
    pattern.lastIndex = from;
    knownAt = pattern.exec(text)?.index ?? text.length;
    return knownAt;
  };
}
