import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import examples from 'libphonenumber-js/mobile/examples';
import { createPhoneReader } from '../../../src/domain/phone/read-phone.ts';

const read = (cell: string, country: string | null = null): string => {
  const result = createPhoneReader(country)(cell);
  switch (result.kind) {
    case 'empty':
      return 'empty';
    case 'refused':
      return result.code;
    case 'phone':
      return result.warning === null ? result.phone : `${result.phone} ${result.warning}`;
  }
};

describe('a phone cell is read as it is meant, or refused with the reason (contract 11.2)', () => {
  test.each([
    ['14155550130', null, '14155550130'],
    ['+14155550130', null, '14155550130'],
    ['0014155550130', null, '14155550130'],
    [' +1 (415) 555-0130 ', null, '14155550130'],
    ['+1.415.555.0130', null, '14155550130'],
    ['tel:+1-415-555-0130', null, '14155550130'],
    ["'+14155550130", null, '14155550130'],
    ['="14155550130"', null, '14155550130'],
    ['<+14155550130>', null, '14155550130'],
    ['"+14155550130"', null, '14155550130'],
    ['＋１４１５５５５０１３０', null, '14155550130'],
    ['\u202A+1 415\u00A0555 0130\u202C', null, '14155550130'],
    ['+1 415–555–0130', null, '14155550130'],
    ['+44 (0)20 7946 0018', null, '442079460018'],
    ['4155550130', 'US', '14155550130'],
    ['(415) 555-0130', 'US', '14155550130'],
    ['1 415 555 0130', 'US', '14155550130'],
    ['9161234567', 'RU', '79161234567'],
    ['8 (916) 123-45-67', 'RU', '79161234567'],
    ['79161234567', 'RU', '79161234567'],
    ['+49 1511 2345678', 'RU', '4915112345678'],
    ['14155550130', 'RU', '14155550130'],
    ['01511 2345678', 'DE', '4915112345678'],
    ['030/901820', 'DE', '4930901820'],
    ['+49 30/90 18 20-12', null, '493090182012'],
    ['0475/12/34/56', 'BE', '32475123456'],
    ['+49 34205/58999', null, '493420558999'],
    ['0049 34205/58999', null, '493420558999'],
    ['034205/58999', 'DE', '493420558999'],
    ['06 12 34 56 78', 'FR', '33612345678'],
    ['15012345678', 'CN', '8615012345678'],
    ['+49 30 23125 - 110', null, '493023125110'],
    ['+49 30 23125-110', null, '493023125110'],
    ['030 1234 - 5678', 'DE', '493012345678'],
    ['01-23-45-67-89', 'FR', '33123456789'],
    ['+7 916 123 - 45 - 67', null, '79161234567'],
    ['+44 20 7946 - 0958', null, '442079460958'],
    ['20260309', 'DK', '4520260309'],
  ])('%s with default country %s is %s', (cell, country, phone) => {
    expect(read(cell, country)).toBe(phone);
  });

  // guarantee: phone-cell-never-repaired
  test.each([
    ['1.41555E+10', null, 'phone_scientific'],
    ['1,41555E+10', null, 'phone_scientific'],
    ['4.41E+11', 'GB', 'phone_scientific'],
    ['14155550130.0', null, 'phone_decimal'],
    ['14155550130,00', null, 'phone_decimal'],
    ['14,155,550,130', null, 'phone_decimal'],
    ['+14155550130; +14155550131', null, 'phone_several'],
    ['4155550130 / 4155550131', 'US', 'phone_several'],
    ['+14155550130 ::: +14155550131', null, 'phone_several'],
    ['+14155550130 or +14155550131', null, 'phone_several'],
    ['+14155550130 +14155550131', null, 'phone_several'],
    ['4155550130 4155550131', 'US', 'phone_several'],
    ['+49 30 123456/7', null, 'phone_several'],
    ['+49 30 123456/57', null, 'phone_several'],
    ['030/123456 / 7', 'DE', 'phone_several'],
    ['+49 30 123456/7/8', null, 'phone_several'],
    ['202 555 0131 / 0132', 'US', 'phone_several'],
    ['+1 202 555 0131/0132', null, 'phone_several'],
    ['030 2312 5110/5112', 'DE', 'phone_several'],
    ['0049 30 23125110/5112', null, 'phone_several'],
    ['+14155550130\n+14155550131', null, 'phone_several'],
    ['1-800-FLOWERS', 'US', 'phone_letters'],
    ['+1415555O130', null, 'phone_letters'],
    ['none', null, 'phone_letters'],
    ['Total: 35', null, 'phone_letters'],
    ['#N/A', null, 'phone_letters'],
    ['9161234567', null, 'phone_no_country'],
    ['4155550130', null, 'phone_no_country'],
    ['020 7946 0018', null, 'phone_no_country'],
    ['911', 'US', 'phone_emergency'],
    ['112', null, 'phone_emergency'],
    ['+1 911', null, 'phone_emergency'],
    ['+1 900 555 0130', null, 'phone_premium'],
    ['+44 909 8790000', null, 'phone_premium'],
    ['12', null, 'phone_short'],
    ['555013', null, 'phone_short'],
    ['5550130', 'US', 'phone_short'],
    ['5550130', null, 'phone_no_country'],
    ['-14155550130', null, 'phone_invalid'],
    ['+49 0151', null, 'phone_short'],
    ['490123456789012350', null, 'phone_long'],
    ['4155550130 (home)', 'US', 'phone_letters'],
    ['+14155550130*2', null, 'phone_invalid'],
    ['()', null, 'phone_invalid'],
    ['2026-03-09', 'DE', 'phone_date'],
    ['03/09/2026', 'DE', 'phone_date'],
    ['9/3/2026', 'DE', 'phone_date'],
    ['9/3/26', 'DE', 'phone_date'],
    ['09.03.2026', 'DE', 'phone_date'],
    ['9. 3. 2026', 'DE', 'phone_date'],
    ['09 03 2026', 'DE', 'phone_date'],
    ['2026/03/09 10:30', 'DE', 'phone_date'],
    ['2026-03-09T09:30:00', 'DE', 'phone_date'],
    ['2026-03-09T09:30:00.000Z', 'DE', 'phone_date'],
    ['03/2026', 'DE', 'phone_date'],
    ['9 Mar 2026', 'DE', 'phone_date'],
    ['March 9, 2026', 'US', 'phone_date'],
    ['9 марта 2026', 'RU', 'phone_date'],
    ['2026年3月9日', 'CN', 'phone_date'],
    ['09:30:00', 'DE', 'phone_date'],
    ["'2026-03-09", 'DE', 'phone_date'],
    ['+49 30 23125 110 - 112', null, 'phone_several'],
    ['+49 30 23125 110–112', null, 'phone_several'],
    ['+49 30 23125110 - 112', null, 'phone_several'],
    ['+49 30 23125 0 - 9', null, 'phone_several'],
    ['+49 30 23125 10-19', null, 'phone_several'],
    ['+49 30 23125 110 bis 112', null, 'phone_several'],
    ['+49 30 23125 110 oder 112', null, 'phone_several'],
    ['+49 30 23125 110, 112', null, 'phone_several'],
    ['+49 30 23125 110 & 112', null, 'phone_several'],
    ['+49 30 23125-110/-112', null, 'phone_several'],
    ['+49 30 2312510 ext. 12-14', null, 'phone_several'],
    ['+49 30 2312510 x12, x13', null, 'phone_several'],
    ['+1 415 555 0130 x12/13', null, 'phone_several'],
  ])('%s with default country %s is refused: %s', (cell, country, code) => {
    expect(read(cell, country)).toBe(code);
  });

  test.each([
    ['+1 800 555 0130', null, '18005550130 phone_toll_free'],
    ['+1 555 000 1001', null, '15550001001 phone_unassigned'],
    ['15550001001', null, '15550001001 phone_unassigned'],
    ['555 000 1001', 'US', '15550001001 phone_unassigned'],
    ['+999 123456789', null, '999123456789 phone_unassigned'],
    ['+1 415 555 013', null, '1415555013 phone_unassigned'],
    ['+1 415 555 01301', null, '141555501301 phone_unassigned'],
    ['+1 415 555 0130 ext. 12', null, '14155550130 phone_extension'],
    ['+1 415 555 0130 x12', null, '14155550130 phone_extension'],
    ['tel:+1-415-555-0130;ext=12', null, '14155550130 phone_extension'],
    ['8 495 123-45-67 доб. 12', 'RU', '74951234567 phone_extension'],
  ])('%s is read with a warning: %s', (cell, country, expected) => {
    expect(read(cell, country)).toBe(expected);
  });

  test.each(['', '   ', '\u00A0', "'", '\u200B'])('«%s» is empty', (cell) => {
    expect(read(cell)).toBe('empty');
  });

  test('an unknown default country counts as none', () => {
    expect(read('4155550130', 'XX')).toBe('phone_no_country');
  });
});

