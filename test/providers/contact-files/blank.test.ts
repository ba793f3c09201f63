import { describe, expect, test } from '@jest/globals';
import exceljs from 'exceljs';
import iconv from 'iconv-lite';
import { createContactFiles } from '../../../src/providers/contact-files/contact-files.ts';
import type { FileRow, StoredFile } from '../../../src/providers/contact-files/port.ts';
import type { Reading } from '../../../src/domain/directory/reading.ts';
import { allRows, inspected, storedFile } from '../../support/contact-file-bytes.ts';

const files = createContactFiles();

async function blanked(
  file: StoredFile,
  isBlanked: (row: FileRow) => boolean,
  wished: Partial<Reading> = {},
): Promise<{ bytes: Buffer; reading: Reading; before: FileRow[] }> {
  const { reading: before } = await inspected(files, file, wished);
  const { reading, bytes } = files.blank(file, before, isBlanked);
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return { bytes: Buffer.concat(pieces), reading, before: await allRows(files, file, before) };
}

const isMaria = ({ cells }: FileRow): boolean => cells.some((cell) => cell.includes('Maria'));
const withoutMaria = (rows: FileRow[]) =>
  rows.filter((row) => !row.isBlank && !isMaria(row)).map(({ rowNumber, cells }) => ({ rowNumber, cells }));

describe('a file without the content of some rows', () => {
  test('is otherwise unchanged, and every other row keeps its number: blank lines replace those rows, and the lines above the header', async () => {
    const text =
      'Contacts of Maria\r\n\r\nphone;name;note\r\n1;Ann;"two\r\nlines"\r\n2;Maria;"x;y"\r\n\r\n3;"Ma""x";\r\n4;Maria\r\n5;Zoe;z\r\n';
    const { bytes, reading, before } = await blanked(storedFile(text), isMaria, { headerLine: 3 });
    expect(bytes.toString()).toBe(
      '\r\n\r\nphone;name;note\r\n1;Ann;"two\r\nlines"\r\n\r\n;;\r\n3;"Ma""x";\r\n\r\n5;Zoe;z\r\n',
    );
    const after = await allRows(files, storedFile(bytes), reading);
    expect(
      after.filter(({ isBlank }) => !isBlank).map(({ rowNumber, cells }) => ({ rowNumber, cells })),
    ).toEqual(withoutMaria(before));
  });

  test.each(['utf8', 'utf16le', 'utf16be', 'win1251'])('keeps its encoding: %s', async (encoding) => {
    const { bytes } = await blanked(
      storedFile(iconv.encode('Телефон;Имя\n1;Иван Петров\n2;Maria\n3;Анна\n', encoding)),
      isMaria,
      { encoding },
    );
    expect(iconv.decode(bytes, encoding)).toBe('Телефон;Имя\n1;Иван Петров\n\n3;Анна\n');
  });

  // guarantee: erasure-keeps-other-rows-text
  test('becomes CSV if it was a workbook, with the same cells under the same row numbers, whatever a cell begins with', async () => {
    const workbook = new exceljs.Workbook();
    workbook
      .addWorksheet('Contacts')
      .addRows([
        ['of Maria'],
        ['phone', '@name'],
        ['+14155550130', '@anna'],
        ['+14155550131', 'Maria'],
        [],
        ['+14155550132', '-A12'],
        ['+14155550133', '=Zoe'],
      ]);
    const file = storedFile(Buffer.from(await workbook.xlsx.writeBuffer()));
    const { bytes, reading, before } = await blanked(file, isMaria, { headerLine: 2 });
    expect(reading).toEqual({ encoding: 'utf8', separator: ',', sheet: null, headerLine: 2 });
    expect(bytes.toString()).not.toContain('Maria');
    const after = await allRows(files, storedFile(bytes), reading);
    expect(
      after.filter(({ isBlank }) => !isBlank).map(({ rowNumber, cells }) => ({ rowNumber, cells })),
    ).toEqual(withoutMaria(before));
    expect((await inspected(files, storedFile(bytes), reading)).columns).toEqual(['phone', '@name']);
  });
});
