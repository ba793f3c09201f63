import { limits } from './limits.ts';

/** What ends lines: a carriage return only if the file has no line feed. */
export type LineBreak = '\n' | '\r';

export interface Lines {
  lines: string[];
  lineBreak: LineBreak;
}

/** A file with line feeds has one within this many characters. */
const certainAfter = 65_536;

/**
 * Lines of a text that comes in chunks, without their line break. Of a CRLF pair, the carriage return stays
 * at the line's end, because it is text inside a quoted cell. Holds one chunk and one line; of a line that is
 * too long, it keeps one character more than the limit. After the last line break there is no empty line.
 */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<Lines> {
  let lineBreak: LineBreak | null = null;
  let held = '';
  for await (const piece of pieces) {
    let fresh = piece;
    if (lineBreak === null) {
      [fresh, held] = [held + piece, ''];
      lineBreak = breakOf(fresh, fresh.length >= certainAfter);
      if (lineBreak === null) {
        held = fresh;
        continue;
      }
    }
    const cut = cutLines(held, fresh, lineBreak);
    held = cut.held;
    if (cut.lines.length > 0) yield { lines: cut.lines, lineBreak };
  }
  const last = lineBreak ?? breakOf(held, true) ?? '\n';
  const { lines, held: rest } = lineBreak === null ? cutLines('', held, last) : { lines: [], held };
  if (rest !== '') lines.push(rest);
  if (lines.length > 0) yield { lines, lineBreak: last };
}

function cutLines(held: string, piece: string, lineBreak: LineBreak): { lines: string[]; held: string } {
  const lines: string[] = [];
  let from = 0;
  for (let at = piece.indexOf(lineBreak); at !== -1; at = piece.indexOf(lineBreak, from)) {
    lines.push(from === 0 ? joined(held, piece.slice(0, at)) : joined('', piece.slice(from, at)));
    from = at + 1;
  }
  return { lines, held: from === 0 ? joined(held, piece) : joined('', piece.slice(from)) };
}

function joined(held: string, piece: string): string {
  if (held.length > limits.lineCharacters) return held;
  const whole = held === '' ? piece : held + piece;
  return whole.length > limits.lineCharacters ? whole.slice(0, limits.lineCharacters + 1) : whole;
}

/** Null while it is undecided. */
function breakOf(text: string, isAll: boolean): LineBreak | null {
  if (text.includes('\n')) return '\n';
  if (!isAll) return null;
  return text.includes('\r') ? '\r' : '\n';
}
