import { describe, expect, test } from '@jest/globals';
import { addGrams, bitsOf, emptyGrams, type Grams } from '../../../src/domain/directory/grams.ts';

const holds = (grams: Grams, text: string): boolean =>
  bitsOf(text).every(({ byte, mask }) => ((grams[byte % grams.length] ?? 0) & mask) !== 0);

describe('the grams of texts', () => {
  test.each([
    ['Ada Lovelace', 'lovel'],
    ['Ada Lovelace', 'LACE'],
    ['Zürich', 'zurich'],
    ['Zurich', 'ÜR'],
    ['Ёлкина', 'елк'],
    ['ada@example.com', '@example'],
    ['14155550130', '5550130'],
    ['Ada 😀 L', '😀 l'],
    ['东京都', '京都'],
    ['x', 'x'],
  ])('of %j have those of its part %j, whatever the case and the accents', (text, part) => {
    const grams = emptyGrams(0);
    addGrams(grams, text);
    expect(holds(grams, part)).toBe(true);
  });

  test('rule out nearly all texts that do not occur', () => {
    const grams = emptyGrams(256 * 50);
    for (let row = 0; row < 256; row += 1)
      addGrams(
        grams,
        JSON.stringify([`+1415555${1000 + row}`, `C-${row}`, `Name ${row}`, `City ${row % 30}`]),
      );
    const absent = Array.from({ length: 1000 }, (_, index) => `Q${(index * 7919).toString(36)}zx`);
    expect(absent.filter((text) => holds(grams, text)).length).toBeLessThan(20);
  });

  test('have none of two cells', () => {
    const grams = emptyGrams(0);
    addGrams(grams, JSON.stringify(['ab', 'cd']));
    expect([holds(grams, 'ab'), holds(grams, 'cd'), holds(grams, 'bc')]).toEqual([true, true, false]);
  });

  test('take more bytes for more text, within limits', () => {
    expect([0, 10_000, 1_000_000].map((characters) => emptyGrams(characters).length)).toEqual([
      1024, 4096, 16_384,
    ]);
  });
});
