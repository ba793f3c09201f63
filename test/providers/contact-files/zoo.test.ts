import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { createContactFiles } from '../../../src/providers/contact-files/contact-files.ts';
import { allRows, inspected, storedFile, workbookOf, zipOf } from '../../support/contact-file-bytes.ts';

/** Unusual files, each with the expected result. */
const files = createContactFiles();

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const compound = Buffer.concat([
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
  Buffer.alloc(2000),
]);
const russian =
  'Телефон;Имя;Город\n+79161234567;Иван Петров;Москва\n+79161234568;Мария Ёлкина;Санкт-Петербург\n';

describe('a file that is not a table of contacts is refused with the fault and the remedy, whatever its name says', () => {
  test.each<[string, Uint8Array | string, string, RegExp]>([
    ['nothing at all', '', 'empty', /export the contacts again/],
    ['blank lines', ' \n\n \r\n', 'no_header', /one line of column names/],
    ['only separators', ';;;\n;;;\n', 'no_header', /column names/],
    ['a picture', png, 'not_a_table', /PNG.*upload CSV or XLSX/],
    ['a PDF', '%PDF-1.7\n1 0 obj', 'not_a_table', /a PDF file/],
    [
      'bytes of a program',
      Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0]),
      'not_a_table',
      /upload CSV or XLSX/,
    ],
    [
      'random bytes',
      Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7919) % 251)),
      'not_a_table',
      /neither text nor a workbook/,
    ],
    ['an old workbook', compound, 'old_workbook', /save it as an Excel workbook \(\.xlsx\)/],
    [
      'a workbook with a password',
      Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le')]),
      'locked_workbook',
      /save it without one/,
    ],
    ['a web page', '<html><table><tr><td>phone</td></tr></table></html>', 'not_a_table', /web page/],
    ['XML', '<?xml version="1.0"?><contacts/>', 'not_a_table', /XML/],
    ['JSON', '[{"phone": "+14155550130"}]', 'not_a_table', /JSON/],
    [
      'an archive of a text',
      zipOf([{ path: 'contacts.csv', content: 'phone\n+14155550130\n' }]),
      'not_a_table',
      /unpack it/,
    ],
    [
      'a workbook of another program',
      zipOf([{ path: 'content.xml', content: '<x/>' }]),
      'other_workbook',
      /\.xlsx/,
    ],
    ['a binary workbook', zipOf([{ path: 'xl/workbook.bin', content: 'x' }]), 'other_workbook', /\.xlsx/],
    [
      'half a workbook',
      workbookOf('<row><c t="str"><v>phone</v></c></row>').subarray(0, 500),
      'damaged',
      /not uploaded completely/,
    ],
    [
      '501 columns',
      `phone,${Array.from({ length: 500 }, (_, index) => `c${index}`).join(',')}\n`,
      'too_many_columns',
      /501 columns, and at most 500/,
    ],
    ['a header of one endless line', `phone${'x'.repeat(3_000_000)}`, 'header_too_long', /right separator/],
  ])('%s', async (_, content, code, words) => {
    const inspection = await files.inspect(storedFile(content, 65_536));
    expect(inspection).toMatchObject({ kind: 'refused', code });
    expect(inspection).toMatchObject({ message: expect.stringMatching(words) });
  });

  // guarantee: archive-bomb-refused
  test('an archive that would unpack to thousands of times its size is refused before it is unpacked', async () => {
    const bomb = workbookOf(
      `<row><c t="str"><v>phone</v></c></row>${'<row><c><v>1</v></c></row>'.repeat(1_000_000)}`,
    );
    expect(await files.inspect(storedFile(bomb, 65_536))).toMatchObject({
      kind: 'refused',
      code: 'too_large_inside',
    });
  });

  test('an archive with false sizes is refused where they are found to be false', async () => {
    const liar = workbookOf(
      `<row><c t="str"><v>phone</v></c></row>${'<row><c><v>14155550130</v></c></row>'.repeat(200_000)}`,
      { declaredSheetBytes: 5000 },
    );
    await expect(allRows(files, storedFile(liar, 65_536))).rejects.toMatchObject({
      message: expect.stringContaining('refused: damaged'),
    });
  });

  test('a row of a sheet that never ends is refused, not held', async () => {
    const cells = Array.from(
      { length: 400_000 },
      (_, index) => `<c t="str"><v>${(index * 2_654_435_761).toString(36)}${index}</v></c>`,
    ).join('');
    await expect(
      allRows(
        files,
        storedFile(workbookOf(`<row><c t="str"><v>phone</v></c></row><row>${cells}</row>`), 65_536),
      ),
    ).rejects.toMatchObject({ message: expect.stringMatching(/damaged|too_large_inside/) });
  });
});

