import { describe, expect, test } from '@jest/globals';
import exceljs from 'exceljs';
import { createContactReader } from '../../../src/domain/directory/read-contact.ts';
import { suggestMapping } from '../../../src/domain/directory/suggest-mapping.ts';
import { createContactFiles } from '../../../src/providers/contact-files/contact-files.ts';
import { allRows, inspected, storedFile, workbookOf } from '../../support/contact-file-bytes.ts';

const files = createContactFiles();

async function written(fill: (workbook: exceljs.Workbook) => void): Promise<Uint8Array> {
  const workbook = new exceljs.Workbook();
  fill(workbook);
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

describe('a workbook is read as it was saved', () => {
  test('numbers, dates, formulas, rich texts and errors become the intended texts, and doubtful ones are flagged', async () => {
    const bytes = await written((workbook) => {
      const sheet = workbook.addWorksheet('Contacts');
      sheet.addRow(['phone', 'born', 'at', 'amount', 'formula', 'rich', 'failed', 'yes', 'long']);
      const row = sheet.addRow([
        14155550130,
        new Date(Date.UTC(2026, 10, 20)),
        new Date(Date.UTC(2026, 10, 20, 9, 30)),
        0.1 + 0.2,
        { formula: 'A2&"x"', result: '14155550130x' },
        { richText: [{ text: 'two ' }, { text: 'pieces' }] },
        { error: '#N/A' },
        true,
        Number('490123456789012345'),
      ]);
      row.getCell(2).numFmt = 'dd/mm/yyyy';
      row.getCell(3).numFmt = 'dd/mm/yyyy hh:mm';
      row.getCell(1).numFmt = '0.00E+00';
    });
    const [row] = await allRows(files, storedFile(bytes));
    expect(row).toEqual({
      line: 2,
      rowNumber: 1,
      isBlank: false,
      cells: [
        '14155550130',
        '2026-11-20',
        '2026-11-20T09:30:00',
        '0.3',
        '14155550130x',
        'two pieces',
        '#N/A',
        'TRUE',
        '490123456789012350',
      ],
      flags: [
        { column: 4, code: 'formula_result' },
        { column: 6, code: 'formula_error' },
        { column: 8, code: 'digits_lost' },
      ],
    });
  });

  // guarantee: date-is-never-a-number
  test('a cell of a date type is never a number, whatever its number is', async () => {
    const bytes = await written((workbook) => {
      const sheet = workbook.addWorksheet('Contacts');
      sheet.addRow(['phone_number']);
      for (const [value, format] of [
        [new Date(Date.UTC(2026, 2, 9)), 'dd/mm/yyyy'],
        [new Date(Date.UTC(2026, 2, 9, 10, 30)), 'm/d/yy h:mm'],
        [2_301_234, 'yyyy-mm-dd'],
        [0.4375, 'hh:mm:ss'],
        [4_930_901_820, 'dd.mm.yyyy'],
        [4_930_901_820, '0'],
      ] as const)
        sheet.addRow([value]).getCell(1).numFmt = format;
    });
    const read = createContactReader({
      columns: ['phone_number'],
      mapping: { ...suggestMapping(['phone_number']), defaultCountry: 'DE' },
      zoneKeyOf: () => '',
    });
    expect((await allRows(files, storedFile(bytes))).map((row) => read(row).findings?.[0]?.code)).toEqual([
      ...Array.from({ length: 5 }, () => 'phone_date'),
      undefined,
    ]);
  });

  test('another sheet that has phone numbers is named, and so are hidden sheets', async () => {
    const bytes = await written((workbook) => {
      workbook.addWorksheet('Cover').addRow(['Report', 'of October']);
      workbook.addWorksheet('People').addRows([
        ['name', 'phone_number'],
        ['Ann', '+14155550130'],
      ]);
      workbook.addWorksheet('Prices', { state: 'hidden' }).addRow(['a', 'b']);
    });
    const { otherSheet, warnings } = await inspected(files, storedFile(bytes));
    expect(otherSheet).toBe('People');
    expect(warnings).toEqual(
      expect.arrayContaining([
        'The sheet Cover has no column with phone numbers; choose the sheet People, which has one',
        'Hidden sheets are not read: Prices',
      ]),
    );
    expect((await inspected(files, storedFile(bytes), { sheet: 'People' })).otherSheet).toBeNull();
  });

  test('hidden rows are flagged, rows that are left out are counted, short ones are filled', async () => {
    const bytes = await written((workbook) => {
      const sheet = workbook.addWorksheet('Contacts');
      sheet.getRow(1).values = ['phone', 'name'];
      sheet.getRow(2).values = ['1', 'Ann'];
      sheet.getRow(5).values = ['2'];
      sheet.getRow(5).hidden = true;
    });
    expect(await allRows(files, storedFile(bytes))).toEqual([
      { line: 2, rowNumber: 1, isBlank: false, cells: ['1', 'Ann'] },
      {
        line: 5,
        rowNumber: 4,
        isBlank: false,
        cells: ['2', ''],
        flags: [{ column: null, code: 'hidden_row' }],
      },
    ]);
  });

  test('the first visible sheet is read, the others are reported and can be chosen', async () => {
    const bytes = await written((workbook) => {
      workbook.addWorksheet('Old', { state: 'hidden' }).addRow(['phone']);
      workbook.addWorksheet('May').addRows([['phone'], ['1']]);
      workbook
        .addWorksheet('June')
        .addRows([['List of June'], ['phone', 'name', 'city'], ['2', 'a', 'b'], ['3', 'a', 'b']]);
    });
    const file = storedFile(bytes);
    const first = await inspected(files, file);
    expect([first.reading, first.choices.sheets, first.warnings]).toEqual([
      { encoding: null, separator: null, sheet: 'May', headerLine: 1 },
      [
        { name: 'Old', isHidden: true },
        { name: 'May', isHidden: false },
        { name: 'June', isHidden: false },
      ],
      [
        'The workbook has 1 other sheet; only May is read',
        'Hidden sheets are not read: Old',
        'No column is called phone_number; phone is proposed for the phone numbers',
      ],
    ]);
    const june = await inspected(files, file, { sheet: 'June' });
    expect([june.columns, june.reading.headerLine, june.above]).toEqual([
      ['phone', 'name', 'city'],
      2,
      [['List of June']],
    ]);
    expect(await files.inspect(file, { sheet: 'July' })).toMatchObject({
      kind: 'refused',
      code: 'no_such_sheet',
    });
  });

  test('texts with phonetic guides, name prefixes, cells without references and escapes lose nothing', async () => {
    const sheet =
      '<x:row><x:c t="s"><x:v>0</x:v></x:c><x:c t="inlineStr"><x:is><x:r><x:t>na</x:t></x:r><x:r><x:t>me</x:t></x:r></x:is></x:c></x:row><x:row r="3"><x:c r="B3" t="str"><x:v>a_x000D_b</x:v></x:c></x:row>';
    const bytes = workbookOf(sheet, {
      prefix: 'x:',
      sharedStrings: '<si><r><t>電話</t></r><r><t>番号</t></r><rPh sb="0" eb="2"><t>デンワ</t></rPh></si>',
    });
    const file = storedFile(bytes, 3);
    expect((await inspected(files, file)).columns).toEqual(['電話番号', 'name']);
    expect(await allRows(files, file)).toEqual([
      { line: 3, rowNumber: 2, isBlank: false, cells: ['', 'a\rb'] },
    ]);
  });

  test('a formula without a saved result is reported', async () => {
    const rows = await allRows(
      files,
      storedFile(
        workbookOf(
          '<row><c t="str"><v>phone</v></c></row><row><c r="A2"><f>B1</f></c><c r="B2"><v>1</v></c></row><row><c r="A3"><f>B1</f></c></row>',
        ),
      ),
    );
    expect(rows[0]).toMatchObject({
      cells: [''],
      flags: expect.arrayContaining([{ column: 0, code: 'formula_error' }]),
    });
  });

  test('an error is recognized by the type of its cell, whatever its name', async () => {
    const rows = await allRows(
      files,
      storedFile(
        workbookOf(
          '<row><c t="str"><v>phone</v></c><c t="str"><v>name</v></c></row><row><c t="e"><v>#N/A</v></c><c t="e"><f>B1</f><v>#SOON!</v></c></row>',
        ),
      ),
    );
    expect(rows[0]).toMatchObject({
      cells: ['#N/A', '#VALUE!'],
      flags: [
        { column: 0, code: 'formula_error' },
        { column: 1, code: 'formula_error' },
      ],
    });
  });

  test('leading zeros of a number format stay', async () => {
    const bytes = await written((workbook) => {
      const sheet = workbook.addWorksheet('Contacts');
      sheet.addRow(['id', 'zip', 'phone', 'plain', 'amount', 'below']);
      const row = sheet.addRow([123, 1067, 301234567, 5, 1.5, -7]);
      for (const [column, format] of ['000000', '[$-407]00000', '0000000000;@', '0', '000', '000'].entries())
        row.getCell(column + 1).numFmt = format;
    });
    expect((await allRows(files, storedFile(bytes)))[0]?.cells).toEqual([
      '000123',
      '01067',
      '0301234567',
      '5',
      '1.5',
      '-7',
    ]);
  });

  test('impossible rows and cells are refused', async () => {
    const header = '<row r="1"><c r="A1" t="str"><v>phone</v></c></row>';
    for (const row of [
      '<row r="9999999"/>',
      '<row r="1"/>',
      '<row r="2"><c r="XFE2"><v>1</v></c></row>',
      '<row r="2"><c r="2"><v>1</v></c></row>',
    ]) {
      await expect(allRows(files, storedFile(workbookOf(header + row)))).rejects.toMatchObject({
        message: expect.stringContaining('damaged'),
      });
    }
  });

  test('custom entities, which could expand without end, are refused', async () => {
    const bytes = workbookOf('<row><c t="str"><v>&lol;</v></c></row>');
    expect(await files.inspect(storedFile(bytes))).toMatchObject({ kind: 'refused', code: 'damaged' });
  });
});
