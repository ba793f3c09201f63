import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { contactContext } from '../../../src/domain/directory/contact-context.ts';
import type { Mapping } from '../../../src/domain/directory/mapping.ts';
import { promptVariables, renderTemplate } from '../../../src/domain/rendering/render.ts';

const mapping: Mapping = {
  phone: 'Mobile',
  identifier: 'Customer',
  timeZone: 'zone',
  doNotCall: null,
  priority: null,
  openingLine: null,
  skipped: [],
  defaultCountry: null,
  unassigned: 'call',
  duplicates: 'first',
};

function context(
  row: Record<string, string>,
  { identifier = '77', ...changed }: Partial<Mapping> & { identifier?: string | null } = {},
): Record<string, unknown> {
  const columns = Object.keys(row);
  return contactContext({
    columns,
    mapping: { ...mapping, ...changed, identifier: mapping.identifier },
    contact: { rowNumber: 3, phone: '14155550130', identifier, cells: Object.values(row) },
  });
}

describe('what a contact adds to its call (contract 11.4)', () => {
  test('columns come under their own names, the identifier only as ext_customer_id, the phone in the form of the interface', () => {
    expect(
      context({ Mobile: '+1 (415) 555-0130', Customer: '77', city: 'Berlin', zone: 'Europe/Berlin' }),
    ).toEqual({
      city: 'Berlin',
      zone: 'Europe/Berlin',
      ext_customer_id: '77',
      record_key: 'ext:77|3',
      phone_number: '14155550130',
      called_number: '14155550130',
    });
  });

  // guarantee: identifier-column-has-one-name
  test("the identifier's name in the file is not available, in any case", () => {
    const variables = promptVariables(context({ Mobile: '1', Customer: '77' }));
    expect(
      renderTemplate('{{Customer}}|{{customer}}|{{ext_customer_id}}', { variables, now: new Date(0) }),
    ).toBe('||77');
  });

  test('without an identifier, the record key is the phone, and ext_customer_id is absent even if a column has that name', () => {
    const found = context(
      { Mobile: '1', Customer: '', ext_customer_id: 'of the file', record_key: 'of the file' },
      { identifier: null },
    );
    expect(found).toEqual({
      record_key: 'phone:14155550130',
      phone_number: '14155550130',
      called_number: '14155550130',
    });
  });

  test('a name works in lower case too, unless another column or the service has it', () => {
    expect(
      context({ Mobile: '1', Customer: '77', First_Name: 'Ann', City: 'a', CITY: 'b', Record_Key: 'c' }),
    ).toMatchObject({
      First_Name: 'Ann',
      first_name: 'Ann',
      City: 'a',
      CITY: 'b',
      Record_Key: 'c',
      record_key: 'ext:77|3',
    });
    expect(context({ City: 'a', CITY: 'b' })).not.toHaveProperty('city');
    expect(context({ Customer: '77', CUSTOMER: 'x' })).not.toHaveProperty('customer');
  });

  test('skipped columns become no variables; those of our own rules do', () => {
    expect(Object.keys(context({ note: 'x', zone: 'y' }, { skipped: ['note'] }))).toEqual([
      'zone',
      'ext_customer_id',
      'record_key',
      'phone_number',
      'called_number',
    ]);
  });

  test.each([
    [
      { t: 'text', x: 'Hello', r: '' },
      { type: 'text', text: 'Hello' },
    ],
    [
      { t: 'AUDIO', x: '', r: 'rec1' },
      { type: 'audio', recording_id: 'rec1' },
    ],
    [{ t: 'text', x: ' ', r: 'rec1' }, undefined],
    [{ t: '', x: 'Hello', r: '' }, undefined],
  ])('the opening line %j becomes %j and removes its columns', (row, expected) => {
    const found = context(row, { openingLine: { type: 't', text: 'x', recordingId: 'r' } });
    expect([found['greeting_override'], found['t'], found['x']]).toEqual([expected, undefined, undefined]);
  });

  test('a column called __proto__ is a variable like any other', () => {
    const columns = ['__proto__', 'constructor', 'name'];
    const found = contactContext({
      columns,
      mapping,
      contact: { rowNumber: 1, phone: '14155550130', identifier: null, cells: ['a', 'b', 'c'] },
    });
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
    expect(
      renderTemplate('{{__proto__}}{{constructor}}{{name}}', {
        variables: promptVariables(found),
        now: new Date(0),
      }),
    ).toBe('abc');
    expect(JSON.parse(JSON.stringify(found))).toEqual(found);
  });

  test('the cell of a failed formula is empty, so that a default applies', () => {
    expect(
      ['#N/A', '#NV', '#WERT!', 'Err:502', 'Fine: 502'].map((name) => context({ name })['name']),
    ).toEqual(['', '', '', '', 'Fine: 502']);
  });

  test('the values of the service win, whatever the columns are called', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.oneof(
            fc.constantFrom(
              'phone_number',
              'Phone_Number',
              'record_key',
              'ext_customer_id',
              'called_number',
              'greeting_override',
              '__proto__',
            ),
            fc.string(),
          ),
          { maxLength: 8 },
        ),
        (columns) => {
          const found = contactContext({
            columns,
            mapping: { ...mapping, phone: columns[0] ?? '' },
            contact: {
              rowNumber: 2,
              phone: '14155550130',
              identifier: null,
              cells: columns.map(() => 'of the file'),
            },
          });
          expect([
            found['phone_number'],
            found['called_number'],
            found['record_key'],
            found['ext_customer_id'],
            found['greeting_override'],
          ]).toEqual(['14155550130', '14155550130', 'phone:14155550130', undefined, undefined]);
        },
      ),
    );
  });
});
