import { describe, expect, test } from '@jest/globals';
import { filtersOfCalls, tally } from '../../../console/src/screens/calls/bulk.ts';
import {
  extended,
  nothing,
  type Selection,
  toggled,
  withPage,
} from '../../../console/src/parts/selection.ts';

const page = new Map(['a', 'b', 'c', 'd', 'e'].map((id) => [id, id]));
const chosen = ({ rows }: Selection<string>) => [...rows.keys()].toSorted().join('');
const toggle = (selection: Selection<string>, id: string) => toggled(selection, id, id);
const extend = (selection: Selection<string>, to: string) => extended(selection, page, to);

describe('the selection of calls', () => {
  test('a range goes from the row that was last chosen by itself to the present one, in both directions', () => {
    const begun = toggle(nothing(), 'c');
    expect(chosen(extend(begun, 'e'))).toBe('cde');
    expect(chosen(extend(begun, 'a'))).toBe('abc');
  });

  test('a range that is extended again replaces the former one, and keeps what was chosen before', () => {
    const begun = toggle(toggle(nothing(), 'e'), 'a');
    const wide = extend(begun, 'd');
    expect(chosen(wide)).toBe('abcde');
    expect(chosen(extend(wide, 'b'))).toBe('abe');
  });

  test('a range without a beginning on the page begins where it ends', () => {
    const elsewhere = toggle(nothing(), 'z');
    expect(chosen(extend(nothing(), 'b'))).toBe('b');
    const here = extend(elsewhere, 'b');
    expect(chosen(here)).toBe('bz');
    expect(chosen(extend(here, 'c'))).toBe('bcz');
  });

  test('a row that is not on the page changes nothing', () => {
    const begun = toggle(nothing(), 'c');
    expect(extend(begun, 'z')).toBe(begun);
  });

  test('a row leaves the selection as it came, also after the whole page was chosen', () => {
    expect(chosen(toggle(toggle(nothing(), 'a'), 'a'))).toBe('');
    expect(chosen(toggle(withPage(toggle(nothing(), 'z'), page), 'b'))).toBe('acdez');
  });
});

test('an action on selected calls asks for exactly these', () => {
  expect(JSON.parse(filtersOfCalls([7, 1204]))).toEqual([
    { attribute: 'runId', type: 'number', value: { ids: [7, 1204] } },
  ]);
});

test('reasons are counted, the most frequent first', () => {
  expect(tally(['No words', 'No QA node', 'No words'])).toEqual([
    { reason: 'No words', calls: 2 },
    { reason: 'No QA node', calls: 1 },
  ]);
  expect(tally([])).toEqual([]);
});
