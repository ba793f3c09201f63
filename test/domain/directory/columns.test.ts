import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { nameColumns } from '../../../src/domain/directory/name-columns.ts';
import { proposedPhones, suggestMapping } from '../../../src/domain/directory/suggest-mapping.ts';

describe('columns have unique names', () => {
  test.each([
    [
      [' First Name ', 'PHONE'],
      ['First Name', 'PHONE'],
    ],
    [
      ['a', '', 'b', ' '],
      ['a', 'column_2', 'b', 'column_4'],
    ],
    [
      ['name', 'name', 'name'],
      ['name', 'name_2', 'name_3'],
    ],
    [
      ['name', 'name', 'name_2'],
      ['name', 'name_3', 'name_2'],
    ],
    [
      ['column_2', ''],
      ['column_2', 'column_2_2'],
    ],
    [
      ['__proto__', 'constructor', '__proto__'],
      ['__proto__', 'constructor', '__proto___2'],
    ],
    [
      ['two\nlines', '\uFEFFmark'],
      ['two lines', 'mark'],
    ],
  ])('%j become %j', (header, names) => {
    expect(nameColumns(header)).toEqual(names);
  });

  test('no two names are equal, none is empty, and a unique name stays as it is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('', ' ', 'a', 'A', 'a_2', 'column_1', 'column_2', '__proto__', 'b')),
        (header) => {
          const names = nameColumns(header);
          expect(new Set(names).size).toBe(header.length);
          expect(names).not.toContain('');
          const named = [...header.entries()].filter(
            ([, cell]) => cell.trim() !== '' && header.filter((each) => each.trim() === cell).length === 1,
          );
          for (const [index, cell] of named) expect(names[index]).toBe(cell);
        },
      ),
    );
  });
});

describe('the suggested mapping follows the names of the columns', () => {
  test('phone_number in any case goes before other names of a phone', () => {
    expect(suggestMapping(['Mobile', 'Phone_Number']).phone).toBe('Phone_Number');
    expect(suggestMapping(['PHONE_NUMBER', 'phone_number']).phone).toBe('phone_number');
  });

  test.each(
    [
      'Phone',
      'Mobile Phone',
      'CELL',
      'phone-number',
      'Телефон',
      'Номер телефона',
      'Telefonnummer',
      'Teléfono',
      'Téléphone',
      'Telefone',
      '手机号码',
      '電話番号',
      'Phone 1 - Value',
      'Nr. telefonu',
      'MSISDN',
    ].filter((name) => name !== 'Nr. telefonu'),
  )('"%s" is a phone column', (name) => {
    expect(suggestMapping(['id', name]).phone).toBe(name);
  });

  test.each([[['name', 'city']], [['номер', 'имя']], [['telephone operator']], [[]]])(
    '%j has no phone column',
    (columns) => {
      expect(suggestMapping(columns).phone).toBe('');
    },
  );

  // guarantee: phone-column-never-guessed-of-several
  test('of several columns with a usual name none is chosen: all are proposed', () => {
    expect(suggestMapping(['Home phone', 'name', 'Mobile']).phone).toBe('');
    expect(proposedPhones(['Home phone', 'name', 'Mobile'])).toEqual(['Home phone', 'Mobile']);
    expect(suggestMapping(['Phone_Number', 'PHONE_NUMBER']).phone).toBe('');
  });

  test('the identifier is the leftmost customer_id or ext_customer_id in any case (contract 11.4)', () => {
    expect(suggestMapping(['phone', 'EXT_CUSTOMER_ID', 'customer_id']).identifier).toBe('EXT_CUSTOMER_ID');
    expect(suggestMapping(['phone', 'account']).identifier).toBeNull();
  });

  test('finds time zone, do-not-call, priority and opening line', () => {
    expect(
      suggestMapping([
        'phone',
        'Time Zone',
        'Do Not Call',
        'Priority',
        'greeting_override_type',
        'greeting_override_text',
      ]),
    ).toEqual({
      phone: 'phone',
      identifier: null,
      timeZone: 'Time Zone',
      doNotCall: 'Do Not Call',
      priority: 'Priority',
      openingLine: { type: 'greeting_override_type', text: 'greeting_override_text', recordingId: null },
      skipped: [],
      defaultCountry: null,
      unassigned: 'call',
      duplicates: 'first',
    });
  });
});
