import { isErrorCell } from '../../domain/directory/error-cell.ts';
import { limits } from './limits.ts';
import { ContactFileError, type CellFlag } from './port.ts';
import type { FoundRecord } from './file-rows.ts';
import { RowCells } from './row-cells.ts';
import { isoText } from './sheet-dates.ts';
import { plainFormat } from './sheet-formats.ts';
import { isTrue, unescaped, type CellSources } from './workbook.ts';
import { createXmlParser } from './xml.ts';

/**
 * Rows of a sheet from the chunks of its XML, with the saved values. Nothing is calculated, and of number
 * formats only leading zeros count. Formulas, failed formulas, numbers that lost digits and hidden rows are
 * flagged. Rows that the sheet leaves out are blank, and are left out here too. Holds one row.
 */
export async function* sheetRows(
  pieces: AsyncIterable<Uint8Array>,
  sources: CellSources,
): AsyncGenerator<FoundRecord[]> {
  const reader = new SheetReader(sources);
  const parser = createXmlParser(reader);
  for await (const piece of inSlices(pieces)) {
    parser.write(piece);
    reader.sinceRow += piece.length;
    if (reader.sinceRow > limits.sheetRowBytes)
      throw new ContactFileError(
        'too_large_inside',
        `A row of the sheet takes more than ${limits.sheetRowBytes / 1024 ** 2} MiB; save the contacts as CSV`,
      );
    if (reader.rows.length > 0) yield reader.handOut();
    if (reader.isOver) return;
  }
}

/** Rows are handed out after each slice, so a slice must not name too much text. */
async function* inSlices(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces)
    for (let from = 0; from < piece.length; from += sliceBytes) yield piece.subarray(from, from + sliceBytes);
}

const sliceBytes = 8192;

class SheetReader {
  rows: FoundRecord[] = [];
  /** Nothing after the cells matters. */
  isOver = false;
  /** Bytes read since the last row ended. */
  sinceRow = 0;
  readonly #sources: CellSources;
  #rowNumber = 0;
  #cells = new RowCells();
  #flags: CellFlag[] = [];
  #column = -1;
  #type = '';
  #style = 0;
  #text = '';
  #hasValue = false;
  #isFormula = false;
  /** Inside a value: `v`, or `t` outside phonetic guides. */
  #isText = false;
  #isGuide = false;

  constructor(sources: CellSources) {
    this.#sources = sources;
  }

  handOut(): FoundRecord[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (name) {
      case 'row':
        return this.#openRow(attributes);
      case 'c':
        return this.#openCell(attributes);
      case 'v':
        [this.#isText, this.#hasValue] = [true, true];
        return;
      case 't':
        if (!this.#isGuide) [this.#isText, this.#hasValue] = [true, true];
        return;
      case 'f':
        this.#isFormula = true;
        return;
      case 'rPh':
        this.#isGuide = true;
        return;
      default:
    }
  }

  text(piece: string): void {
    if (this.#isText && this.#text.length <= escapedCharacters) this.#text += piece;
  }

  close(name: string): void {
    switch (name) {
      case 'v':
      case 't':
        this.#isText = false;
        return;
      case 'c':
        return this.#closeCell();
      case 'row':
        return this.#closeRow();
      case 'rPh':
        this.#isGuide = false;
        return;
      case 'sheetData':
        this.isOver = true;
        return;
      default:
    }
  }

  #openRow({ r, hidden }: Readonly<Record<string, string>>): void {
    const number = r === undefined ? this.#rowNumber + 1 : Number(r);
    if (!Number.isInteger(number) || number <= this.#rowNumber || number > limits.sheetRows)
      throw new ContactFileError(
        'damaged',
        `The sheet has an invalid row after row ${this.#rowNumber}; open the workbook, save it again, and upload it again`,
      );
    this.#rowNumber = number;
    this.#cells = new RowCells();
    this.#flags = isTrue(hidden) ? [{ column: null, code: 'hidden_row' }] : [];
    this.#column = -1;
  }

  #openCell({ r, t = 'n', s }: Readonly<Record<string, string>>): void {
    this.#column = r === undefined ? this.#column + 1 : columnOf(r);
    if (this.#column < 0 || this.#column >= limits.sheetColumns)
      throw new ContactFileError(
        'damaged',
        `Row ${this.#rowNumber} of the sheet has an invalid cell; open the workbook, save it again, and upload it again`,
      );
    [this.#type, this.#style, this.#text] = [t, s === undefined ? 0 : Number(s), ''];
    [this.#hasValue, this.#isFormula, this.#isText] = [false, false, false];
  }

  #closeCell(): void {
    const text = this.#cellText();
    if (this.#type === 'e') this.#flags.push({ column: this.#column, code: 'formula_error' });
    else if (this.#isFormula)
      this.#flags.push({ column: this.#column, code: this.#hasValue ? 'formula_result' : 'formula_error' });
    this.#cells.set(this.#column, text);
  }

  #closeRow(): void {
    if (this.#cells.isTooLong) this.#flags.push({ column: null, code: 'cell_too_long' });
    this.rows.push({
      line: this.#rowNumber,
      cells: this.#cells.texts,
      flags: this.#flags.length === 0 ? null : this.#flags,
    });
    this.sinceRow = 0;
  }

  #cellText(): string {
    switch (this.#type) {
      case 's':
        return this.#sources.sharedTexts.at(Number(this.#text), this.#cells.wanted) ?? '';
      case 'str':
      case 'inlineStr':
        return unescaped(this.#text);
      case 'b':
        return this.#hasValue ? (isTrue(this.#text) ? 'TRUE' : 'FALSE') : '';
      case 'n':
        return this.#text === '' ? '' : this.#numberText();
      case 'e':
        return isErrorCell(this.#text) ? this.#text : anyError;
      default:
        // Dates (`d`) are already text.
        return this.#text;
    }
  }

  #numberText(): string {
    const value = Number(this.#text);
    if (!Number.isFinite(value)) return this.#text;
    const { datePart, minDigits } = this.#sources.formats[this.#style] ?? plainFormat;
    const date = datePart === null ? null : isoText(value, datePart, this.#sources.startsIn1904);
    if (date !== null) return date;
    // Too large for a date, which the cell is nevertheless formatted as.
    if (datePart !== null) this.#flags.push({ column: this.#column, code: 'phone_date' });
    if (Number.isInteger(value)) {
      if (Math.abs(value) >= 1e15) this.#flags.push({ column: this.#column, code: 'digits_lost' });
      return Math.abs(value) < 1e21 ? String(value).padStart(value < 0 ? 0 : minDigits, '0') : this.#text;
    }
    return String(Number(value.toPrecision(15)));
  }
}

/** In place of an error with an unknown name, so that the cell is recognized as an error everywhere. */
const anyError = '#VALUE!';

/** Column index of a cell such as `AB12`, from 0; −1 without letters. */
function columnOf(reference: string): number {
  let column = 0;
  for (let index = 0; index < reference.length; index += 1) {
    const letter = reference.charCodeAt(index);
    if (letter < 0x41 || letter > 0x5a) break;
    column = column * 26 + letter - 0x40;
  }
  return column - 1;
}

/** The longest cell with every character escaped (`_x000D_`). */
const escapedCharacters = 7 * (limits.cellCharacters + 1);