describe('a text is read as text, whatever letters it begins with', () => {
  test.each([
    'BMW customers October',
    'MZ-Nr',
    'ID3 of customer',
    'solid leads',
    '070707 list',
    'MAC address',
  ])('%s', async (title) => {
    const text = `${title};Telefon\nAnn;+14155550130\nBob;+14155550131\n`;
    expect(await allRows(files, storedFile(text))).toMatchObject([
      { cells: ['Ann', '+14155550130'] },
      { cells: ['Bob', '+14155550131'] },
    ]);
  });

  test('a file that only begins like a text is what its other bytes say', async () => {
    const bitmap = Buffer.concat([
      Buffer.from('BM'),
      Buffer.from([0x46, 0, 0, 0, 0, 0, 0, 0, 0x36, 0, 0, 0, 0x28, 0, 0, 0]),
      Buffer.alloc(100, 0xff),
    ]);
    expect(await files.inspect(storedFile(bitmap))).toMatchObject({
      kind: 'refused',
      code: 'not_a_table',
      message: expect.stringContaining('BMP'),
    });
    const squeezed = Buffer.concat([
      Buffer.from('BZh91AY&SY'),
      Buffer.from(Array.from({ length: 200 }, (_, index) => (index * 7919) % 251)),
    ]);
    expect(await files.inspect(storedFile(squeezed))).toMatchObject({
      kind: 'refused',
      code: 'not_a_table',
      message: expect.stringContaining('BZ2'),
    });
    expect(await files.inspect(storedFile('{\\rtf1\\ansi phone, name}'))).toMatchObject({
      kind: 'refused',
      code: 'not_a_table',
      message: expect.stringContaining('RTF'),
    });
  });
});

