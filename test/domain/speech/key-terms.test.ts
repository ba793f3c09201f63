import { describe, expect, test } from '@jest/globals';
import { keyTermsOf } from '../../../src/domain/speech/key-terms.ts';

describe('the terms of a dictionary', () => {
  test('are separated by commas and line breaks, trimmed, in order', () => {
    expect(keyTermsOf(' Parlance, Kubernetes ,\nDr.  Müller,, ')).toEqual([
      'Parlance',
      'Kubernetes',
      'Dr. Müller',
    ]);
  });

  test('are unique and keep their first spelling', () => {
    expect(keyTermsOf('Parlance, parlance, PARLANCE, Temporal')).toEqual(['Parlance', 'Temporal']);
  });

  test('are at most a hundred, each at most a hundred characters long', () => {
    const many = Array.from({ length: 150 }, (_, index) => `term${index}`);
    expect(keyTermsOf([`x${'y'.repeat(100)}`, ...many].join(','))).toEqual(many.slice(0, 100));
  });

  test.each(['', ' , ,'])('are empty for %p', (dictionary) => {
    expect(keyTermsOf(dictionary)).toEqual([]);
  });
});