/** What the reader has to answer for a number, by the library alone. */
function libraryVerdict(text: string, country?: CountryCode): string | null {
  const number = parsePhoneNumberFromString(text, country === undefined ? {} : { defaultCountry: country });
  if (number?.isValid() !== true) return null;
  const type = number.getType();
  return type === 'PREMIUM_RATE'
    ? 'phone_premium'
    : type === 'TOLL_FREE'
      ? `${number.number.slice(1)} phone_toll_free`
      : number.number.slice(1);
}

/**
 * Numbers of all kinds in a country's plan, some with one digit too few or too many, or with its prefixes.
 */
function numbersOf(country: CountryCode, seed: number): string[] {
  const plan: unknown[] = Object.entries(metadata.countries).find(([each]) => each === country)?.[1] ?? [];
  const [, abroad, national, , , prefix, , , , , , types] = plan;
  const patterns = [
    national,
    ...(Array.isArray(types)
      ? types.map((type: unknown): unknown => (Array.isArray(type) ? type[0] : null))
      : []),
  ].filter((each) => typeof each === 'string' && each !== '');
  const found = patterns.flatMap((pattern, index) =>
    fc.sample(fc.stringMatching(new RegExp(`^(?:${String(pattern)})$`)), { numRuns: 3, seed: seed + index }),
  );
  const prefixes = [prefix, abroad]
    .filter((each) => typeof each === 'string' && /^\d+$/.test(each))
    .map(String);
  return found.flatMap((number) => [
    number,
    number.slice(0, -1),
    `${number}0`,
    ...prefixes.map((each) => each + number),
  ]);
}

