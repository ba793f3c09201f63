import { PassThrough } from 'node:stream';

/** Excel's maximum number of rows in a sheet, without the header. */
export const maxWorkbookRows = 1_048_575;

/** How many bytes may wait for the reader before writing pauses. */
const maxWaiting = 1_048_576;

/**
 * A workbook of one sheet, written while it is read. Every cell is literal text and never a formula.
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
  // Its four hundred modules are loaded for the first workbook, not at the start of every process.
  const { default: ExcelJS } = await import('exceljs');
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({
    stream: out,
    useStyles: true,
    useSharedStrings: false,
  });
  const sheet = book.addWorksheet('Rows');
  let isBegun = false;
  for await (const rows of lines) {
    // guarantee: workbook-cells-are-formatted-as-text
    if (!isBegun) sheet.columns = (rows[0] ?? []).map(() => ({ style: textStyle }));
    isBegun = true;
    for (const row of rows) {
      const added = sheet.addRow(row.map(cellText));
      // ExcelJS looks each style up by its text, unless it is the same object.
      added.eachCell((cell) => {
        cell.style = textStyle;
      });
      added.commit();
    }
    if (!(await hasRoom(out))) return;
  }
  sheet.commit();
  await book.commit();
}

/** Without it, Excel turns a text like `007` into a number when someone edits the cell. */
const textStyle = { numFmt: '@' };

/** The maximum length of a cell; Excel opens no file with a longer one. */
const maxCellLength = 32_767;

/**
 * Characters that XML cannot contain or would read as a line feed, and underscores that would be read as the
 * beginning of such an escape.
 */
// oxlint-disable-next-line no-control-regex -- the pattern has to match control characters
const unwritable = /[\0-\x08\x0B-\x1F\x7F\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/g;

/** The text of a cell, with unwritable characters escaped by their number, such as `_x000D_`. */
function cellText(text: string): string {
  return text
    .slice(0, maxCellLength)
    .replaceAll(
      unwritable,
      (letter) => `_x${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    );
}

/** Waits until the reader has caught up; false if it has stopped reading. */
async function hasRoom(out: PassThrough): Promise<boolean> {
  while (out.readableLength > maxWaiting && !out.destroyed)
    await new Promise((resolve) => setImmediate(resolve));
  return !out.destroyed;
}
