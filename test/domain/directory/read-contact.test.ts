import { describe, expect, test } from '@jest/globals';
import { createContactReader, type ReadContact } from '../../../src/domain/directory/read-contact.ts';
import { findingCodes } from '../../../src/domain/directory/findings.ts';
import type { Mapping } from '../../../src/domain/directory/mapping.ts';
import { wordsOf } from '../../../src/domain/directory/words-of.ts';

const columns = ['phone', 'id', 'zone', 'dnc', 'rank', 'name'];
const mapping: Mapping = {
  phone: 'phone',
  identifier: 'id',
  timeZone: 'zone',
  doNotCall: 'dnc',
  priority: 'rank',
  openingLine: null,
  skipped: [],
  defaultCountry: 'US',
  unassigned: 'call',
  duplicates: 'first',
};
const readRow = createContactReader({
  columns,
  mapping,
  zoneKeyOf: (phone) => `+${phone.slice(0, 4)}`,
  required: ['name'],
});

const read = (cells: Partial<Record<string, string>>): ReadContact =>
  readRow({
    cells: columns.map((column) => ({ phone: '+14155550130', name: 'Ann', ...cells })[column] ?? ''),
  });
const codes = ({ findings }: ReadContact): string[] =>
  (findings ?? []).map(({ code, level, column }) => `${level} ${code} ${column ?? '-'}`);

