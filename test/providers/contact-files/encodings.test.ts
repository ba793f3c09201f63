import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { createContactFiles } from '../../../src/providers/contact-files/contact-files.ts';
import { encodings } from '../../../src/providers/contact-files/encodings.ts';
import { findEvidence } from '../../../src/providers/contact-files/text-evidence.ts';
import { allRows, inspected, storedFile, workbookOf } from '../../support/contact-file-bytes.ts';
import { contactsIn, encodedAs, languageNames } from '../../support/contacts-of-languages.ts';
import { isEverythingGenerated } from '../../support/seed.ts';

const files = createContactFiles();

/** Unmarked UTF-32 is refused as binary. */
const written = encodings.filter((encoding) => !encoding.startsWith('utf32'));

interface Judged {
  isFirstRight: boolean;
  isGuess: boolean;
  /** Whether the encoding has all letters of the text. */
  isLossless: boolean;
  isAscii: boolean;
}

async function judged(language: string, encoding: string, rows: number): Promise<Judged> {
  const text = contactsIn(language, rows);
  const bytes = encodedAs(text, encoding);
  const truth = iconv.decode(bytes, encoding);
  const { reading, doubt, warnings } = await inspected(files, storedFile(bytes, 65_536));
  expect([reading.isGuess ?? false, warnings.filter((each) => each === doubt).length]).toEqual(
    doubt === null ? [false, 0] : [true, 1],
  );
  expect(doubt ?? '').not.toContain('mixes');
  return {
    isFirstRight: iconv.decode(bytes, reading.encoding ?? '') === truth,
    isGuess: doubt !== null,
    isLossless: truth === text,
    isAscii: !/[^\p{ASCII}]/u.test(truth),
  };
}

describe('contacts in twenty languages and all encodings', () => {
  const cases = languageNames.flatMap((language) => written.map((encoding) => ({ language, encoding })));
  const inTurn = (share: number) => cases.filter((_, index) => isEverythingGenerated || index % share === 0);

  // guarantee: encoding-certain-or-a-guess
  test.each([
    [10, cases],
    [200, cases],
    // The share has no common divisor with the number of encodings, so it goes through all of them.
    [5000, inTurn(7)],
  ])('%i rows are read right, or said to be a guess: never silently wrong', async (rows, some) => {
    const wrong: string[] = [];
    for (const { language, encoding } of some) {
      const found = await judged(language, encoding, rows);
      const isCertain = encoding === 'utf8' || found.isAscii;
      const isSaid = found.isGuess !== isCertain;
      const isRight = found.isFirstRight || (!isCertain && !found.isLossless);
      if (!isSaid || !isRight) wrong.push(`${language} in ${encoding}: ${JSON.stringify(found)}`);
    }
    expect([some.length > 80, wrong]).toEqual([true, []]);
  });
});

describe('a guess', () => {
  const doubtOf = async (bytes: Uint8Array, wished = {}): Promise<string | null> =>
    (await inspected(files, storedFile(bytes, 1000), wished)).doubt;

  test('shows the first line with letters under each candidate', async () => {
    const text = `phone,name\n${'+14155550130,Ann\n'.repeat(100)}+420604111222,Jiří Dvořák\n`;
    expect(await doubtOf(iconv.encode(text, 'win1250'))).toMatch(
      /^The text is not UTF-8, and its encoding is a guess\. Line 102 is win1250: «\+420604111222,Jiří Dvořák», .*win1252: «\+420604111222,Jiøí Dvoøák»/,
    );
  });

  test('shows a line on which the likeliest candidates differ, because on most they may be alike', async () => {
    const text = `phone,name\n${'+4930901820,Jürgen Müller\n'.repeat(50)}+36301234567,Győző Fűzfás\n`;
    expect(await doubtOf(iconv.encode(text, 'win1250'))).toMatch(
      /Line 52 is win1250: «\+36301234567,Győző Fűzfás»/,
    );
  });

  test('is made by the letters of the whole file, not of its beginning', async () => {
    const german = '+4930901820,Jürgen Müller\n'.repeat(20_000);
    const turkish = contactsIn('turkish', 50);
    const { reading } = await inspected(
      files,
      storedFile(iconv.encode(`phone,name\n${german}${turkish}`, 'win1254'), 65_536),
    );
    expect(reading.encoding).toBe('win1254');
  });

  test.each([
    ['a currency', 'win1252', '+4930901820,50 €'],
    ['quotes and a dash', 'win1252', '+4930901820,“Müller & Co” – later'],
    [
      'one name among many in ASCII',
      'win1253',
      `${'+4930901820,Ann\n'.repeat(200)}+302101234567,Γιώργος Μακρής`,
    ],
    ['one Hebrew name', 'win1255', '+97221234567,שרה פרידמן'],
    ['one Turkish name', 'win1254', '+905321234567,Ayşe Yıldırım'],
    ['French of a Macintosh, with its line ends', 'macintosh', 'x,Hélène Lefèvre\ry,François Noël'],
    ['German of DOS', 'cp850', '+4930901820,Günter Weiß\n+4930901821,Jörg Schröder'],
  ])('is right for %s', async (_what, encoding, rows) => {
    const text = `phone,name\n${rows}\n`.replaceAll('\n', rows.includes('\r') ? '\r' : '\n');
    const bytes = iconv.encode(text, encoding);
    const { reading } = await inspected(files, storedFile(bytes));
    expect([iconv.decode(bytes, reading.encoding ?? ''), reading.isGuess]).toEqual([text, true]);
  });

  test('ends when people choose an encoding, be it the guessed one', async () => {
    const bytes = iconv.encode('phone,name\n+4930901820,Müller\n', 'win1252');
    const { reading, doubt } = await inspected(files, storedFile(bytes), { encoding: 'cp1252' });
    expect([reading, doubt]).toEqual([
      { encoding: 'win1252', separator: ',', sheet: null, headerLine: 1 },
      null,
    ]);
    expect(await doubtOf(bytes, { encoding: 'win1252', isGuess: true })).toContain('guess');
  });

  test('is not needed for ASCII, valid UTF-8 and byte-order marks, but for UTF-16 without one', async () => {
    const [ascii, text] = ['phone,name\n+4930901820,Ann\n', 'phone,name\n+79161234567,Иван\n'];
    const marked = (encoding: string) => iconv.encode(text, encoding, { addBOM: true });
    for (const certain of [
      Buffer.from(ascii),
      Buffer.from(text),
      Buffer.from(ascii, 'utf16le'),
      ...['utf8', 'utf16le', 'utf16be', 'utf32le', 'utf32be'].map(marked),
    ]) {
      const { doubt, columns, preview } = await inspected(files, storedFile(certain));
      expect([doubt, columns, preview.length]).toEqual([null, ['phone', 'name'], 1]);
    }
    expect(await doubtOf(Buffer.from(text, 'utf16le'))).toContain('Line 2 is utf16le: «+79161234567,Иван»');
  });
});

