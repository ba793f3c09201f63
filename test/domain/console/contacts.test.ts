import { describe, expect, test } from '@jest/globals';
import words from '../../../console/src/locales/en/contacts.json' with { type: 'json' };
import {
  encodingName,
  numbersOf,
  samplesOf,
  shownCandidates,
} from '../../../console/src/screens/contacts/candidates.ts';
import {
  byFrequency,
  findingsByCell,
  severityOf,
  wholeRow,
} from '../../../console/src/screens/contacts/cell-findings.ts';
import { countries, likelyCountries } from '../../../console/src/screens/contacts/countries.ts';
import { verdictOf } from '../../../console/src/screens/contacts/fit-verdict.ts';
import {
  mappingFor,
  type Mapping,
  roleBlocked,
  roleOf,
  roles,
} from '../../../console/src/screens/contacts/roles.ts';
import { directorySearch, rowStates } from '../../../console/src/screens/contacts/search.ts';
import { earlierMapping, mappingRequest } from '../../../console/src/screens/contacts/earlier-mapping.ts';
import { rateOf, withSample, type Sample } from '../../../console/src/screens/contacts/rate.ts';
import { sizeOf, stageOf, warningsBeside } from '../../../console/src/screens/contacts/stage.ts';
import { scrollTo, viewOf } from '../../../console/src/screens/contacts/window.ts';
import type { ContactFinding } from '../../../src/contract/directories.ts';
import { findingCodes } from '../../../src/domain/directory/findings.ts';

const mapping: Mapping = {
  phone: 'tel',
  identifier: 'nr',
  time_zone: 'zone',
  do_not_call: null,
  priority: null,
  opening_line: { type: 'kind', text: 'line', recording_id: null },
  skipped: ['note'],
  default_country: null,
  unassigned_numbers: 'call',
  duplicates: 'first',
};

describe('the role of a column', () => {
  test('is what the mapping says, and a variable otherwise', () => {
    const columns = ['tel', 'nr', 'zone', 'kind', 'line', 'note', 'name'];
    expect(columns.map((each) => roleOf(each, mapping))).toEqual([
      'phone',
      'identifier',
      'time_zone',
      'opening_type',
      'opening_text',
      'skip',
      'variable',
    ]);
  });

  test('goes to another column, which loses what it was before', () => {
    expect(mappingFor('nr', 'do_not_call', mapping)).toEqual({ identifier: null, do_not_call: 'nr' });
    expect(mappingFor('note', 'variable', mapping)).toEqual({ skipped: [] });
    expect(mappingFor('zone', 'skip', mapping)).toEqual({ time_zone: null, skipped: ['note', 'zone'] });
    expect(mappingFor('note', 'phone', mapping)).toEqual({ skipped: [], phone: 'note' });
    expect(mappingFor('name', 'opening_recording', mapping)).toEqual({
      opening_line: { type: 'kind', text: 'line', recording_id: 'name' },
    });
    expect(mappingFor('line', 'variable', mapping)).toEqual({
      opening_line: { type: 'kind', text: null, recording_id: null },
    });
    expect(mappingFor('kind', 'variable', mapping)).toEqual({ opening_line: null });
    expect(mappingFor('tel', 'phone', mapping)).toEqual({});
  });

  test('of the phone cannot be given up, and an opening line needs its type', () => {
    expect(roleBlocked('tel', 'skip', mapping)).toBe('phone');
    expect(roleBlocked('nr', 'phone', mapping)).toBeNull();
    expect(roleBlocked('name', 'opening_text', { ...mapping, opening_line: null })).toBe('opening');
    expect(roleBlocked('kind', 'opening_text', mapping)).toBe('opening');
  });
});

const finding = (
  code: string,
  level: 'error' | 'warning',
  column: string | null = 'tel',
): ContactFinding => ({
  code,
  level,
  column,
  other_row: null,
  message: 'M',
  suggestion: 'S',
});

