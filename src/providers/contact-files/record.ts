import { limits } from './limits.ts';

/**
 * The cells of one text record. A quote opens a cell only as its first character, is doubled inside, and
 * closes before a separator or the end (RFC 4180).
 */
export interface ReadRecord {
  cells: string[];
  /** A closing quote was followed by more text, so the cell was read as it stands, with its quotes. */
  isSloppy: boolean;
}

/** Reads the cells of a record whose quotes are closed. */
export function readRecord(text: string, separator: string): ReadRecord {
  if (!text.includes('"')) return { cells: text.split(separator, limits.sheetColumns), isSloppy: false };
  const cells: string[] = [];
  let isSloppy = false;
  let at = 0;
  for (;;) {
    const cell =
      text.charCodeAt(at) === quote ? quotedCell(text, at, separator) : plainCell(text, at, separator);
    cells.push(cell.text);
    isSloppy ||= cell.isSloppy;
    if (cell.end >= text.length || cells.length >= limits.sheetColumns) return { cells, isSloppy };
    at = cell.end + 1;
  }
}

const quote = 0x22;

interface Cell {
  text: string;
  /** Position of the next separator, or the record's length. */
  end: number;
  isSloppy: boolean;
}

function plainCell(text: string, start: number, separator: string): Cell {
  const found = text.indexOf(separator, start);
  const end = found === -1 ? text.length : found;
  return { text: text.slice(start, end), end, isSloppy: false };
}

function quotedCell(text: string, start: number, separator: string): Cell {
  const close = closingQuote(text, start + 1);
  if (close === -1) return { ...plainCell(text, start, separator), isSloppy: true };
  const inside = text.slice(start + 1, close).replaceAll('""', '"');
  if (close + 1 === text.length || text.startsWith(separator, close + 1))
    return { text: inside, end: close + 1, isSloppy: false };
  const rest = plainCell(text, close, separator);
  return { text: `"${inside}${rest.text}`, end: rest.end, isSloppy: true };
}

/** The next quote that is not doubled; -1 if there is none. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text.charCodeAt(at + 1) !== quote) return at;
  }
  return -1;
}

/**
 * The state at the end of a line: outside quotes, inside them, or outside because a quote closed where none
 * can.
 */
export type LineEnd = 'outside' | 'inside' | 'broken';

/**
 * Reads over a line that begins outside or inside a quoted cell. Only what follows a quote on an earlier line
 * can be `broken`.
 */
export function lineEnd(line: string, separator: string, isInside: boolean): LineEnd {
  if (!line.includes('"')) return isInside ? 'inside' : 'outside';
  let at = 0;
  if (isInside) {
    const close = closingQuote(line, 0);
    if (close === -1) return 'inside';
    if (close + 1 < line.length && !line.startsWith(separator, close + 1)) return 'broken';
    at = close + 2;
  }
  while (at < line.length) {
    if (line.charCodeAt(at) === quote && closingQuote(line, at + 1) === -1) return 'inside';
    const { end } =
      line.charCodeAt(at) === quote ? quotedCell(line, at, separator) : plainCell(line, at, separator);
    at = end + 1;
  }
  return 'outside';
}
