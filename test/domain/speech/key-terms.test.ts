import { describe, expect, test } from '@jest/globals';
import { keyTermsOf } from '../../../src/domain/speech/key-terms.ts';

describe('the terms of a dictionary', () => {
  test('are what stands between commas and lines, trimmed, in order', () => {
    expect(keyTermsOf(' Parlance, Kubernetes ,\nDr.  Müller,, ')).toEqual([
      'Parlance',
      'Kubernetes',
      'Dr. Müller',
    ]);
  });

  test('come once each, as they were written first', () => {
    expect(keyTermsOf('Parlance, parlance, PARLANCE, Temporal')).toEqual(['Parlance', 'Temporal']);
  });

  test('are at most a hundred, and none is longer than a hundred characters', () => {
    const many = Array.from({ length: 150 }, (_, index) => `term${index}`);
    expect(keyTermsOf([`x${'y'.repeat(100)}`, ...many].join(','))).toEqual(many.slice(0, 100));
  });

  test.each(['', ' , ,'])('are none in %p', (dictionary) => {
    expect(keyTermsOf(dictionary)).toEqual([]);
  });
});