describe('findings', () => {
  test('stand at their cell, those of a number at the phone, and those of a whole row at its beginning', () => {
    const wrong = finding('phone_short', 'error');
    const many = finding('cells_extra', 'warning', null);
    const twice = finding('duplicate', 'error', null);
    expect([...findingsByCell([wrong, many, twice], ['name', 'tel'], 'tel')]).toEqual([
      [1, [wrong, twice]],
      [wholeRow, [many]],
    ]);
  });

  test('are bad, worth a look, or a wish not to be called, which is not a fault', () => {
    expect(severityOf([finding('do_not_call', 'error')])).toBe('machine');
    expect(severityOf([finding('do_not_call', 'error'), finding('phone_short', 'error')])).toBe('bad');
    expect(severityOf([finding('zone_unknown', 'warning')])).toBe('warn');
    expect(severityOf([finding('duplicate', 'error', null)])).toBe('warn');
    expect(byFrequency({ duplicate: 2, phone_short: 5, suppressed: 0 })).toEqual([
      ['phone_short', 5],
      ['duplicate', 2],
    ]);
  });

  test('and roles and results all have words, what is wrong and what to do included', () => {
    const needed = [
      ...findingCodes.flatMap((code) =>
        ['finding', 'fault', 'advice'].map((part) => `contacts.${part}.${code}`),
      ),
      ...roles.filter((role) => role !== 'variable').map((role) => `contacts.role.${role}`),
      ...rowStates.map((state) => `contacts.row.${state}`),
    ];
    expect(needed.filter((id) => !(id in words))).toEqual([]);
  });
});

describe('candidates', () => {
  const reading = (columns: string[], ...rows: string[][]) => ({
    columns,
    rows: rows.map((cells) => ({ cells })),
  });

  test('show the texts that they read differently', () => {
    const western = reading(['tel', 'name'], ['1', 'Ann'], ['2', 'Jürgen'], ['3', 'Søren']);
    const eastern = reading(['tel', 'name'], ['1', 'Ann'], ['2', 'Jьrgen'], ['3', 'Sшren']);
    expect(samplesOf([western, eastern])).toEqual(['Jürgen · Søren', 'Jьrgen · Sшren']);
  });

  test('show their first row if they make other columns of the file, or the same of it', () => {
    const wide = reading(['tel', 'name'], ['1', 'Ann']);
    const narrow = reading(['tel;name'], ['1;Ann']);
    expect(samplesOf([wide, narrow])).toEqual(['1 · Ann', '1;Ann']);
    expect(samplesOf([wide, wide])).toEqual(['1 · Ann', '1 · Ann']);
  });

  test('show the number as each country would dial it', () => {
    const us = { rows: [{ phone_number: '442079460112' }, { phone_number: '12025550143' }] };
    const gb = { rows: [{ phone_number: '442079460112' }, { phone_number: null }] };
    expect(numbersOf([us, gb])).toEqual(['+12025550143', '']);
  });

  test('of a file of single bytes are never wide encodings, in which it has no lines', () => {
    expect(shownCandidates(['utf8', 'win1252', 'utf16le', 'utf32le'], 'win1252')).toEqual([
      'win1252',
      'utf8',
    ]);
    expect(shownCandidates(['utf16le', 'utf16be', 'utf8'], 'utf16le')).toEqual(['utf16le', 'utf16be']);
  });

  test('begin with the present one and are named as people know them', () => {
    expect(shownCandidates(['utf8', 'win1252', 'win1251'], 'win1252', 2)).toEqual(['win1252', 'utf8']);
    expect(['utf8', 'win1252', 'iso8859-15', 'cp866', 'koi8-r'].map(encodingName)).toEqual([
      'UTF-8',
      'Windows-1252',
      'ISO 8859-15',
      'DOS 866',
      'KOI8-R',
    ]);
  });

  test('of countries are those of today, the likely ones first', () => {
    const codes = countries('en').map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['US', 'DE', 'MM', 'XK']));
    expect(codes.filter((code) => ['SU', 'BU', 'EU', 'ZZ'].includes(code))).toEqual([]);
    expect(likelyCountries(['de-AT', 'en'], 'FR')).toEqual(['FR', 'AT', 'US', 'GB']);
  });
});

describe('a long list', () => {
  const rows = (count: number, scrollTop: number) => ({ rows: count, rowHeight: 30, scrollTop, seen: 600 });

  test('draws the rows in view and a few beside them', () => {
    expect(viewOf(rows(1000, 3000))).toEqual({ first: 94, end: 127, height: 30_000, top: 2820 });
    expect(viewOf(rows(3, 0))).toEqual({ first: 0, end: 3, height: 90, top: 0 });
  });

  test('of two million rows is no higher than browsers allow, and ends with its last row', () => {
    const { height } = viewOf(rows(2_000_000, 0));
    expect(height).toBe(15_000_000);
    expect(viewOf(rows(2_000_000, height - 600))).toMatchObject({ first: 1_999_974, end: 2_000_000 });
  });

  test('scrolls to a row that is out of view, and stays if it is in view', () => {
    expect(scrollTo(5, rows(1000, 3000))).toBe(150);
    expect(scrollTo(105, rows(1000, 3000))).toBe(3000);
    expect(scrollTo(120, rows(1000, 3000))).toBe(3030);
  });
});

