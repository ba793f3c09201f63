import { describe, expect, test } from '@jest/globals';
import { HeardAgain } from '../../../src/domain/speech/heard-again.ts';

const heard = [
  { text: 'Hello.', untilMs: 900 },
  { text: 'Yes,', untilMs: 5_000 },
  { text: 'my name is', untilMs: 6_500 },
];

describe('words that are heard again after a new connection', () => {
  test('are taken out, whatever their case and punctuation, and what is new stays', () => {
    expect(new HeardAgain(heard, 4_500).takeFinal('yes my Name is John Smith.')).toBe('John Smith.');
  });

  test('may come in other segments than before', () => {
    const again = new HeardAgain(heard, 4_500);
    expect([again.takeFinal('Yes.'), again.takeFinal('My name'), again.takeFinal('is John.')]).toEqual([
      '',
      '',
      'John.',
    ]);
  });

  test('may begin anywhere, also within a word', () => {
    expect(new HeardAgain(heard, 5_500).takeFinal('ame is John')).toBe('John');
    expect(new HeardAgain(heard, 5_500).takeFinal('is John')).toBe('John');
  });

  test('are only those whose sound was played again', () => {
    expect(new HeardAgain(heard, 4_500).takeFinal('Hello again.')).toBe('Hello again.');
    expect(new HeardAgain(heard, 7_000).takeFinal('my name is John')).toBe('my name is John');
  });

  test('are expected only at the start: who says the same later is heard', () => {
    const again = new HeardAgain(heard, 4_500);
    expect([again.takeFinal('my name is'), again.takeFinal('my name is')]).toEqual(['', 'my name is']);
    const other = new HeardAgain(heard, 4_500);
    expect([other.takeFinal('Wait.'), other.takeFinal('Yes,')]).toEqual(['Wait.', 'Yes,']);
  });

  test('are taken out of interims each time', () => {
    const again = new HeardAgain(heard, 4_500);
    expect([
      again.takeInterim('yes my'),
      again.takeInterim('yes my name is'),
      again.takeInterim('yes my name is Jo'),
    ]).toEqual(['', '', 'Jo']);
  });
});
