import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { createContactFiles } from '../../../src/providers/contact-files/contact-files.ts';
import { KeptTexts } from '../../../src/providers/contact-files/shared-texts.ts';
import { allRows, inspected, storedFile, workbookOf } from '../../support/contact-file-bytes.ts';

const files = createContactFiles();

/** Bytes of the JavaScript heap after a full garbage collection. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}

describe('texts that the cells of a workbook share', () => {
  // guarantee: shared-text-limit-refuses-workbook
  test('more texts than the limit are refused, with the limit and the remedy', async () => {
    const letters = randomBytes(1024 * 1024)
      .toString('base64')
      .replaceAll(/[+/=]/g, 'x');
    const texts = Array.from(
      { length: 2200 },
      (_, index) => `<si><t>${letters.slice(index * 500, index * 500 + 32_000)}</t></si>`,
    );
    const bytes = workbookOf('<row><c t="s"><v>0</v></c></row>', { sharedStrings: texts.join('') });
    expect(await files.inspect(storedFile(bytes, 65_536))).toEqual({
      kind: 'refused',
      code: 'too_large_inside',
      message: 'The workbook has more than 64 MiB of different texts; save the contacts as CSV',
    });
  });

  test('a text that never ends is refused, not held', async () => {
    const letters = randomBytes(9 * 1024 * 1024).toString('base64');
    const bytes = workbookOf('<row><c t="s"><v>0</v></c></row>', {
      sharedStrings: `<si><t>${letters}</t></si>`,
    });
    expect(await files.inspect(storedFile(bytes, 65_536))).toMatchObject({
      kind: 'refused',
      code: 'too_large_inside',
      message: expect.stringContaining('save the contacts as CSV'),
    });
  });

  test('the texts of 200,000 rows with five columns fit, whatever the heap limit', () => {
    const before = heapBytes();
    const texts = new KeptTexts();
    for (let index = 0; index < 1_000_000; index += 1) texts.add(`Ann-Sophie Müller ${index}`);
    expect(heapBytes() - before).toBeLessThan(8 * 1024 ** 2);
    expect([texts.at(0), texts.at(543_210), texts.at(999_999), texts.at(1_000_000)]).toEqual([
      'Ann-Sophie Müller 0',
      'Ann-Sophie Müller 543210',
      'Ann-Sophie Müller 999999',
      undefined,
    ]);
  });

  test('each is read as it was saved, in any script, and one that is too long for a cell is truncated and flagged', async () => {
    const sharedStrings = ['phone', 'note', '', '😀 Łódź 電話', 'x'.repeat(40_000)]
      .map((text) => `<si><t>${text}</t></si>`)
      .join('');
    const row = (one: number, other: number) =>
      `<row><c t="s"><v>${one}</v></c><c t="s"><v>${other}</v></c></row>`;
    const file = storedFile(workbookOf(row(0, 1) + row(3, 2) + row(3, 4), { sharedStrings }));
    expect((await inspected(files, file)).columns).toEqual(['phone', 'note']);
    expect(await allRows(files, file)).toMatchObject([
      { cells: ['😀 Łódź 電話', ''] },
      { cells: ['😀 Łódź 電話', `${'x'.repeat(200)}…`], flags: [{ column: 1, code: 'cell_too_long' }] },
    ]);
  });
});
