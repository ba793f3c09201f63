import { describe, expect, test } from '@jest/globals';
import { compareNumber, readE164 } from '../../../src/domain/person/same-number.ts';

const number = '+4915599887766';

describe('a stored number', () => {
  test.each([
    '+4915599887766',
    '+49 155 99887766',
    '+49 (155) 998-877.66',
    '004915599887766',
    '00 49 155 99887766',
    '4915599887766',
    4915599887766,
    'sip:+4915599887766@carrier.test',
    'tel:+49-155-99887766',
    ' +4915599887766 ',
    '＋４９15599887766',
  ])("%p is the person's", (stored) => {
    expect(compareNumber(number, stored)).toBe('same');
  });

  test.each(['015599887766', '0155 / 99 88 77 66', '15599887766'])(
    "%p has no country code and may be another person's",
    (stored) => {
      expect(compareNumber(number, stored)).toBe('national');
    },
  );

  test.each([
    '+4915599887767',
    '+115599887766',
    '+15599887766',
    '887766',
    '5599',
    '',
    'unknown',
    null,
    undefined,
    {},
    ['+4915599887766'],
    true,
    '49155998877660',
    '+49155998877',
    'anonymous@4915599887766',
  ])('%p is not', (stored) => {
    expect(compareNumber(number, stored)).toBe('other');
  });
});

describe('a number on the command line', () => {
  test('is read with spaces and punctuation, and only with its country code', () => {
    expect(readE164(' +49 (155) 998-877/66 ')).toBe(number);
    for (const text of [
      '015599887766',
      '4915599887766',
      '+0155998877',
      '+49',
      '+49x5599887766',
      `+${'1'.repeat(16)}`,
      '',
    ])
      expect(readE164(text)).toBeNull();
  });
});