describe('encodings are detected from the bytes, and can be chosen', () => {
  test.each<[string, Buffer, string, boolean]>([
    ['UTF-8', Buffer.from(russian), 'utf8', false],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${russian}`), 'utf8', false],
    ['UTF-16 of Excel', Buffer.from(`\uFEFF${russian}`, 'utf16le'), 'utf16le', false],
    ['UTF-16 without a mark', Buffer.from(russian, 'utf16le'), 'utf16le', true],
    ['UTF-16, high bytes first', iconv.encode(russian, 'utf16be', { addBOM: true }), 'utf16be', false],
    [
      'UTF-16, high bytes first, without a mark',
      iconv.encode(russian, 'utf16be', { addBOM: false }),
      'utf16be',
      true,
    ],
    ['CP1251', iconv.encode(russian, 'win1251'), 'win1251', true],
    ['KOI8-R', iconv.encode(russian, 'koi8-r'), 'koi8-r', true],
    ['CP866', iconv.encode(russian, 'cp866'), 'cp866', true],
  ])('%s', async (_, bytes, encoding, isGuess) => {
    const file = storedFile(bytes, 7);
    const { reading, columns, preview, warnings } = await inspected(files, file);
    const guessed = isGuess ? { isGuess } : {};
    expect(reading).toEqual({ encoding, separator: ';', sheet: null, headerLine: 1, ...guessed });
    expect([columns, preview[1]?.cells]).toEqual([
      ['Телефон', 'Имя', 'Город'],
      ['+79161234568', 'Мария Ёлкина', 'Санкт-Петербург'],
    ]);
    expect(warnings.some((warning) => warning.includes('a guess'))).toBe(isGuess);
  });

  test.each<[string, string]>([
    ['win1252', 'phone,name\n+33612345678,Zoé Müller\n+33612345679,José García\n'],
    [
      'win1251',
      `phone,name\n${Array.from({ length: 50 }, (_, index) => `+1415555${1000 + index},John Smith\n`).join('')}+79161234567,Иван\n`,
    ],
  ])('few letters beyond ASCII are enough: %s', async (encoding, text) => {
    const { reading } = await inspected(files, storedFile(iconv.encode(text, encoding)));
    expect(reading.encoding).toBe(encoding);
  });

  // guarantee: encoding-found-from-late-letters
  test('letters far below the beginning still identify the encoding', async () => {
    const text = `phone,name\n${'+14155550130,John Smith\n'.repeat(60_000)}+79161234567,Иван Петров\n`;
    const rows = await allRows(files, storedFile(iconv.encode(text, 'win1251'), 65_536));
    expect(rows.at(-1)?.cells).toEqual(['+79161234567', 'Иван Петров']);
  });

  test('a requested encoding is used, and characters that it does not know are flagged', async () => {
    const file = storedFile(iconv.encode(russian, 'win1251'));
    expect((await inspected(files, file, { encoding: 'koi8-r' })).reading.encoding).toBe('koi8-r');
    const rows = await allRows(files, file, { encoding: 'utf8' });
    expect(rows[0]?.flags).toEqual([{ column: 1, code: 'text_damaged' }]);
  });
});

describe('an encoding is chosen by any of its usual names', () => {
  test.each([
    ['latin1', 'win1252'],
    ['ISO-8859-1', 'win1252'],
    ['utf-8', 'utf8'],
    ['UTF8', 'utf8'],
    ['windows-1251', 'win1251'],
    ['cp1251', 'win1251'],
    ['WIN1251', 'win1251'],
    ['utf-16le', 'utf16le'],
    ['latin9', 'iso8859-15'],
    ['Shift_JIS', 'shiftjis'],
    ['gbk', 'gb18030'],
    ['KOI8-R', 'koi8-r'],
  ])('%s is %s', async (name, encoding) => {
    const { reading, warnings } = await inspected(files, storedFile(iconv.encode(russian, 'win1251')), {
      encoding: name,
      separator: ';',
    });
    expect([reading.encoding, warnings.filter((warning) => warning.includes('guess'))]).toEqual([
      encoding,
      [],
    ]);
  });

  // guarantee: chosen-encoding-never-replaced
  test.each(['klingon', 'utf-16', 'windows-1', '1'])(
    '%s is refused with all supported names, and never guessed',
    async (name) => {
      const inspection = await files.inspect(storedFile(iconv.encode(russian, 'win1251')), {
        encoding: name,
      });
      expect(inspection).toEqual({
        kind: 'refused',
        code: 'no_such_encoding',
        message: expect.stringMatching(
          `'${name}' is not supported; choose one of utf8, win1252, win1251, .*koi8-r, .*euckr$`,
        ),
      });
    },
  );
});

describe('separators, titles and columns', () => {
  test.each([
    ['phone,name,city\n1,"a;b;c",x\n2,"d;e",y\n', ','],
    ['phone;name;amount\n1;Ann;1,50\n2;Bob;2,75\n', ';'],
    ['phone\tname\n1\tAnn, Jr\n', '\t'],
    ['phone|name\n1|Ann\n', '|'],
    ['sep=;\nphone;a,b\n1;2,3\n', ';'],
    ['phone\n1\n', ','],
  ])('%j is separated by %j', async (text, separator) => {
    expect((await inspected(files, storedFile(text))).reading.separator).toBe(separator);
  });

  test.each([
    ['Contacts of October\n\nphone,name,city\n+14155550130,Ann,Berlin\n', 3, ['phone', 'name', 'city']],
    ['"Report "Q3", draft\nphone,name\n+14155550130,Ann\n', 2, ['phone', 'name']],
    ['Customer,,Address\nName,Mobile,City\nAnn,+14155550130,Berlin\n', 2, ['Name', 'Mobile', 'City']],
    ['List\nOwner,Nummer,Ort\nAnn,0301,Berlin\nBob,0302,Bonn\n', 2, ['Owner', 'Nummer', 'Ort']],
    ['2026-11-20,,\nOwner,Nummer,Ort\nAnn,0301,Berlin\nBob,0302,Bonn\n', 2, ['Owner', 'Nummer', 'Ort']],
    ['20.11.2026 10:00,,\nOwner,Nummer,Ort\nAnn,0301,Berlin\nBob,0302,Bonn\n', 2, ['Owner', 'Nummer', 'Ort']],
    ['sep=,\nphone,name\n1,a\n', 2, ['phone', 'name']],
  ])('the header of %j is in line %s', async (text, headerLine, columns) => {
    const found = await inspected(files, storedFile(text));
    expect([found.reading.headerLine, found.columns, found.above.length]).toEqual([
      headerLine,
      columns,
      headerLine - 1,
    ]);
    expect((await allRows(files, storedFile(text)))[0]).toMatchObject({ line: headerLine + 1, rowNumber: 1 });
  });

  test('the header line can be chosen', async () => {
    const file = storedFile('a,b\nphone,name\n1,x\n');
    const found = await inspected(files, file, { headerLine: 1 });
    expect([found.columns, (await allRows(files, file, { headerLine: 1 })).length]).toEqual([['a', 'b'], 2]);
    expect(await files.inspect(file, { headerLine: 9 })).toMatchObject({
      kind: 'refused',
      code: 'no_header',
    });
  });

  test('repeated, missing and dangerous column names become unique', async () => {
    expect(
      (await inspected(files, storedFile('phone,name,name,,__proto__,constructor\n1,2,3,4,5,6\n'))).columns,
    ).toEqual(['phone', 'name', 'name_2', 'column_4', '__proto__', 'constructor']);
  });

  test('500 columns are read', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `c${index}`);
    const [row] = await allRows(files, storedFile(`${names.join(',')}\n${names.join(',')}\n`));
    expect(row?.cells).toEqual(names);
  });

  test('a file with only a header, or with contacts and no header, is read with a warning', async () => {
    const headerOnly = await inspected(files, storedFile('phone_number,name\n'));
    expect([headerOnly.preview, headerOnly.warnings]).toEqual([
      [],
      ['There is no contact below the column names'],
    ]);
    expect(
      (await inspected(files, storedFile('+14155550130,Ann\n+14155550131,Bob\n'))).warnings.join(),
    ).toContain('looks like a contact');
  });

  test.each([
    ['Export\nphone_number,name\n+14155550130,Ann\n', /^Line 2 is taken for the column names/],
    ['phone_number,,name,\n+14155550130,1,Ann,2\n', /^Columns without a name are called column_2, column_4$/],
    ['phone_number,name,name\n+14155550130,Ann,A\n', /the later ones are called name_2$/],
    ['phone_number,name\n+14155550130,"Ann\n+14155550131,Bob\n', /^Quotes in some rows/],
    ['name,Mobile\nAnn,+14155550130\n', /Mobile is proposed for the phone numbers$/],
    ['Mobile,Home phone\n+14155550130,+14155550131\n', /^Mobile, Home phone may have .*choose one$/],
  ])('what was made of %j is said', async (text, words) => {
    expect((await inspected(files, storedFile(text))).warnings).toEqual([expect.stringMatching(words)]);
  });

  test('a first contact with fewer cells than the others is not left out as a title', async () => {
    const found = await inspected(
      files,
      storedFile('+12025550111,,\n+12025550112,Ann,Boston\n+12025550113,Bob,Denver\n'),
    );
    expect([found.reading.headerLine, found.above, found.warnings.join()]).toEqual([
      1,
      [],
      expect.stringContaining('looks like a contact'),
    ]);
  });
});

describe('a preview shows the first 50 rows that are not blank', () => {
  const names = (rows: { cells: string[] }[]) => [rows.length, rows[0]?.cells[0], rows.at(-1)?.cells[0]];

  test('however long the rows are', async () => {
    const text = `phone,note\n${Array.from({ length: 60 }, (_, index) => `${index},${'x'.repeat(30_000)}\n`).join('')}`;
    expect(names((await inspected(files, storedFile(text, 65_536))).preview)).toEqual([50, '0', '49']);
  });

  test('however many blank ones lie between them, in a text and in a sheet, under their own numbers', async () => {
    const text = `phone,name\n${Array.from({ length: 60 }, (_, index) => `${'\n,\n'.repeat(20)}${index},a\n`).join('')}`;
    const { preview } = await inspected(files, storedFile(text));
    expect([...names(preview), preview[49]?.rowNumber, preview[49]?.line]).toEqual([
      50,
      '0',
      '49',
      2050,
      2051,
    ]);
    const cell = (value: string) => `<c t="str"><v>${value}</v></c>`;
    const sheet = workbookOf(
      `<row>${cell('phone')}</row>${Array.from({ length: 60 }, (_, index) => `${'<row><c s="0"/></row>'.repeat(40)}<row>${cell(String(index))}</row>`).join('')}`,
    );
    const shown = (await inspected(files, storedFile(sheet))).preview;
    expect([...names(shown), shown[49]?.rowNumber]).toEqual([50, '0', '49', 2050]);
  });

  test('and none of a file with only blank ones', async () => {
    const { preview, warnings } = await inspected(files, storedFile('phone_number,name\n\n,\n'));
    expect([preview, warnings]).toEqual([[], ['There is no contact below the column names']]);
  });

  test('never part of a row', async () => {
    const line = `${'1'.repeat(40)},${'x'.repeat(600_000)}\n`;
    const { preview } = await inspected(files, storedFile(`phone,note\n${line.repeat(40)}`, 65_536));
    expect(preview).toHaveLength(Math.floor((16 * 1024 * 1024) / line.length));
  });
});

describe('rows', () => {
  test('blank ones are counted, short ones filled, long ones truncated, each with a flag', async () => {
    expect(await allRows(files, storedFile('phone,name,city\n1,a,b\n\n , ,\n2\n3,a,b,,\n4,a,b,c\n'))).toEqual(
      [
        { line: 2, rowNumber: 1, isBlank: false, cells: ['1', 'a', 'b'] },
        { line: 3, rowNumber: 2, isBlank: true, cells: [] },
        { line: 4, rowNumber: 3, isBlank: true, cells: [] },
        {
          line: 5,
          rowNumber: 4,
          isBlank: false,
          cells: ['2', '', ''],
          flags: [{ column: null, code: 'cells_missing' }],
        },
        { line: 6, rowNumber: 5, isBlank: false, cells: ['3', 'a', 'b'] },
        {
          line: 7,
          rowNumber: 6,
          isBlank: false,
          cells: ['4', 'a', 'b'],
          flags: [{ column: null, code: 'cells_extra' }],
        },
      ],
    );
  });

  test('a quoted line break advances the line, not the row number', async () => {
    expect(
      (await allRows(files, storedFile('phone,note\n1,"two\nlines"\n2,x\n'))).map(({ line, rowNumber }) => [
        line,
        rowNumber,
      ]),
    ).toEqual([
      [2, 1],
      [4, 2],
    ]);
  });

  test('a broken quote is flagged and affects no other row', async () => {
    expect(
      (await allRows(files, storedFile('phone,name\n1,"Ann\n2,Bob\n'))).map(({ cells, flags }) => [
        cells[0],
        flags?.[0]?.code,
      ]),
    ).toEqual([
      ['1', 'quotes_broken'],
      ['2', undefined],
    ]);
  });

  // guarantee: long-cell-leaves-out-its-row
  test('a cell of a megabyte leaves its row out and is not kept', async () => {
    const rows = await allRows(files, storedFile(`phone,note\n1,${'x'.repeat(1024 * 1024)}\n2,ok\n`, 65_536));
    expect(rows.map(({ flags }) => flags)).toEqual([[{ column: 1, code: 'cell_too_long' }], undefined]);
    expect(rows[0]?.cells[1]?.length).toBeLessThan(300);
  });

  test('a row that is too long in total is left out', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `c${index}`).join(',');
    const rows = await allRows(
      files,
      storedFile(`${names}\n${Array.from({ length: 20 }, () => 'x'.repeat(20_000)).join(',')}\n`, 65_536),
    );
    expect([rows[0]?.flags, rows[0]?.cells.join('').length]).toEqual([
      [{ column: null, code: 'cell_too_long' }],
      20 * 201,
    ]);
  });

  test('no part of a file is kept while its rows are read', async () => {
    // The second half begins only after rows of the first half were handed out: nothing waits for the end.
    let isSecondHalf = false;
    const half = Buffer.from('1,a\n'.repeat(50_000));
    const file = {
      bytes: 2 * half.length,
      async *read() {
        yield await Promise.resolve(Buffer.from('phone,name\n'));
        yield half;
        isSecondHalf = true;
        yield half;
      },
    };
    for await (const rows of files.rows(file, {
      encoding: 'utf8',
      separator: ',',
      sheet: null,
      headerLine: 1,
    })) {
      expect([rows.length > 0, isSecondHalf]).toEqual([true, false]);
      break;
    }
  });
});
