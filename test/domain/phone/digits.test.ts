import { describe, expect, test } from '@jest/globals';
import { createPhoneReader } from '../../../src/domain/phone/read-phone.ts';
import { phoneDigits } from '../../../src/domain/phone/digits.ts';

describe('a number is compared and stored in one form', () => {
  // guarantee: suppressed-number-matched-in-any-form
  test.each([
    '+49 (0)151 12345678',
    '0049 151 12345678',
    '+49 151/12345678',
    'tel:+49-151-12345678',
    '4915112345678',
    '+49 151 12345678',
    '+49015112345678',
  ])('%s is the number that a contact file reads in it', (text) => {
    expect([phoneDigits(text), createPhoneReader(null)(text)]).toMatchObject([
      '4915112345678',
      { kind: 'phone', phone: '4915112345678' },
    ]);
  });

  test.each([
    ['15551230001', '15551230001'],
    ['+1 (555) 123-0001', '15551230001'],
    ['4930901820', '4930901820'],
    ['9161234567', '9161234567'],
    ['+1 900 555 0130', '19005550130'],
  ])('%s, which a contact file does not call, counts by its digits: %s', (text, digits) => {
    expect(phoneDigits(text)).toBe(digits);
  });

  test.each(['no number', '12', '', 'sip:ann@example.org', '+49 30 123456/7'])(
    '"%s" is not a number',
    (text) => {
      expect(phoneDigits(text)).toBeNull();
    },
  );
});
