import exceljs from 'exceljs';
import iconv from 'iconv-lite';
import type { Mapping } from '../../src/domain/directory/mapping.ts';
import type { Reading } from '../../src/domain/directory/reading.ts';
import type { RefusalCode } from '../../src/providers/contact-files/port.ts';
import { workbookOf, zipOf } from './contact-file-bytes.ts';

/** A file, and what a person chooses for it. */
export interface Kind {
  file: Uint8Array | string | Promise<Uint8Array>;
  mapping?: Partial<Mapping>;
  reading?: Partial<Reading>;
}

/** What an import says. */
export interface Said {
  /** Of each row that is not blank: its state, the number that is dialed, and the codes of its findings. */
  rows?: string[];
  /** The cells of the first row. */
  cells?: string[];
  columns?: string[];
  reading?: Partial<Reading>;
  /** Every warning; none if it is absent. */
  warnings?: RegExp[];
}
export type Refused = { refused: [RefusalCode, RegExp] };

const ada = 'ok 12025550101';
const grace = 'ok 12025550102';
const two = 'phone_number,name\n+12025550101,Ada\n+12025550102,Grace\n';
const wide = (text: string) => Buffer.from(text, 'utf16le');
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();

/** A file with one cell per row, each with what is said of it. */
const cellsOf = (said: readonly [string, string][], mapping: Partial<Mapping> = {}): [Kind, Said] => [
  {
    file: `phone_number;name\n${said.map(([cell]) => `"${cell.replaceAll('"', '""')}";Ada\n`).join('')}`,
    mapping,
    reading: { separator: ';', headerLine: 1 },
  },
  { rows: said.map(([, row]) => row) },
];