describe('a text that mixes encodings', () => {
  const line = (encoding: string) => iconv.encode('+79161234568,Мария Иванова\n', encoding);
  const mixed = (most: string, odd: string) =>
    Buffer.concat([
      Buffer.from('phone,name\n'),
      ...Array.from({ length: 1000 }, (_, row) => line([300, 700].includes(row) ? odd : most)),
    ]);

  test.each([
    ['utf8', 'win1251', 'most of it is UTF-8, but not lines 302, 702'],
    ['win1251', 'utf8', 'most of it is not UTF-8, but lines 302, 702'],
  ])(
    '%s with lines in %s is reported with these lines, and only their rows are damaged',
    async (most, odd, words) => {
      const file = storedFile(mixed(most, odd), 1000);
      const { reading, doubt } = await inspected(files, file);
      expect([reading.encoding, reading.isGuess, doubt]).toEqual([
        most,
        true,
        expect.stringContaining(words),
      ]);
      expect(doubt).toContain(`${odd}: «+79161234568,Мария Иванова»`);
      const damaged = (await allRows(files, file)).filter(({ flags }) => flags !== undefined);
      expect(damaged.map(({ line: at, flags }) => [at, flags])).toEqual(
        [302, 702].map((at) => [at, [{ column: 1, code: 'text_damaged' }]]),
      );
    },
  );

  test('is a guess in spite of a byte-order mark', async () => {
    const bytes = Buffer.concat([Buffer.from('\uFEFFphone,name\n'), line('utf8'), line('win1251')]);
    const { reading, doubt } = await inspected(files, storedFile(bytes));
    expect([reading.encoding, doubt]).toEqual(['utf8', expect.stringContaining('not line 3')]);
  });
});

describe('letters that another program has damaged', () => {
  const garbled = (text: string, encoding: string) => iconv.decode(Buffer.from(text), encoding);
  const rowsBefore = 5000;

  // guarantee: garbled-cells-found-in-all-rows
  test.each([
    ['win1252', 'Jörg Müller'],
    ['win1251', 'Иван Петров'],
    ['win1250', 'Győző Fűzfás'],
    ['macintosh', 'Hélène Lefèvre'],
  ])('are found far below the preview: UTF-8 that was read as %s', async (encoding, name) => {
    const text = `phone,name\n${`+14155550130,${name}\n`.repeat(rowsBefore)}+14155550131,${garbled(name, encoding)}\n`;
    const rows = await allRows(files, storedFile(text, 65_536));
    expect(rows.flatMap(({ rowNumber, flags }) => (flags === undefined ? [] : [[rowNumber, flags]]))).toEqual(
      [[rowsBefore + 1, [{ column: 1, code: 'text_damaged' }]]],
    );
  });

  test('are found in workbooks and in column names, too', async () => {
    const cell = (text: string) => `<c t="str"><v>${text}</v></c>`;
    const sheet = workbookOf(
      `<row>${cell('phone_number')}${cell(garbled('Prénom', 'win1252'))}</row><row>${cell('1')}${cell(garbled('Zoé', 'win1252'))}</row>`,
    );
    const { preview, warnings } = await inspected(files, storedFile(sheet));
    expect([preview[0]?.flags, warnings]).toEqual([
      [{ column: 1, code: 'text_damaged' }],
      [expect.stringContaining('column names are damaged')],
    ]);
  });

  test.each(languageNames)('are not seen in right texts: %s', async (language) => {
    const rows = await allRows(files, storedFile(contactsIn(language, 200), 65_536));
    expect(rows.filter(({ flags }) => flags !== undefined)).toEqual([]);
  });
});

test('of a text of any size, a bounded part is kept', async () => {
  const lines = Array.from(
    { length: 20_000 },
    (_, row) => `${String.fromCodePoint(0xe0 + (row % 30))}x${row}y`,
  );
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from(lines.join('\n'), 'latin1'));
    yield Buffer.alloc(3_000_000, 0xe9);
  }
  const { other, words } = await findEvidence(pieces(), 0x0a);
  expect([other.count >= 20_000, other.first.length, words.length > 400, words.length <= 1024]).toEqual([
    true,
    100,
    true,
    true,
  ]);
});
