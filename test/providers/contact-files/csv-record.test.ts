import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { linesOf } from '../../../src/providers/contact-files/lines.ts';
import { recordsOf, type TextRecord } from '../../../src/providers/contact-files/records.ts';

async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield await Promise.resolve(text.slice(at, at + size));
}

async function records(text: string, { separator = ',', size = 7 } = {}): Promise<TextRecord[]> {
  const found: TextRecord[] = [];
  for await (const batch of recordsOf(linesOf(pieces(text, size)), { separator, headerLine: 1 }))
    found.push(...batch);
  return found;
}

const cellsOf = async (text: string, options?: { separator?: string; size?: number }): Promise<string[][]> =>
  (await records(text, options)).map(({ cells }) => cells);

const libraryCells = (text: string, separator = ','): string[][] =>
  parse(text, {
    delimiter: separator,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: false,
  });

describe('records are read as the csv-parse library reads them', () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', 'é', '1', ' ', '"', ',', ';', '\n', '\r\n'),
    maxLength: 8,
  });
  const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });

  test('what a program writes is read cell by cell, over lines and chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom(',', ';', '\t', '|'),
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        async (rows, separator, isAlwaysQuoted, size) => {
          const write = (text: string): string =>
            isAlwaysQuoted || /["\r\n]/.test(text) || text.includes(separator)
              ? `"${text.replaceAll('"', '""')}"`
              : text;
          // A single empty cell and no cell look alike in CSV.
          const written = rows.map((row) => (row.length === 1 && row[0] === '' ? ['x'] : row));
          const text = written.map((row) => row.map(write).join(separator)).join('\n');
          const cells = await cellsOf(`${text}\n`, { separator, size });
          expect(cells).toEqual(written);
          expect(cells).toEqual(libraryCells(text, separator));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('a line with quotes in any place is read as the library reads it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'b', ' ', '"', ','), minLength: 1, maxLength: 14 }),
        async (line) => {
          const isClosed = ((): boolean => {
            try {
              libraryCells(line);
              return true;
            } catch {
              return false; // The library refuses such files.
            }
          })();
          fc.pre(isClosed);
          expect(await cellsOf(line)).toEqual(libraryCells(line));
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('a broken quote affects no other row', () => {
  // guarantee: unclosed-quote-costs-one-row
  test('a quote that never closes leaves its line as written, flagged, and the next line is a new record', async () => {
    const found = await records('phone,name\n1,"Ann\n2,Bob\n3,"Carl, Jr"\n');
    expect(found.map(({ line, cells, fault }) => [line, cells, fault])).toEqual([
      [1, ['phone', 'name'], null],
      [2, ['1', '"Ann'], 'quotes_broken'],
      [3, ['2', 'Bob'], null],
      [4, ['3', 'Carl, Jr'], null],
    ]);
  });

  test('a quote that is open at the end of the file costs one line', async () => {
    expect((await records('a\n"b\nc\nd')).map(({ line, cells, fault }) => [line, cells, fault])).toEqual([
      [1, ['a'], null],
      [2, ['"b'], 'quotes_broken'],
      [3, ['c'], null],
      [4, ['d'], null],
    ]);
  });

  test('quotes inside a quoted cell are kept as written, flagged', async () => {
    expect((await records('1,"Ann "Annie" Smith",x')).map(({ cells, fault }) => [cells, fault])).toEqual([
      [['1', '"Ann "Annie" Smith"', 'x'], 'quotes_broken'],
    ]);
  });

  test('a cell over many lines stays one cell up to a thousand lines', async () => {
    const long = (lines: number): string => `1,"${'x\n'.repeat(lines)}"\n2,b`;
    expect((await cellsOf(long(900), { size: 1000 })).length).toBe(2);
    expect((await records(long(1200), { size: 1000 }))[0]).toMatchObject({
      cells: ['1', '"x'],
      fault: 'quotes_broken',
    });
  });

  test('a file of lines that all open and close quotes is read in linear time, or refused', async () => {
    const lines = 4000;
    await expect(records('x","\n'.repeat(lines), { size: 65_536 })).resolves.toHaveLength(lines);
  });
});

describe('lines end as the file ends them', () => {
  test.each([
    ['a\nb\n', ['a', 'b']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['a\rb\r', ['a', 'b']],
    ['a\n\nb', ['a', '', 'b']],
    ['a', ['a']],
    ['', []],
  ])('%j', async (text, expected) => {
    for (const size of [1, 2, 3, 100])
      expect((await cellsOf(text, { size })).map(([cell]) => cell)).toEqual(expected);
  });

  test('a line break inside quotes stays as written', async () => {
    expect(await cellsOf('a,"b\nc"\r\nd,"e\r\nf"\r\n')).toEqual([
      ['a', 'b\nc'],
      ['d', 'e\r\nf'],
    ]);
  });

  test('a line that is too long for memory is one row that is too long, and the next one is read', async () => {
    const found = await records(`a\n${'x'.repeat(9_000_000)}\nb\n`, { size: 65_536 });
    expect(found.map(({ line, fault }) => [line, fault])).toEqual([
      [1, null],
      [2, 'cell_too_long'],
      [3, null],
    ]);
    expect(found[1]?.text.length).toBeLessThan(4_200_000);
  });
});
