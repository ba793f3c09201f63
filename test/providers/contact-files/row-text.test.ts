import { describe, expect, test } from '@jest/globals';
import { createContactFiles } from '../../../src/providers/contact-files/contact-files.ts';
import { limits } from '../../../src/providers/contact-files/limits.ts';
import { KeptTexts } from '../../../src/providers/contact-files/shared-texts.ts';
import { sheetRows } from '../../../src/providers/contact-files/sheet-rows.ts';
import { allRows, inspected, storedFile, workbookOf, zipOf } from '../../support/contact-file-bytes.ts';

const files = createContactFiles();
const longest = 'x'.repeat(limits.cellCharacters);
const si = (text: string) => `<si><t>${text}</t></si>`;
const shared = (index: number) => `<c t="s"><v>${index}</v></c>`;
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`;
const sharedStrings = ['phone', 'note', '+4930123456', longest].map(si).join('');
const header = row(shared(0), shared(1));

/** What a reader of this sheet takes from the shared texts. */
async function taken(sheetData: string) {
  const texts = new KeptTexts();
  for (const text of ['phone', longest]) texts.add(text);
  let characters = 0;
  const sources = {
    sharedTexts: {
      at(index: number, max?: number) {
        const text = texts.at(index, max);
        characters += text?.length ?? 0;
        return text;
      },
    },
    formats: [],
    startsIn1904: false,
  };
  const pieces = storedFile(`<sheetData>${sheetData}</sheetData>`, 65_536).read();
  let most = 0;
  for await (const rows of sheetRows(pieces, sources))
    most = Math.max(
      most,
      rows.flatMap(({ cells }) => cells).reduce((sum, { length }) => sum + length, 0),
    );
  return { characters, most };
}

describe('the text of a row of a workbook', () => {
  // guarantee: row-text-held-to-its-limit
  test('is held to its limit although 16,000 cells name one long text', async () => {
    const { characters, most } = await taken(row(...Array.from({ length: 16_000 }, () => shared(1))));
    expect(characters).toBeLessThan(limits.rowCharacters + 16_000 * 700);
    expect(most).toBeLessThan(limits.rowCharacters);
  });

  test('is held also of many such rows, which are handed out a few at a time', async () => {
    const long = row(...Array.from({ length: 8 }, () => shared(1)));
    const { most } = await taken(long.repeat(2000));
    expect(most).toBeLessThan(64 * limits.rowCharacters);
  });

  test('leaves its row out with a finding when it is too long, and the rows around it in', async () => {
    const long = row(shared(2), ...Array.from({ length: 9 }, () => shared(3)));
    const sheet = header + row(shared(2)) + long + row(shared(2), shared(1));
    const rows = await allRows(files, storedFile(workbookOf(sheet, { sharedStrings })));
    expect(rows).toMatchObject([
      { cells: ['+4930123456', ''] },
      {
        cells: ['+4930123456', `${'x'.repeat(200)}…`],
        flags: [
          { column: null, code: 'cell_too_long' },
          { column: null, code: 'cells_extra' },
        ],
      },
      { cells: ['+4930123456', 'note'] },
    ]);
  });

  test('counts every kind of cell', async () => {
    const inline = `<c t="inlineStr"><is><t>${longest}</t></is></c>`;
    const long = row(shared(2), ...Array.from({ length: 9 }, () => inline));
    const rows = await allRows(files, storedFile(workbookOf(header + long, { sharedStrings })));
    expect(rows[0]?.flags?.map(({ code }) => code)).toContain('cell_too_long');
  });

  test('makes no header when it is too long', async () => {
    const long = row(...Array.from({ length: 9 }, () => shared(3)));
    expect(await files.inspect(storedFile(workbookOf(long, { sharedStrings })))).toMatchObject({
      kind: 'refused',
      code: 'header_too_long',
    });
  });

  test('above a header that is chosen far below is shown as far as a preview shows it', async () => {
    const sheet = row(shared(1)).repeat(5000) + header + row(shared(2));
    const { above, preview } = await inspected(files, storedFile(workbookOf(sheet, { sharedStrings })), {
      headerLine: 5001,
    });
    expect([above.length, preview.length]).toEqual([limits.previewRows, 1]);
  });
});

describe('a workbook that describes far more than its cells', () => {
  const many = (count: number, each: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => each(index)).join('');
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="r${id}" Type="/${type}" Target="${target}"/>`;
  const bookWith = (parts: Record<string, string>) =>
    zipOf(
      Object.entries({
        'xl/workbook.xml': '<workbook><sheets><sheet name="a" id="r1"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels': `<r>${relation(1, 'worksheet', 's.xml')}${relation(2, 'styles', 'y.xml')}</r>`,
        'xl/s.xml': '<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>',
        'xl/y.xml': '<styleSheet/>',
        ...parts,
      }).map(([path, content]) => ({ path, content })),
    );

  // guarantee: long-xml-piece-refused
  test.each([
    [
      'relations',
      { 'xl/_rels/workbook.xml.rels': `<r>${many(20_000, (id) => relation(id, 'worksheet', 's.xml'))}</r>` },
    ],
    [
      'sheets',
      { 'xl/workbook.xml': `<workbook>${many(20_000, () => '<sheet name="a" id="r1"/>')}</workbook>` },
    ],
    [
      'styles',
      {
        'xl/y.xml': `<styleSheet><cellXfs>${many(200_000, () => '<xf numFmtId="0"/>')}</cellXfs></styleSheet>`,
      },
    ],
    ['comments', { 'xl/y.xml': `<styleSheet><!--${many(600_000, (at) => `-${at % 10}`)}--></styleSheet>` }],
    ['depth', { 'xl/s.xml': `<worksheet>${'<a>'.repeat(10_000)}` }],
    ['attributes', { 'xl/y.xml': `<styleSheet ${many(100_000, (at) => `a${at}="1" `)}/>` }],
    [
      'names',
      Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${index}`.padEnd(60_000, 'n'), ''])),
    ],
  ])('is refused by its %s', async (_what, parts) => {
    expect(await files.inspect(storedFile(bookWith(parts), 65_536))).toMatchObject({
      kind: 'refused',
      code: 'too_large_inside',
    });
  });
});

test('a word of a megabyte delays no other request', async () => {
  const began = performance.now();
  await files.inspect(
    storedFile(Buffer.from(`phone,note\n+4930123456,${'x'.repeat(1024 ** 2)}\xE9\n`, 'latin1')),
  );
  expect(performance.now() - began).toBeLessThan(5000);
});

test('a workbook of many parts is read from the storage in few reads', async () => {
  const parts = Array.from({ length: limits.entries - 1 }, (_, index) => ({
    path: `p${index}`,
    content: '',
  }));
  const stored = storedFile(zipOf(parts), 65_536);
  let reads = 0;
  const counted = {
    bytes: stored.bytes,
    read(...asked: Parameters<typeof stored.read>) {
      reads += 1;
      return stored.read(...asked);
    },
  };
  expect(await files.inspect(counted)).toMatchObject({ kind: 'refused', code: 'not_a_table' });
  expect(reads).toBeLessThan(50);
});
