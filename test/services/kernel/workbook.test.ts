import { expect, test } from '@jest/globals';
import { createContactFiles } from '../../../src/providers/contact-files/contact-files.ts';
import { workbookOf } from '../../../src/services/kernel/workbook.ts';
import { allRows, storedFile } from '../../support/contact-file-bytes.ts';

async function written(...rows: string[][]): Promise<Buffer> {
  async function* lines(): AsyncGenerator<string[][]> {
    yield await Promise.resolve(rows);
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of workbookOf(lines())) pieces.push(piece);
  return Buffer.concat(pieces);
}

test('a workbook returns every text exactly as it was written', async () => {
  const texts = [
    '@anna',
    '=1+1',
    '_x0041_',
    '__x000D_',
    'one\rtwo\r\nthree',
    'bell\u0007',
    'delete\u007F',
    '<&">',
    ' spaced ',
  ];
  const file = storedFile(await written(['phone', ...texts.map((_, index) => `c${index}`)], ['1', ...texts]));
  const [row] = await allRows(createContactFiles(), file, { headerLine: 1 });
  expect(row?.cells).toEqual(['1', ...texts]);
});

test('a text that is too long for a cell is cut, so that the workbook opens', async () => {
  const file = storedFile(await written(['phone', 'text'], ['1', 'x'.repeat(40_000)]));
  const [row] = await allRows(createContactFiles(), file, { headerLine: 1 });
  expect(row?.cells.map(({ length }) => length)).toEqual([1, 32_767]);
});
