import { describe, expect, test } from '@jest/globals';
import { backchannelsOf, isBackchannel } from '../../../src/domain/turn-taking/backchannels.ts';
import { beyond, countWords, isSameText, normalize } from '../../../src/domain/speech/words.ts';

describe('words', () => {
  test.each([
    ['One, two - three!', 3],
    ["don't stop", 2],
    ['  ', 0],
    ['...', 0],
    ['uh-huh', 1],
    ['ok はい', 2],
    ['Добрый день', 2],
    ['नमस्ते जी', 2],
  ])('%s are %d', (text, count) => {
    expect(countWords(text)).toBe(count);
  });
  test('are the same text if only case and punctuation differ', () => {
    expect([
      isSameText('A table, for two!', 'a table for two'),
      isSameText('don’t', "Don't"),
      isSameText('two', 'ten'),
      isSameText('re-sign', 'resign'),
    ]).toEqual([true, true, false, false]);
    expect(normalize('  Ｈｉ — you?  ')).toBe('hi you');
  });
});

describe('words beyond those that were taken', () => {
  test.each([
    ['I want a pizza.', 'I want a', 'pizza.'],
    ['I want a pizza.', 'i want a pizza', ''],
    ['I want the pizza.', 'I want a', 'pizza.'],
    ['Hold on a moment.', 'I want a', 'Hold on a moment.'],
    ['I want a pizza.', '', 'I want a pizza.'],
    ['I', 'I want a', 'I'],
    ['東京に行きたいです', '東京に', '行きたいです'],
  ])('%s after %s: %s', (text, taken, rest) => {
    expect(beyond(text, taken)).toBe(rest);
  });
});

describe('backchannels', () => {
  const english = backchannelsOf('en-GB');

  test.each([
    ['Uh-huh.', true],
    ['Yeah, yeah, I see.', true],
    ['Yes please', false],
    ['okay but', false],
    ['', false],
    ['Yesterday', false],
  ])('%s: %s', (text, is) => {
    expect(isBackchannel(text, english)).toBe(is);
  });
  test('consist of sounds alone in a language without a list', () => {
    expect([isBackchannel('hmm', backchannelsOf('xx')), isBackchannel('yes', backchannelsOf('xx'))]).toEqual([
      true,
      false,
    ]);
  });
});
