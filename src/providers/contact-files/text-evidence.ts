import { isUtf8 } from 'node:buffer';
import { WordSample } from './word-sample.ts';

/** A line with letters beyond ASCII, or the part of it where they begin. */
export interface FoundLine {
  /** From 1. */
  line: number;
  bytes: Uint8Array;
}

export interface FoundLines {
  count: number;
  first: FoundLine[];
}

/** What all bytes of a text say about its encoding. */
export interface TextEvidence {
  /** Lines whose letters beyond ASCII are valid UTF-8. */
  utf8: FoundLines;
  /** Lines that are not UTF-8. */
  other: FoundLines;
  /** Words of the lines that are not UTF-8, from all over the text. */
  words: Buffer[];
}

const maxLines = 100;
const maxLineBytes = 1024 * 1024;
const shown = { before: 40, after: 100 };

/** Reads a text to its end, with memory that does not depend on its length. */
export async function findEvidence(
  pieces: AsyncIterable<Uint8Array>,
  lineBreak: number,
): Promise<TextEvidence> {
  const evidence = { utf8: noLines(), other: noLines() };
  const words = new WordSample();
  let line = 1;
  for await (const block of wholeLines(pieces, lineBreak)) {
    const isValid = isUtf8(block);
    let from = 0;
    let foreignAt = -1;
    for (let at = 0; at < block.length; at += 1) {
      const byte = block[at] ?? 0;
      if (byte >= 0x80 && foreignAt === -1) foreignAt = at;
      if (byte !== lineBreak && at < block.length - 1) continue;
      if (foreignAt !== -1) {
        const bytes = block.subarray(from, at + 1);
        const isUtf8Line = isValid || isUtf8(bytes);
        note(isUtf8Line ? evidence.utf8 : evidence.other, { line, bytes, foreignAt: foreignAt - from });
        if (!isUtf8Line) words.add(bytes);
      }
      if (byte === lineBreak) line += 1;
      from = at + 1;
      foreignAt = -1;
    }
  }
  return { ...evidence, words: words.list() };
}

const noLines = (): FoundLines => ({ count: 0, first: [] });

function note(
  lines: FoundLines,
  { line, bytes, foreignAt }: { line: number; bytes: Buffer; foreignAt: number },
): void {
  lines.count += 1;
  // A copy, because the lines must not keep their blocks. All bytes before are ASCII, so no character is cut.
  if (lines.first.length < maxLines)
    lines.first.push({
      line,
      bytes: Buffer.from(bytes.subarray(Math.max(0, foreignAt - shown.before), foreignAt + shown.after)),
    });
}

/** The bytes in blocks that end with a line break. A line that is too long comes in parts. */
async function* wholeLines(pieces: AsyncIterable<Uint8Array>, lineBreak: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const end = bytes.lastIndexOf(lineBreak) + 1;
    if (end > 0 || heldBytes > maxLineBytes) {
      yield Buffer.concat([...held, bytes.subarray(0, end)]);
      [held, heldBytes] = [[], 0];
    }
    held.push(bytes.subarray(end));
    heldBytes += bytes.length - end;
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}