async function written(fill: (workbook: exceljs.Workbook) => void): Promise<Uint8Array> {
  const workbook = new exceljs.Workbook();
  fill(workbook);
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

const sheetWith = (...rows: exceljs.CellValue[][]): Promise<Uint8Array> =>
  written((workbook) => {
    workbook.addWorksheet('Contacts').addRows(rows);
  });

/** Cells of the phone column of a workbook, with their formats. */
const cellsOfSheet = (...cells: [value: exceljs.CellValue, format?: string][]): Promise<Uint8Array> =>
  written((workbook) => {
    const sheet = workbook.addWorksheet('Contacts');
    sheet.addRow(['phone_number', 'name']);
    for (const [value, format] of cells) {
      const cell = sheet.addRow([value, 'Ada']).getCell(1);
      if (format !== undefined) cell.numFmt = format;
    }
  });

const compound = Buffer.concat([
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
  Buffer.alloc(2000),
]);
const textCell = (text: string) => `<c t="str"><v>${text}</v></c>`;
const guess = [/a guess/];
const inGerman = { defaultCountry: 'DE' };
const long = (letters: number) => 'x'.repeat(letters);

/** Lines in an encoding, with enough words to tell it from others. */
const inEncoding = (encoding: string, header: string, names: readonly string[]): [Kind, Said] => [
  {
    file: iconv.encode(
      `${header}\n${names.map((name, index) => `+1202555010${index};${name}\n`).join('')}`,
      encoding,
    ),
  },
  {
    rows: names.map((_, index) => `ok 1202555010${index}`),
    cells: ['+12025550100', names[0] ?? ''],
    reading: { encoding },
    warnings: guess,
  },
];

/** Every kind of ugly contact file that we know, and what the import says of it. */
export const zoo: Record<string, [Kind, Said | Refused]> = {
  // Phone cells.
  'dates as cells of a workbook': [
    {
      file: cellsOfSheet(
        [new Date(Date.UTC(2026, 2, 9)), 'dd/mm/yyyy'],
        [new Date(Date.UTC(2026, 2, 9, 10, 30)), 'm/d/yy h:mm'],
        [0.4375, 'hh:mm:ss'],
        [4_930_901_820, 'dd.mm.yyyy'],
      ),
      mapping: inGerman,
    },
    { rows: [...Array.from({ length: 3 }, () => 'invalid phone_date'), 'invalid 4930901820 phone_date'] },
  ],
  'dates as text': cellsOf(
    ['2026-03-09', '09.03.2026', '3/9/2026', '9 March 2026', '2026-03-09T10:30:00Z', '10:30'].map(
      (cell): [string, string] => [cell, 'invalid phone_date'],
    ),
    inGerman,
  ),
  'ranges of numbers': cellsOf([
    ['+49 30 1234 110 - 112', 'invalid phone_several'],
    ['+493012345678 bis 80', 'invalid phone_several'],
    ['+49 30 123456/7', 'invalid phone_several'],
  ]),
  extensions: cellsOf([
    ['+1 202 555 0101 ext. 12', 'ok 12025550101 phone_extension'],
    ['+1 202 555 0102 x12', 'ok 12025550102 phone_extension'],
    ['+12025550103;ext=7', 'ok 12025550103 phone_extension'],
    ['+12025550104#12', 'ok 12025550104 phone_extension'],
  ]),
  'words for extensions in other languages': cellsOf([
    ['+7 495 123-45-67 доб. 12', 'ok 74951234567 phone_extension'],
    ['+49 30 123456 Durchwahl 12', 'ok 4930123456 phone_extension'],
    ['+33 1 42 68 53 00 poste 12', 'ok 33142685300 phone_extension'],
  ]),
  'several extensions': cellsOf([['+12025550101 x12 x13', 'invalid phone_several']]),
  'two numbers glued together': cellsOf([
    ['+12025550101+12025550102', 'invalid phone_several'],
    ['1202555010112025550102', 'invalid phone_long'],
  ]),
  'several numbers in a cell': cellsOf([
    ['+12025550101, +12025550102', 'invalid phone_several'],
    ['+12025550101 / +12025550102', 'invalid phone_several'],
    ['+12025550101\n+12025550102', 'invalid phone_several'],
    ['+12025550101 or +12025550102', 'invalid phone_several'],
    ['+12025550101 ::: +12025550102', 'invalid phone_several'],
  ]),
  'scientific notation': cellsOf([
    ['4.93E+12', 'invalid phone_scientific'],
    ['1,20256E+10', 'invalid phone_scientific'],
    ['1.2e10', 'invalid phone_scientific'],
  ]),
  'floats with .0': cellsOf([
    ['12025550101.0', 'invalid phone_decimal'],
    ['12025550101,00', 'invalid phone_decimal'],
    ['12,025,550,101', 'invalid phone_decimal'],
  ]),
  'a leading apostrophe': cellsOf([
    ["'+12025550101", ada],
    ['’+12025550102', grace],
  ]),
  'a formula that protects the number': cellsOf([['="+12025550101"', ada]]),
  'leading zeros that were lost': cellsOf(
    [
      ['15123456789', 'ok 4915123456789'],
      ['301234567', 'ok 49301234567'],
    ],
    inGerman,
  ),
  'leading zeros that were lost, without a country': cellsOf([['301234567', 'invalid phone_no_country']]),
  'plus and spaces': cellsOf([
    ['+1 202 555 0101', ada],
    ['+ 1 (202) 555-0102', grace],
  ]),
  'two zeros in place of the plus': cellsOf([
    ['0012025550101', ada],
    ['00 1 202 555 0102', grace],
  ]),
  'national numbers with a country': cellsOf(
    [
      ['030 1234567', 'ok 49301234567'],
      ['0151/23456789', 'ok 4915123456789'],
      ['+1 202 555 0101', ada],
    ],
    inGerman,
  ),
  'national numbers without a country': cellsOf([
    ['030 1234567', 'invalid phone_no_country'],
    ['(202) 555-0101', 'invalid phone_no_country'],
  ]),
  'the trunk zero in brackets': cellsOf([
    ['+49 (0)30 1234567', 'ok 49301234567'],
    ['+44 (0) 20 7946 0958', 'ok 442079460958'],
  ]),
  'spaces that do not break, and invisible ones': cellsOf([
    ['+1\u00A0202\u00A0555\u00A00101', ada],
    ['\u200B+12025550102\u200B', grace],
    ['+1\u2009202\u202F555\u20090103', 'ok 12025550103'],
  ]),
  'marks of the direction of writing': cellsOf([['\u202A+12025550101\u202C', ada]]),
  'full-width digits': cellsOf([['＋１２０２５５５０１０１', ada]]),
  'Arabic-Indic and Persian digits, which are not read anywhere': cellsOf([
    ['+١٢٠٢٥٥٥٠١٠١', 'invalid phone_invalid'],
    ['+۱۲۰۲۵۵۵۰۱۰۲', 'invalid phone_invalid'],
  ]),
  'letters that stand for digits': cellsOf([['1-800-FLOWERS', 'invalid phone_letters']]),
  'words beside the number': cellsOf([
    ['call +12025550101 please', 'invalid phone_letters'],
    ['n/a', 'invalid phone_letters'],
  ]),
  'an address of mail in the phone column': cellsOf([['ada@example.com', 'invalid phone_letters']]),
  'tel: and brackets': cellsOf([
    ['tel:+12025550101', ada],
    ['<+12025550102>', grace],
  ]),
  'emergency numbers': cellsOf([
    ['112', 'invalid phone_emergency'],
    ['911', 'invalid phone_emergency'],
  ]),
  'premium and toll-free numbers': cellsOf([
    ['+19002345678', 'invalid phone_premium'],
    ['+18005550199', 'ok 18005550199 phone_toll_free'],
  ]),
  'numbers that no plan assigns': cellsOf([['+19995550101', 'ok 19995550101 phone_unassigned']]),
  'numbers that no plan assigns, left out': cellsOf(
    [['+19995550101', 'invalid 19995550101 phone_unassigned']],
    { unassigned: 'leave_out' },
  ),
  'numbers that are too short or too long': cellsOf([
    ['+12345', 'invalid phone_short'],
    ['+1202555010112345', 'invalid phone_long'],
  ]),
  'no number': cellsOf([
    ['', 'no_phone phone_missing'],
    ['  ', 'no_phone phone_missing'],
    ['-', 'invalid phone_invalid'],
  ]),
  'the same number twice': cellsOf([
    ['+12025550101', ada],
    ['+12025550101', 'duplicate 12025550101 duplicate'],
  ]),
  'the same number in different notations': cellsOf([
    ['+12025550101', ada],
    ['001 (202) 555-0101', 'duplicate 12025550101 duplicate'],
    ["'12025550101", 'duplicate 12025550101 duplicate'],
  ]),
  'the same number twice, all called': cellsOf(
    [
      ['+12025550101', ada],
      ['+12025550101', ada],
    ],
    { duplicates: 'all' },
  ),

  // Encodings.
  'UTF-8 with its mark': [
    { file: `\uFEFF${two}` },
    { rows: [ada, grace], columns: ['phone_number', 'name'] },
  ],
  'UTF-8 with its mark twice': [
    { file: `\uFEFF\uFEFF${two}` },
    { rows: [ada, grace], columns: ['phone_number', 'name'] },
  ],
  'UTF-16 LE with its mark': [
    { file: wide(`\uFEFF${two}`) },
    { rows: [ada, grace], reading: { encoding: 'utf16le' } },
  ],
  'UTF-16 LE without a mark': [{ file: wide(two) }, { rows: [ada, grace], reading: { encoding: 'utf16le' } }],
  'UTF-16 BE with its mark': [
    { file: swapped(`\uFEFF${two}`) },
    { rows: [ada, grace], reading: { encoding: 'utf16be' } },
  ],
  'UTF-16 BE without a mark': [
    { file: swapped(two) },
    { rows: [ada, grace], reading: { encoding: 'utf16be' } },
  ],
  'Central European (1250)': inEncoding('win1250', 'phone_number;jméno', [
    'Jiří Dvořák',
    'Zdeněk Růžička',
    'Šárka Černá',
    'Tomáš Žižka',
    'Věra Němečková',
  ]),
  'Cyrillic (1251)': inEncoding('win1251', 'phone_number;имя', [
    'Иван Петров',
    'Мария Ёлкина',
    'Сергей Кузнецов',
    'Ольга Васильева',
  ]),
  'Western European (1252)': inEncoding('win1252', 'phone_number;name', [
    'José García',
    'Zoé Müller',
    'François Lefèvre',
    'Jörg Weiß',
  ]),
  'Greek (1253)': inEncoding('win1253', 'phone_number;όνομα', [
    'Γιώργος Παπαδόπουλος',
    'Μαρία Ιωάννου',
    'Νίκος Αντωνίου',
    'Ελένη Γεωργίου',
  ]),
  'Turkish (1254)': inEncoding('win1254', 'phone_number;ad', [
    'Ayşe Yılmaz',
    'Mehmet Öztürk',
    'Çağlar Şahin',
    'Gülşen Doğan',
    'Işıl Kılıç',
  ]),
  'Hebrew (1255)': inEncoding('win1255', 'phone_number;שם', [
    'משה כהן',
    'שרה לוי',
    'דוד מזרחי',
    'רחל ישראלי',
  ]),
  'Mac Roman': inEncoding('macintosh', 'phone_number;name', [
    'José García',
    'Zoé Müller',
    'François Lefèvre',
    'Jörg Weiß',
    'Renée Fournier',
  ]),
  'bytes of two encodings': [
    {
      file: Buffer.concat([
        Buffer.from('phone_number,name\n+12025550101,Jiří Dvořák\n'),
        iconv.encode('+12025550102,Иван Петров\n', 'win1251'),
      ]),
    },
    { rows: [ada, `${grace} text_damaged`], warnings: [/mixes encodings/] },
  ],
  'letters that were damaged before': [
    { file: 'phone_number,name\n+12025550101,MÃ¼ller\n+1202555010\uFFFD,Ada\n' },
    { rows: [`${ada} text_damaged`, 'invalid text_damaged phone_invalid'] },
  ],
  'NUL bytes': [
    { file: Buffer.from('phone_number,name\n+12025550101,A\0da\n') },
    { refused: ['not_a_table', /neither text nor a workbook/] },
  ],

  // Separators, quotes and lines.
  semicolons: [{ file: two.replaceAll(',', ';') }, { rows: [ada, grace], reading: { separator: ';' } }],
  tabs: [{ file: two.replaceAll(',', '\t') }, { rows: [ada, grace], reading: { separator: '\t' } }],
  pipes: [{ file: two.replaceAll(',', '|') }, { rows: [ada, grace], reading: { separator: '|' } }],
  'a line with sep=': [
    { file: `sep=;\n${two.replaceAll(',', ';')}` },
    {
      rows: [ada, grace],
      reading: { separator: ';', headerLine: 2 },
      warnings: [/Line 2 is taken for the column names/],
    },
  ],
  'a quote that never closes': [
    { file: 'phone_number,name\n+12025550101,"Ada\n+12025550102,Grace\n' },
    { rows: [`${ada} quotes_broken`, grace], warnings: [/Quotes in some rows/] },
  ],
  'quotes in the middle of a cell': [
    { file: 'phone_number,name\n+12025550101,Ada "the first" L\n' },
    { rows: [ada], cells: ['+12025550101', 'Ada "the first" L'] },
  ],
  'text after a closing quote': [
    { file: 'phone_number,name\n+12025550101,"Ada" L\n' },
    { rows: [`${ada} quotes_broken`], warnings: [/Quotes in some rows/] },
  ],
  'line breaks inside quotes': [
    { file: 'phone_number,name\n+12025550101,"Ada\nCountess"\n+12025550102,Grace\n' },
    { rows: [ada, grace], cells: ['+12025550101', 'Ada\nCountess'] },
  ],
  'mixed line ends': [
    { file: 'phone_number,name\r\n+12025550101,Ada\n+12025550102,Grace\r\n' },
    { rows: [ada, grace], cells: ['+12025550101', 'Ada'] },
  ],
  'carriage returns alone': [{ file: two.replaceAll('\n', '\r') }, { rows: [ada, grace] }],
  'no line end at the end': [{ file: two.trimEnd() }, { rows: [ada, grace] }],
  'empty lines': [
    { file: 'phone_number,name\n\n+12025550101,Ada\n , \n\n+12025550102,Grace\n\n' },
    { rows: [ada, grace] },
  ],
  'separators at the ends of lines': [
    { file: 'phone_number,name,\n+12025550101,Ada,\n+12025550102,Grace,\n' },
    {
      rows: [ada, grace],
      columns: ['phone_number', 'name', 'column_3'],
      warnings: [/Columns without a name are called column_3/],
    },
  ],
  'rows that are too short or too long': [
    { file: 'phone_number,name\n+12025550101\n+12025550102,Grace,extra\n' },
    { rows: [`${ada} cells_missing`, `${grace} cells_extra`] },
  ],
  'a very long cell': [
    { file: `phone_number,name\n+12025550101,${long(40_000)}\n+12025550102,Grace\n` },
    { rows: ['invalid 12025550101 cell_too_long', grace] },
  ],
  'a mark of the end of the file': [
    { file: `${two}\u001A` },
    { rows: [ada, grace, 'invalid cells_missing phone_invalid'] },
  ],

  // Headers and columns.
  'a header below the first line': [
    { file: `Export of today\n\n${two}` },
    {
      rows: [ada, grace],
      reading: { headerLine: 3 },
      warnings: [/Line 3 is taken for the column names; the lines above it are ignored/],
    },
  ],
  'no header': [
    { file: '+12025550101,Ada\n+12025550102,Grace\n', mapping: { phone: '+12025550101' } },
    { rows: [grace], warnings: [/looks like a contact/] },
  ],
  'a header twice': [
    { file: `${two}phone_number,name\n+12025550103,Kurt\n` },
    { rows: [ada, grace, 'invalid phone_letters', 'ok 12025550103'] },
  ],
  'column names twice': [
    { file: 'phone_number,name,name\n+12025550101,Ada,L\n' },
    {
      rows: [ada],
      columns: ['phone_number', 'name', 'name_2'],
      warnings: [/the later ones are called name_2/],
    },
  ],
  'unnamed columns': [
    { file: 'phone_number,,name\n+12025550101,1,Ada\n' },
    {
      rows: [ada],
      columns: ['phone_number', 'column_2', 'name'],
      warnings: [/Columns without a name are called column_2/],
    },
  ],
  'a phone column of another name': [
    { file: 'Handynummer,Name\n+12025550101,Ada\n' },
    { rows: [ada], warnings: [/Handynummer is proposed for the phone numbers/] },
  ],
  'several phone columns': [
    { file: 'Mobile,Home phone\n+12025550101,+12025550102\n' },
    { rows: ['no_phone phone_missing'], warnings: [/Mobile, Home phone may have .*choose one/] },
  ],
  'column names in capitals and with spaces': [
    { file: ' PHONE_NUMBER ,Name\n+12025550101,Ada\n' },
    { rows: [ada] },
  ],
  'emoji in names': [
    { file: 'phone_number,name 😀\n+12025550101,Ada 👩‍💻\n' },
    { rows: [ada], columns: ['phone_number', 'name 😀'], cells: ['+12025550101', 'Ada 👩‍💻'] },
  ],
  'text that a spreadsheet would run': [
    { file: `phone_number,name\n+12025550101,=cmd|'/C calc'!A0\n=1+1,Ada\n` },
    { rows: [ada, 'invalid phone_invalid'], cells: ['+12025550101', "=cmd|'/C calc'!A0"] },
  ],
  'one column': [{ file: 'phone_number\n+12025550101\n+12025550102\n' }, { rows: [ada, grace] }],
  '16,384 columns': [
    { file: `phone_number,${Array.from({ length: 16_383 }, (_, index) => `c${index}`).join(',')}\n` },
    { refused: ['too_many_columns', /16384 columns, and at most 500/] },
  ],
  'only a header': [
    { file: 'phone_number,name\n' },
    { warnings: [/There is no contact below the column names/] },
  ],
  'an empty file': [{ file: '' }, { refused: ['empty', /The file is empty/] }],
  'a file of blank lines': [{ file: '\n \r\n\n' }, { refused: ['no_header', /only blank lines/] }],

  // Workbooks.
  'numbers as numbers of a workbook': [
    { file: cellsOfSheet([12_025_550_101], [12_025_550_102, '0.00E+00'], [301_234_567, '0000000000']) },
    { rows: [ada, grace, 'invalid phone_no_country'] },
  ],
  'numbers with decimals in a workbook': [
    { file: cellsOfSheet([12_025_550_101.5]) },
    { rows: ['invalid phone_decimal'] },
  ],
  'a number of too many digits in a workbook': [
    { file: cellsOfSheet([Number('490123456789012345')]) },
    { rows: ['invalid digits_lost phone_long'] },
  ],
  formulas: [
    { file: cellsOfSheet([{ formula: '"+1202"&"5550101"', result: '+12025550101' }]) },
    { rows: [`${ada} formula_result`] },
  ],
  'formulas without a saved result': [
    {
      file: workbookOf(
        `<row>${textCell('phone_number')}</row><row><c><f>A1</f></c><c t="str"><v>x</v></c></row>`,
      ),
    },
    { rows: ['no_phone formula_error cells_extra phone_missing'] },
  ],
  'error cells': [
    {
      file: sheetWith(
        ['phone_number', 'name'],
        ['+12025550101', { error: '#N/A' }],
        [{ error: '#REF!' }, 'Ada'],
      ),
    },
    { rows: [`${ada} formula_error`, 'no_phone formula_error phone_missing'] },
  ],
  'errors of a spreadsheet in a text': [
    { file: 'phone_number,name\n+12025550101,#REF!\n+12025550102,Err:502\n' },
    { rows: [`${ada} formula_error`, `${grace} formula_error`] },
  ],
  'a hidden sheet': [
    {
      file: written((workbook) => {
        workbook.addWorksheet('Old', { state: 'hidden' }).addRows([['phone_number'], ['+12025550102']]);
        workbook.addWorksheet('Contacts').addRows([['phone_number'], ['+12025550101']]);
      }),
    },
    { rows: [ada], reading: { sheet: 'Contacts' }, warnings: [/Hidden sheets are not read: Old/] },
  ],
  'several sheets': [
    {
      file: written((workbook) => {
        workbook.addWorksheet('Contacts').addRows([['phone_number'], ['+12025550101']]);
        workbook.addWorksheet('More').addRows([['phone_number'], ['+12025550102']]);
      }),
    },
    { rows: [ada], warnings: [/The workbook has 1 other sheet; only Contacts is read/] },
  ],
  'contacts on a later sheet': [
    {
      file: written((workbook) => {
        workbook.addWorksheet('Notes').addRows([['What'], ['Contacts of autumn']]);
        workbook.addWorksheet('Contacts').addRows([['phone_number'], ['+12025550101']]);
      }),
      mapping: { phone: 'What' },
    },
    {
      rows: ['invalid phone_letters'],
      warnings: [/Notes has no column with phone numbers; choose the sheet Contacts/, /1 other sheet/],
    },
  ],
  'an empty first sheet': [
    {
      file: written((workbook) => {
        workbook.addWorksheet('Empty');
        workbook.addWorksheet('Contacts').addRows([['phone_number'], ['+12025550101']]);
      }),
    },
    { refused: ['no_header', /The sheet Empty has no cells; choose the sheet Contacts/] },
  ],
  'merged cells': [
    {
      file: written((workbook) => {
        const sheet = workbook.addWorksheet('Contacts');
        sheet.addRows([
          ['Contacts of autumn', ''],
          ['phone_number', 'name'],
          ['+12025550101', 'Ada'],
          ['+12025550102', 'Ada'],
        ]);
        sheet.mergeCells('A1:B1');
        sheet.mergeCells('B3:B4');
      }),
    },
    { rows: [ada, grace], reading: { headerLine: 2 }, warnings: [/Line 2 is taken for the column names/] },
  ],
  'hidden rows': [
    {
      file: written((workbook) => {
        const sheet = workbook.addWorksheet('Contacts');
        sheet.addRows([['phone_number'], ['+12025550101'], ['+12025550102']]);
        sheet.getRow(3).hidden = true;
      }),
    },
    { rows: [ada, `${grace} hidden_row`] },
  ],
  'rich text and links': [
    {
      file: sheetWith(
        ['phone_number', 'name'],
        [{ richText: [{ text: '+1202' }, { text: '5550101' }] }, 'Ada'],
        [{ text: '+12025550102', hyperlink: 'tel:+12025550102' }, 'Grace'],
      ),
    },
    { rows: [ada, grace] },
  ],
  'a sheet of 16,384 columns': [
    {
      file: workbookOf(
        `<row>${textCell('phone_number')}${Array.from({ length: 16_383 }, (_, index) => textCell(`c${index}`)).join('')}</row>`,
      ),
    },
    { refused: ['too_many_columns', /at most 500/] },
  ],

  // Files of other types.
  'a PDF': [{ file: '%PDF-1.7\n1 0 obj' }, { refused: ['not_a_table', /a PDF file/] }],
  'an archive of a CSV': [
    { file: zipOf([{ path: 'contacts.csv', content: two }]) },
    { refused: ['not_a_table', /unpack it/] },
  ],
  'a web page saved as .xls': [
    { file: '<html><table><tr><td>phone_number</td></tr></table></html>' },
    { refused: ['not_a_table', /web page/] },
  ],
  'an old workbook (.xls)': [
    { file: compound },
    { refused: ['old_workbook', /save it as an Excel workbook/] },
  ],
  'a workbook of Numbers': [
    { file: zipOf([{ path: 'Index/Document.iwa', content: 'x' }]) },
    { refused: ['other_workbook', /\.xlsx/] },
  ],
  'a workbook of LibreOffice (.ods)': [
    {
      file: zipOf([
        { path: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' },
        { path: 'content.xml', content: '<x/>' },
      ]),
    },
    { refused: ['other_workbook', /\.xlsx/] },
  ],
  'a workbook with a password': [
    { file: Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le')]) },
    { refused: ['locked_workbook', /save it without one/] },
  ],
  'half a workbook': [
    { file: workbookOf(`<row>${textCell('phone_number')}</row>`).subarray(0, 500) },
    { refused: ['damaged', /not uploaded completely/] },
  ],
  'an archive that unpacks to thousands of times its size': [
    {
      file: workbookOf(
        `<row>${textCell('phone_number')}</row>${'<row><c><v>1</v></c></row>'.repeat(500_000)}`,
      ),
    },
    { refused: ['too_large_inside', /./] },
  ],
};