describe('a row becomes a contact with its findings', () => {
  test('a valid row has no finding', () => {
    expect(read({ id: ' 77 ', zone: 'Europe/Berlin', rank: '5' })).toEqual({
      state: 'ok',
      phone: '14155550130',
      zoneKey: 'Europe/Berlin',
      identifier: '77',
      priority: 5,
      findings: null,
    });
  });

  test('a row without a phone is counted separately from invalid ones', () => {
    const contact = read({ phone: ' ' });
    expect([contact.state, codes(contact)]).toEqual(['no_phone', ['error phone_missing phone']]);
  });

  test('an invalid phone leaves the row out and names the column', () => {
    const contact = read({ phone: '1.41555E+10' });
    expect([contact.state, contact.phone, codes(contact)]).toEqual([
      'invalid',
      null,
      ['error phone_scientific phone'],
    ]);
  });

  test.each(['yes', 'TRUE', '1', 'x', 'да', '2026-03-01', 'asked us to stop'])(
    '"%s" in the do-not-call column leaves the row out',
    (dnc) => {
      expect(read({ dnc }).state).toBe('do_not_call');
    },
  );

  // guarantee: unclear-do-not-call-blocks-row
  test.each(['#REF!', '#NAME?', '#BEZUG!', 'Err:508'])(
    '"%s" in the do-not-call column leaves the row out, because its meaning is unknown, and says why',
    (dnc) => {
      const contact = read({ dnc });
      expect([contact.state, codes(contact)]).toEqual([
        'do_not_call',
        ['warning formula_error dnc', 'error do_not_call dnc'],
      ]);
    },
  );

  test.each(['#N/A', '#NV', '#N/D', '#Н/Д'])(
    'a lookup that found nothing, "%s", in the do-not-call column means that the contact is not on that list, with a warning',
    (dnc) => {
      const contact = read({ dnc });
      expect([contact.state, codes(contact)]).toEqual(['ok', ['warning formula_error dnc']]);
    },
  );

  test.each(['', 'no', 'False', '0', 'нет', '-', 'NULL', 'n/a', 'NaN'])(
    '"%s" in the do-not-call column means that the contact may be called',
    (dnc) => {
      expect(read({ dnc }).state).toBe('ok');
    },
  );

  test('a time zone is read in any case; an unknown one is replaced by that of the number, with a warning', () => {
    expect(read({ zone: 'america/new_york' }).zoneKey).toBe('America/New_York');
    expect(read({ zone: 'utc' }).zoneKey).toBe('UTC');
    const contact = read({ zone: 'Pacific' });
    expect([contact.state, contact.zoneKey, codes(contact)]).toEqual([
      'ok',
      '+1415',
      ['warning zone_unknown zone'],
    ]);
  });

  test.each([
    ['', 0, []],
    ['12', 12, []],
    ['-3', -3, []],
    ['high', 0, ['warning priority_invalid rank']],
    ['1.5', 0, ['warning priority_invalid rank']],
    ['99999999999', 0, ['warning priority_invalid rank']],
  ])('the priority «%s» is %s', (rank, priority, expected) => {
    const contact = read({ rank });
    expect([contact.priority, codes(contact)]).toEqual([priority, expected]);
  });

  test('an empty cell that the agent needs is a warning on the row', () => {
    expect(codes(read({ name: '  ' }))).toEqual(['warning variable_empty name']);
  });

  test.each(['#REF!', '#FIELD!', '#NV', '#WERT!', '#Н/Д', '#ERROR!', 'Err:502', '#¡VALOR!', '#N/D'])(
    'a failed formula, "%s", is reported in any column',
    (name) => {
      expect(codes(read({ name }))).toEqual(['warning formula_error name']);
    },
  );

  test.each(['#1', '#hashtag', 'NV', 'Bus Err:502 came', '12:345', '#'])(
    '"%s" is not a failed formula',
    (name) => {
      expect(read({ name }).findings).toBeNull();
    },
  );

  test('a failed formula that the file reader has reported is reported once', () => {
    expect(
      codes(
        readRow({
          cells: ['+14155550130', '', '', '', '', '#N/A'],
          flags: [{ column: 5, code: 'formula_error' }],
        }),
      ),
    ).toEqual(['warning formula_error name']);
  });

  // guarantee: rounded-identifiers-reported
  test.each([
    ['4.90123E+17', '4.90123E+17', ['warning identifier_scientific id']],
    ['4,90123e+17', '4,90123e+17', ['warning identifier_scientific id']],
    ['12345.0', '12345.0', ['warning identifier_decimal id']],
    ['12E5', '12E5', []],
    ['12345', '12345', []],
    ['1.5', '1.5', []],
    ['#N/A', null, ['warning formula_error id']],
  ])('the identifier «%s» is %s', (id, identifier, expected) => {
    const contact = read({ id });
    expect([contact.state, contact.identifier, codes(contact)]).toEqual(['ok', identifier, expected]);
  });

  test('a row whose identifier is too long to store is left out', () => {
    expect(read({ id: 'x'.repeat(255) })).toMatchObject({ state: 'ok', findings: null });
    const contact = read({ id: 'x'.repeat(256) });
    expect([contact.state, codes(contact)]).toEqual(['invalid', ['error identifier_too_long id']]);
  });

  test('findings of the file reader are kept; truncated text, and lost digits of a phone, leave the row out', () => {
    const row = (
      code: 'cells_extra' | 'cell_too_long' | 'digits_lost' | 'hidden_row',
      column: number | null,
    ) => readRow({ cells: ['+14155550130', '', '', '', '', 'Ann'], flags: [{ column, code }] });
    expect([row('cells_extra', null).state, codes(row('cells_extra', null))]).toEqual([
      'ok',
      ['warning cells_extra -'],
    ]);
    expect([row('hidden_row', null).state, row('digits_lost', 1).state]).toEqual(['ok', 'ok']);
    expect([row('cell_too_long', 5).state, row('digits_lost', 0).state]).toEqual(['invalid', 'invalid']);
  });

  // guarantee: unassigned-number-called-unless-left-out
  test('a number that no plan assigns is a warning, or leaves the row out if the mapping says so', () => {
    const row = { cells: ['+1 555 000 1001', '', '', '', '', 'Ann'] };
    const strict = createContactReader({
      columns,
      mapping: { ...mapping, unassigned: 'leave_out' },
      zoneKeyOf: () => '',
    });
    expect([readRow(row).state, codes(readRow(row))]).toEqual(['ok', ['warning phone_unassigned phone']]);
    expect([strict(row).state, codes(strict(row))]).toEqual(['invalid', ['error phone_unassigned phone']]);
  });

  test('a number in a cell that is formatted as a date leaves the row out only in the phone column', () => {
    const flagged = (column: number) =>
      readRow({
        cells: ['+14155550130', '', '', '', '', 'Ann'],
        flags: [{ column, code: 'phone_date' }],
      });
    expect([flagged(0).state, codes(flagged(0))]).toEqual(['invalid', ['error phone_date phone']]);
    expect([flagged(5).state, codes(flagged(5))]).toEqual(['ok', []]);
  });

  test('a mapping without a phone column reads rows without phones', () => {
    const reader = createContactReader({ columns, mapping: { ...mapping, phone: '' }, zoneKeyOf: () => '' });
    expect(reader({ cells: ['+14155550130', '', '', '', '', ''] }).state).toBe('no_phone');
  });
});

test('every finding has a message and a suggestion, and a duplicate names the other row', () => {
  for (const code of findingCodes)
    expect(
      [wordsOf({ code }).message.length, wordsOf({ code }).suggestion.length].every((length) => length > 5),
    ).toBe(true);
  expect(wordsOf({ code: 'duplicate', otherRow: 17 }).message).toContain('Row 17');
});
