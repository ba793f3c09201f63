import { limits, shownCharacters } from './limits.ts';

/**
 * The cells of one row of a sheet. Their text is held to its limit while they are added, because a few bytes
 * of XML may name a long shared text. Of a row beyond the limit, only the beginnings of cells are kept, and
 * only as many cells as show that there are too many columns.
 */
export class RowCells {
  readonly texts: string[] = [];
  isTooLong = false;
  #characters = 0;

  /** How many characters of the next cell matter. */
  get wanted(): number {
    return this.isTooLong ? shownCharacters + 1 : limits.cellCharacters + 1;
  }

  set(column: number, text: string): void {
    if (text === '') return;
    this.#characters += text.length;
    // guarantee: row-text-held-to-its-limit
    if (!this.isTooLong && this.#characters > limits.rowCharacters) this.#cut();
    if (this.isTooLong && column > limits.columns) return;
    while (this.texts.length < column) this.texts.push('');
    this.texts[column] = this.isTooLong ? beginningOf(text) : text;
  }

  #cut(): void {
    this.isTooLong = true;
    this.texts.splice(limits.columns + 1);
    for (const [index, text] of this.texts.entries()) this.texts[index] = beginningOf(text);
  }
}

/** A copy, because a slice would keep the whole text in memory. */
function beginningOf(text: string): string {
  if (text.length <= shownCharacters) return text;
  return Buffer.from(`${text.slice(0, shownCharacters)}…`, 'utf16le').toString('utf16le');
}
