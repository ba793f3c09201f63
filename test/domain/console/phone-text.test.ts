import { expect, test } from '@jest/globals';
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { maskedNumber } from '../../../console/src/app/phone-text.ts';

test.each([
  ['+4930123456', '+49 ••• ••456'],
  ['+12025550142', '+1 ••• ••142'],
  ['+1 202 555 0142', '+1 ••• ••142'],
  ['+35312345678', '+353 ••• ••678'],
  ['4930123456', '••• ••456'],
  ['sip:4930123456@pbx.example', '••• ••456'],
  // Too short to be somebody's, and what the API has masked.
  ['1001', '1001'],
  ['•••', '•••'],
])('%s is masked as %s', (number, masked) => {
  expect(maskedNumber(number)).toBe(masked);
});

test('a masked number keeps the whole calling code of its country, and nothing more', () => {
  for (const country of getCountries()) {
    const code = getCountryCallingCode(country);
    expect(maskedNumber(`+${code}2345678`)).toBe(`+${code} ••• ••678`);
  }
});
