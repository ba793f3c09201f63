import { describe, expect, test } from '@jest/globals';
import { createContactReader, type ReadContact } from '../../../src/domain/directory/read-contact.ts';
import { findingCodes } from '../../../src/domain/directory/findings.ts';
import type { Mapping } from '../../../src/domain/directory/mapping.ts';
import { wordsOf } from '../../../src/domain/directory/words-of.ts';

const columns = ['phone', 'id', 'zone', 'dnc', 'rank', 'name'];
const mapping: Mapping = { phone: 'phone', identifier: 'id', timeZone: 'zone', doNotCall: 'dnc', priority: 'rank', openingLine: null, skipped: [], defaultCountry: 'US', duplicates: 'first' };
const readRow = createContactReader({ columns, mapping, zoneKeyOf: (phone) => `+${phone.slice(0, 4)}`, required: ['name'] });

const read = (cells: Partial<Record<string, string>>): ReadContact => readRow({ cells: columns.map((column) => ({ phone: '+14155550130', name: 'Ann', ...cells })[column] ?? '') });
const codes = ({ findings }: ReadContact): string[] => (findings ?? []).map(({ code, level, column }) => `${level} ${code} ${column ?? '-'}`);

describe('a row becomes a contact with what is wrong with it', () => {
  test('a row in order has no finding', () => {
    expect(read({ id: ' 77 ', zone: 'Europe/Berlin', rank: '5' })).toEqual({ state: 'ok', phone: '14155550130', zoneKey: 'Europe/Berlin', identifier: '77', priority: 5, findings: null });
  });

  test('a row without a phone is counted apart from invalid ones', () => {
    const contact = read({ phone: ' ' });
    expect([contact.state, codes(contact)]).toEqual(['no_phone', ['error phone_missing phone']]);
  });

  test('an invalid phone leaves the row out and names the column', () => {
    const contact = read({ phone: '1.41555E+10' });
    expect([contact.state, contact.phone, codes(contact)]).toEqual(['invalid', null, ['error phone_scientific phone']]);
  });

  test.each(['yes', 'TRUE', '1', 'x', 'да', '2026-03-01', 'asked us to stop'])('«%s» in the do-not-call column leaves the row out', (dnc) => {
    expect(read({ dnc }).state).toBe('do_not_call');
  });

  test.each(['', 'no', 'False', '0', 'нет', '-'])('«%s» in the do-not-call column means that the contact may be called', (dnc) => {
    expect(read({ dnc }).state).toBe('ok');
  });

  test('a time zone is read in any case; one that is none gives way to that of the number, with a warning', () => {
    expect(read({ zone: 'america/new_york' }).zoneKey).toBe('America/New_York');
    expect(read({ zone: 'utc' }).zoneKey).toBe('UTC');
    const contact = read({ zone: 'Pacific' });
    expect([contact.state, contact.zoneKey, codes(contact)]).toEqual(['ok', '+1415', ['warning zone_unknown zone']]);
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

  test('a failed formula is named wherever it stands', () => {
    expect(codes(read({ name: '#REF!' }))).toEqual(['warning formula_error name']);
  });

  test('what the file reader noticed is kept; text that was cut, and lost digits of a phone, leave the row out', () => {
    const row = (code: 'cells_extra' | 'cell_too_long' | 'digits_lost' | 'hidden_row', column: number | null) => readRow({ cells: ['+14155550130', '', '', '', '', 'Ann'], flags: [{ column, code }] });
    expect([row('cells_extra', null).state, codes(row('cells_extra', null))]).toEqual(['ok', ['warning cells_extra -']]);
    expect([row('hidden_row', null).state, row('digits_lost', 1).state]).toEqual(['ok', 'ok']);
    expect([row('cell_too_long', 5).state, row('digits_lost', 0).state]).toEqual(['invalid', 'invalid']);
  });

  test('a mapping without a phone column reads rows without phones', () => {
    const reader = createContactReader({ columns, mapping: { ...mapping, phone: '' }, zoneKeyOf: () => '' });
    expect(reader({ cells: ['+14155550130', '', '', '', '', ''] }).state).toBe('no_phone');
  });
});

test('every finding has words and a suggestion, and the words of a duplicate name the other row', () => {
  for (const code of findingCodes) expect([wordsOf({ code }).message.length, wordsOf({ code }).suggestion.length].every((length) => length > 5)).toBe(true);
  expect(wordsOf({ code: 'duplicate', otherRow: 17 }).message).toContain('row 17');
});