describe('a directory', () => {
  const uploaded = {
    state: 'uploaded' as const,
    mapping,
    reading: { encoding: 'utf8', is_guess: false, separator: ',' as const, sheet: null, header_line: 1 },
  };

  test('says the next thing to do', () => {
    expect(stageOf(uploaded)).toBe('to_check');
    expect(stageOf({ ...uploaded, mapping: { ...mapping, phone: null } })).toBe('choose_phone');
    const guessed = { ...uploaded, reading: { ...uploaded.reading, is_guess: true } };
    expect(stageOf(guessed)).toBe('confirm_encoding');
    expect(stageOf({ ...guessed, state: 'ready' })).toBe('confirm_encoding');
    expect(stageOf({ ...uploaded, state: 'importing' })).toBe('checking');
  });

  test('says a guessed encoding once', () => {
    const warnings = ['The text is not UTF-8, and its encoding is a guess. Line 6 is …', 'Proposed: telefon'];
    expect(warningsBeside(warnings, true)).toEqual(['Proposed: telefon']);
    expect(warningsBeside(warnings, false)).toEqual(warnings);
  });

  test('is shown as its address says, without what the address has wrong', () => {
    expect(directorySearch({ state: 'ok', finding: 'Bad code!', q: 202, agent: '7' })).toEqual({
      state: 'ok',
      q: '202',
      agent: 7,
    });
    expect(directorySearch({ state: 'gone', agent: -1 })).toEqual({});
  });

  test('fits an agent, misses variables, or needs a look', () => {
    const warning = { code: 'from_fetch', variable: 'day', rows: null, message: 'M' };
    expect(verdictOf({ missing: [], warnings: [] })).toBe('fits');
    expect(verdictOf({ missing: [], warnings: [warning] })).toBe('warns');
    expect(verdictOf({ missing: ['day'], warnings: [warning] })).toBe('missing');
    expect([12, 1_234_567, 512_000_000].map(sizeOf)).toEqual(['12 B', '1.2 MB', '512 MB']);
  });
});

describe('what the columns of an earlier file were used for', () => {
  const file = (id: number, at: string | null, more: object = {}) => ({
    id,
    name: `${id}.csv`,
    state: 'ready' as const,
    columns: ['tel', 'nr'],
    mapping: { ...mapping, identifier: `of ${id}` },
    imported_at: at,
    ...more,
  });
  const directory = { id: 9, mapping };
  const found = (known: ReturnType<typeof file>[], columns = ['tel', 'nr']) =>
    earlierMapping({ directory, columns }, known)?.name;

  test('is that of the file with the same columns that was checked last', () => {
    const known = [file(1, '2026-11-01T00:00:00Z'), file(2, '2026-11-03T00:00:00Z'), file(3, null)];
    expect(found(known)).toBe('2.csv');
    expect(found(known, ['nr', 'tel'])).toBeUndefined();
    expect(found([file(9, '2026-11-01T00:00:00Z')])).toBeUndefined();
    expect(found([file(1, '2026-11-01T00:00:00Z', { state: 'failed' })])).toBeUndefined();
    expect(found([file(1, '2026-11-01T00:00:00Z', { mapping })])).toBeUndefined();
  });

  test('leaves the phone column as it is if the earlier file had none', () => {
    expect(mappingRequest(mapping)).toEqual(mapping);
    expect(mappingRequest({ ...mapping, phone: null })).not.toHaveProperty('phone');
  });
});

test('the rows per second are those of the last ten seconds, and begin anew with another check', () => {
  const after = (...given: Sample[]) => given.reduce<readonly Sample[]>(withSample, []);
  expect(rateOf(after({ rows: 0, at: 0 }))).toBeNull();
  expect(rateOf(after({ rows: 0, at: 0 }, { rows: 500, at: 1000 }))).toBe(500);
  expect(rateOf(after({ rows: 0, at: 0 }, { rows: 100, at: 5000 }, { rows: 10_100, at: 15_000 }))).toBe(1000);
  expect(rateOf(after({ rows: 9000, at: 0 }, { rows: 10, at: 1000 }))).toBeNull();
});
