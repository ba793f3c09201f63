import { describe, expect, test } from '@jest/globals';
import { heardText } from '../../../src/domain/speech/heard-text.ts';

/** A seeded generator of numbers in [0, 1). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

describe('the heard text of a clause', () => {
  test('is the whole clause when all of it was heard', () => {
    expect(heardText({ text: 'All of it. ', heardMs: 0, totalMs: 100, isWhole: true })).toBe('All of it. ');
  });

  test('ends after the last word that was heard completely', () => {
    const cut = (heardMs: number) =>
      heardText({ text: 'one two three', heardMs, totalMs: 1300, isWhole: false });
    expect([0, 299, 300, 699, 700, 1299].map(cut)).toEqual(['', '', 'one', 'one', 'one two', 'one two']);
  });

  test('is always a prefix in whole words and never shrinks with longer hearing', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const next = numbers(seed);
      const text = Array.from(
        { length: 1 + Math.floor(next() * 12) },
        () => ['Grüße', 'a', 'twenty-one', '“yes”', '日本語', 'ok.', '42,5'][Math.floor(next() * 7)],
      ).join(next() > 0.5 ? ' ' : '  ');
      const totalMs = 100 + next() * 5000;
      let before = '';
      for (let heardMs = 0; heardMs <= totalMs; heardMs += totalMs / 40) {
        const heard = heardText({ text, heardMs, totalMs, isWhole: false });
        const context = `seed ${seed}: "${heard}" of "${text}"`;
        expect(text.startsWith(heard) ? context : '').toBe(context);
        expect(heard === '' || /^(?:\s|$)/.test(text.slice(heard.length)) ? context : '').toBe(context);
        expect(heard.startsWith(before) ? context : '').toBe(context);
        before = heard;
      }
    }
  });
});
