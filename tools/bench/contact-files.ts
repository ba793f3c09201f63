import { createReadStream, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { parse } from 'csv-parse';
import ExcelJS from 'exceljs';
import type { DataSource } from 'typeorm';

/** Columns of the measured files. */
export const columns = ['phone_number', 'customer_id', 'first_name', 'city', 'amount'];

/** Rows per statement, as in the service. */
const batch = 2000;

/** One row; numbers of three North American areas, each once. */
export function rowOf(index: number): string[] {
  const phone = `+1${[202, 303, 415][index % 3]}${2_000_000 + Math.floor(index / 3)}`;
  return [phone, `C-${index}`, `Name ${index % 1000}`, `City ${index % 300}`, `${index % 977}.50`];
}

/** A row that is left out. */
export function badRowOf(index: number): string[] {
  return ['none', ...rowOf(index).slice(1)];
}

export async function writeCsv(path: string, rows: number, cellsOf = rowOf): Promise<void> {
  const out = createWriteStream(path);
  out.write(`${columns.join(',')}\n`);
  for (let index = 0; index < rows; index += 1)
    if (!out.write(`${cellsOf(index).join(',')}\n`)) await once(out, 'drain');
  out.end();
  await once(out, 'close');
}

/** Every text is a shared one, as spreadsheet programs save it. */
export async function writeWorkbook(path: string, rows: number, cellsOf = rowOf): Promise<void> {
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: path, useSharedStrings: true });
  const sheet = workbook.addWorksheet('Contacts');
  sheet.addRow(columns).commit();
  for (let index = 0; index < rows; index += 1) sheet.addRow(cellsOf(index)).commit();
  sheet.commit();
  await workbook.commit();
}

/**
 * The simplest import: a CSV parser, and one INSERT per batch of rows into a table with the same columns and
 * keys. No row is checked.
 */
export async function importPlainly(db: DataSource, path: string): Promise<void> {
  await db.query('CREATE TABLE bench_contacts LIKE contacts');
  try {
    let rows: string[][] = [];
    let rowNumber = 0;
    const write = async (): Promise<void> => {
      const values = rows.flatMap((cells) => [
        (rowNumber += 1),
        cells[0]?.slice(1),
        cells[1],
        JSON.stringify(cells),
      ]);
      const tuples = rows.map(() => "(1, 1, ?, 1, 'ok', ?, '', ?, 0, ?, NULL)").join(',');
      await db.query(
        `INSERT INTO bench_contacts (directory_id, import_number, \`row_number\`, organization_id, state, phone, zone_key, identifier, priority, cells, findings) VALUES ${tuples}`,
        values,
      );
      rows = [];
    };
    const parser: AsyncIterable<string[]> = createReadStream(path).pipe(parse({ fromLine: 2 }));
    for await (const cells of parser) if (rows.push(cells) >= batch) await write();
    if (rows.length > 0) await write();
  } finally {
    await db.query('DROP TABLE bench_contacts');
  }
}
