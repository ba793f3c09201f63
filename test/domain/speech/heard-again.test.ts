import { describe, expect, test } from '@jest/globals';
import { HeardAgain } from '../../../src/domain/speech/heard-again.ts';

const heard = [
  { text: 'Hello.', untilMs: 900 },
  { text: 'Yes,', untilMs: 5_000 },
  { text: 'my name is', untilMs: 6_500 },
];

describe('words that are repeated after a reconnect', () => {
  test('are removed regardless of case and punctuation, and new words stay', () => {
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

  test('may begin anywhere, even inside a word', () => {
    expect(new HeardAgain(heard, 5_500).takeFinal('ame is John')).toBe('John');
    expect(new HeardAgain(heard, 5_500).takeFinal('is John')).toBe('John');
  });

  test('are only those whose sound was replayed', () => {
    expect(new HeardAgain(heard, 4_500).takeFinal('Hello again.')).toBe('Hello again.');
    expect(new HeardAgain(heard, 7_000).takeFinal('my name is John')).toBe('my name is John');
  });

  test('are removed only at the start: later repetitions are heard', () => {
    const again = new HeardAgain(heard, 4_500);
    expect([again.takeFinal('my name is'), again.takeFinal('my name is')]).toEqual(['', 'my name is']);
    const other = new HeardAgain(heard, 4_500);
    expect([other.takeFinal('Wait.'), other.takeFinal('Yes,')]).toEqual(['Wait.', 'Yes,']);
  });

  test('are removed from every interim', () => {
    const again = new HeardAgain(heard, 4_500);
    expect([
      again.takeInterim('yes my'),
      again.takeInterim('yes my name is'),
      again.takeInterim('yes my name is Jo'),
    ]).toEqual(['', '', 'Jo']);
  });
});
