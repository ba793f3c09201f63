import { expect, test } from '@jest/globals';
import {
  changeOf,
  chosenRanges,
  filtersOf,
  type Group,
  rangesOf,
  topDisposition,
} from '../../../console/src/screens/reports/figures.ts';
import { parseFilters } from '../../../console/src/screens/calls/filters.ts';
import { reportsSearch } from '../../../console/src/screens/reports/search.ts';

const group = (fields: Partial<Group>): Group => ({
  key: '7',
  name: 'Order desk',
  calls: 3,
  ended_calls: 3,
  duration_seconds: 90,
  average_duration_seconds: 30,
  cost_usd: null,
  latency_p50_ms: null,
  latency_p95_ms: null,
  dispositions: [],
  ...fields,
});

test('the days before are as many as those of the period, and end where it begins', () => {
  expect(rangesOf('2026-03-02', 7)).toEqual({
    now: { from: '2026-02-24', to: '2026-03-02' },
    before: { from: '2026-02-17', to: '2026-02-23' },
  });
});

test.each([
  [150, 100, 0.5],
  [50, 100, -0.5],
  [0, 100, -1],
  [100, 0, null],
  [null, 100, null],
  [100, null, null],
  [100, undefined, null],
])('%s after %s is a change of %s', (now, before, change) => {
  expect(changeOf(now, before)).toBe(change);
});

test('the most frequent outcome is named with its share of the calls that have one', () => {
  const dispositions = [
    { disposition: 'busy', calls: 1 },
    { disposition: 'done', calls: 3 },
  ];
  expect(topDisposition(group({ dispositions }))).toEqual({ disposition: 'done', share: 0.75 });
  expect(topDisposition(group({}))).toBeNull();
});

test.each([
  ['day', { key: '2026-11-20', name: null }, 'date:2026-11-20'],
  ['agent', {}, 'agent:"Order desk" after:2026-11-01 before:2026-12-01'],
  ['agent', { name: null }, null],
  ['campaign', {}, 'campaign:7 after:2026-11-01 before:2026-12-01'],
  ['campaign', { key: '' }, null],
  ['disposition', { key: 'done well' }, 'outcome:"done well" after:2026-11-01 before:2026-12-01'],
  ['disposition', { key: '' }, null],
  ['version', { key: '12' }, 'version:12 after:2026-11-01 before:2026-12-01'],
] as const)(
  'the calls of a group by %s are listed by filters that the list understands',
  (by, fields, filters) => {
    const found = filtersOf(by, group(fields), { from: '2026-11-01', to: '2026-11-30' });
    expect(found).toBe(filters);
    expect(parseFilters(found ?? '').faults).toEqual([]);
  },
);

test('the calls of a group are those that the report is narrowed to', () => {
  const of = { from: '2026-11-01', to: '2026-11-30', agent: 4, campaign: 9 };
  expect(filtersOf('day', { key: '2026-11-20', name: null }, of)).toBe('date:2026-11-20 agent:4 campaign:9');
  expect(filtersOf('campaign', group({}), of)).toBe('campaign:7 agent:4 after:2026-11-01 before:2026-12-01');
});

test('a chosen period is compared with as many days before it', () => {
  expect(chosenRanges({ from: '2026-03-01', to: '2026-03-03' })).toEqual({
    now: { from: '2026-03-01', to: '2026-03-03' },
    before: { from: '2026-02-26', to: '2026-02-28' },
    days: 3,
  });
});

test.each([
  [{ from: '2026-11-01', to: '2026-11-30' }, true],
  [{ from: '2026-11-30', to: '2026-11-01' }, false],
  [{ from: '2026-01-01', to: '2026-04-02' }, true],
  [{ from: '2026-01-01', to: '2026-04-03' }, false],
  [{ from: '2026-13-01', to: '2026-11-30' }, false],
  [{ from: '2026-11-01' }, false],
])('a period of %j in the address is kept: %s', (range, isKept) => {
  expect(reportsSearch(range)).toEqual(isKept ? range : {});
});

test('an unknown period, grouping or agent in the address is left out', () => {
  expect(reportsSearch({ days: '90', by: 'version', agent: '7' })).toEqual({
    days: 90,
    by: 'version',
    agent: 7,
  });
  expect(reportsSearch({ days: '3', by: 'mood', agent: '-1' })).toEqual({});
});
