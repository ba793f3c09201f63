import { limits } from './limits.ts';

/** What ends lines: a carriage return only where a file knows no line feed. */
export type LineBreak = '\n' | '\r';

export interface Lines {
  lines: string[];
  lineBreak: LineBreak;
}

/** By so many letters every file that has line feeds shows one. */
const certainAfter = 65_536;

/**
 * Lines of a text that comes in pieces, without their break; of a pair the carriage return stays at the
 * line's end, because inside of a quoted cell it is text. Holds one piece and one line: of a line that is too
 * long only one letter more than the limit is kept. Nothing behind the last break is no line.
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

/** Null while it is not certain. */
function breakOf(text: string, isAll: boolean): LineBreak | null {
  if (text.includes('\n')) return '\n';
  if (!isAll) return null;
  return text.includes('\r') ? '\r' : '\n';
}
