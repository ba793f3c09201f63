import { limits } from './limits.ts';
import type { LineBreak, Lines } from './lines.ts';
import { lineEnd, readRecord } from './record.ts';
import { ContactFileError } from './port.ts';

/** One record of a text, on one line or several. */
export interface TextRecord {
  /** Where it begins, from 1. */
  line: number;
  /** As in the file, without the line break after it. */
  text: string;
  cells: string[];
  fault: 'quotes_broken' | 'cell_too_long' | null;
}

export interface RecordRules {
  separator: string;
  /** Before this line quotes have no meaning, because a title may contain anything. */
  headerLine: number;
}

/** Broken quotes make lines be read again. After this many characters, the file is refused. */
const maxReadAgain = 256 * 1024 * 1024;

/**
 * Records of a text by RFC 4180, and as people write them. A cell whose quote never closes, or closes before
 * more text on a later line, does not swallow other rows: its first line is read without regard to quotes,
 * and the next line begins a new record. Holds one record.
 */
export async function* recordsOf(
  batches: AsyncIterable<Lines>,
  rules: RecordRules,
): AsyncGenerator<TextRecord[]> {
  const reader = new RecordReader(rules);
  for await (const { lines, lineBreak } of batches) {
    for (const line of lines) reader.take(line, lineBreak);
    if (reader.records.length > 0) yield reader.handOut();
  }
  reader.end();
  if (reader.records.length > 0) yield reader.handOut();
}

class RecordReader {
  records: TextRecord[] = [];
  readonly #rules: RecordRules;
  /** The number of the last line that was taken. */
  #line = 0;
  /** Lines of a record whose quoted cell is still open. */
  #open: string[] = [];
  #openCharacters = 0;
  #readAgain = 0;
  #lineBreak: LineBreak = '\n';

  constructor(rules: RecordRules) {
    this.#rules = rules;
  }

  handOut(): TextRecord[] {
    const { records } = this;
    this.records = [];
    return records;
  }

  take(line: string, lineBreak: LineBreak): void {
    this.#lineBreak = lineBreak;
    const queue = [line];
    // Lines that are read again come before the following one. The last in the queue is the next.
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) queue.push(...this.#takeOne(next));
  }

  end(): void {
    const queue = this.#giveUp();
    for (let next = queue.pop(); next !== undefined; next = queue.pop() ?? this.#giveUpInto(queue))
      queue.push(...this.#takeOne(next));
  }

  /** Takes a line. Answers the lines that have to be read again, in reverse order. */
  #takeOne(line: string): string[] {
    this.#line += 1;
    const { separator, headerLine } = this.#rules;
    if (line.length > limits.lineCharacters) return this.#takeTooLong(line);
    if (this.#line < headerLine) return this.#add(line.endsWith('\r') ? line.slice(0, -1) : line, 1, true);
    const isInside = this.#open.length > 0;
    const text = line.charCodeAt(line.length - 1) === 0x0d ? line.slice(0, -1) : line;
    const end = lineEnd(text, separator, isInside);
    if (end === 'outside' && !isInside) return this.#add(text, 1, false);
    this.#open.push(end === 'outside' ? text : line);
    this.#openCharacters += line.length;
    // guarantee: unclosed-quote-costs-one-row
    if (
      end === 'broken' ||
      this.#open.length > limits.quotedLines ||
      this.#openCharacters > limits.quotedCharacters
    )
      return this.#giveUp();
    if (end === 'inside') return [];
    const lines = this.#open;
    this.#close();
    return this.#add(lines.join(this.#lineBreak), lines.length, false);
  }

  #add(text: string, lines: number, isLiteral: boolean): string[] {
    const { separator } = this.#rules;
    const { cells, isSloppy } = isLiteral
      ? { cells: text.split(separator, limits.sheetColumns), isSloppy: false }
      : readRecord(text, separator);
    this.records.push({
      line: this.#line - lines + 1,
      text,
      cells,
      fault: isSloppy ? 'quotes_broken' : null,
    });
    return [];
  }

  #takeTooLong(line: string): string[] {
    if (this.#open.length > 0) {
      this.#open.push(line);
      return this.#giveUp();
    }
    this.records.push({
      line: this.#line,
      text: line,
      cells: line.split(this.#rules.separator, limits.columns),
      fault: 'cell_too_long',
    });
    return [];
  }

  /** The first line of the open record becomes a record of its own. */
  #giveUp(): string[] {
    const [first, ...others] = this.#open;
    if (first === undefined) return [];
    const text = first.endsWith('\r') ? first.slice(0, -1) : first;
    this.#readAgain += this.#openCharacters;
    if (this.#readAgain > maxReadAgain)
      throw new ContactFileError(
        'damaged',
        `Too many cells begin with a quote that never closes, the last one on line ${this.#line - others.length}; save the file as CSV again`,
      );
    this.#line -= others.length;
    this.records.push({
      line: this.#line,
      text,
      cells: text.split(this.#rules.separator, limits.sheetColumns),
      fault: 'quotes_broken',
    });
    this.#close();
    return others.toReversed();
  }

  #giveUpInto(queue: string[]): string | undefined {
    queue.push(...this.#giveUp());
    return queue.pop();
  }

  #close(): void {
    this.#open = [];
    this.#openCharacters = 0;
  }
}