describe('validity follows the library', () => {
  // guarantee: phone-validity-follows-library
  test('numbers of every kind and country are judged as by the library, with and without their country code', () => {
    const seed = 20_261_122;
    const different: string[] = [];
    let compared = 0;
    for (const country of getCountries()) {
      for (const number of numbersOf(country, seed)) {
        const international = `+${getCountryCallingCode(country)}${number}`;
        const [abroad, atHome] = [
          libraryVerdict(international),
          number.startsWith('00') ? null : libraryVerdict(number, country),
        ];
        const [readAbroad, readAtHome] = [read(international), read(number, country)];
        if (abroad === null ? /^\d+(?!\d| phone_unassigned)/.test(readAbroad) : readAbroad !== abroad)
          different.push(`${international}: ${readAbroad}, not ${abroad}`);
        if (atHome !== null && readAtHome !== atHome)
          different.push(`${number} in ${country}: ${readAtHome}, not ${atHome}`);
        compared += 1;
      }
    }
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(10_000);
  });

  const countries = fc.constantFrom(...getCountries());
  const digits = fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 4, maxLength: 12 })
    .map((list) => list.join(''));

  test('a number with its plus is called without a warning exactly if the library calls it valid and not premium', () => {
    fc.assert(
      fc.property(countries, digits, fc.boolean(), (country, tail, isNear) => {
        const example = getExampleNumber(country, examples)?.number ?? '+1';
        const text = isNear ? `${example.slice(0, -4)}${tail.slice(0, 4)}` : `${example.slice(0, 3)}${tail}`;
        const number = parsePhoneNumberFromString(text);
        const isTaken = number?.isValid() === true && number.getType() !== 'PREMIUM_RATE';
        const result = createPhoneReader(null)(text);
        const isAssigned = result.kind === 'phone' && result.warning !== 'phone_unassigned';
        expect(isAssigned ? `+${result.phone}` : null).toBe(isTaken ? number.number : null);
      }),
      { numRuns: 2000 },
    );
  });

  test('a cell never becomes a number with other digits than those written in it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789+ ().-eE,;x/#'.split('')) }),
        countries,
        (cell, country) => {
          const result = createPhoneReader(country)(cell);
          if (result.kind !== 'phone') return;
          // The national part is at the end of the text; a national prefix or country code before it may
          // change.
          const written = cell.replaceAll(/\D/g, '');
          const tail = result.phone.slice(-4);
          expect(written).toContain(tail);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
