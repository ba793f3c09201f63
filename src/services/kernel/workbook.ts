import { PassThrough } from 'node:stream';
import ExcelJS from 'exceljs';

/** Rows of a sheet below its header: what Excel opens. */
export const maxWorkbookRows = 1_048_575;

/** Bytes that may wait for the reader before more rows are made. */
const maxWaiting = 1_048_576;

/**
 * A workbook of one sheet, made while it is read. Every cell is text, letter by letter: none is a formula,
 * whatever it begins with.
 */
export async function* workbookOf(lines: AsyncIterable<string[][]>): AsyncGenerator<Uint8Array> {
  const out = new PassThrough();
  const made = make(lines, out);
  made.catch((error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))));
  try {
    for await (const piece of out) if (piece instanceof Uint8Array) yield piece;
  } finally {
    out.destroy();
  }
  await made;
}

async function make(lines: AsyncIterable<string[][]>, out: PassThrough): Promise<void> {
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({
    stream: out,
    useStyles: false,
    useSharedStrings: false,
  });
  const sheet = book.addWorksheet('Rows');
  for await (const rows of lines) {
    for (const row of rows) sheet.addRow(row.map(cellText)).commit();
    if (!(await hasRoom(out))) return;
  }
  sheet.commit();
  await book.commit();
}

/** What a cell holds; Excel opens no file with a longer one. */
const maxCellLength = 32_767;

/**
 * What XML cannot hold, or would read as a line feed. The underscore is that of a text that looks like such a
 * sign already.
 */
// oxlint-disable-next-line no-control-regex -- these are the letters in question
const unwritable = /[\0-\x08\x0B-\x1F\x7F\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/g;

/** A text as a sheet writes it: what XML cannot hold stands there as `_x000D_`, by its number. */
function cellText(text: string): string {
  return text
    .slice(0, maxCellLength)
    .replaceAll(
      unwritable,
      (letter) => `_x${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    );
}

/** Waits until most of what was made is read; false when nobody reads any more. */
async function hasRoom(out: PassThrough): Promise<boolean> {
  while (out.readableLength > maxWaiting && !out.destroyed)
    await new Promise((resolve) => setImmediate(resolve));
  return !out.destroyed;
}
