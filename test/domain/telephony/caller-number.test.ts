import { describe, expect, test } from '@jest/globals';
import { allowedCallerNumbers, chooseCallerNumber } from '../../../src/domain/telephony/caller-number.ts';

const number = (id: number, isDefault = false) => ({ id, address: `+1555000${id}`, isDefault });
const withDefault = [number(1), number(2, true), number(3)];
const withoutDefault = [number(1), number(2), number(3)];

describe('the number that a person sees (contract 12.3)', () => {
  test.each([
    ['the one that was asked for', withDefault, 3, 3],
    ['none when the one that was asked for is not active', withDefault, 4, null],
    ['else the default one', withDefault, null, 2],
    ['else any active one, drawn', withoutDefault, null, 3],
    ['the only one, without a draw', [number(7)], null, 7],
    ['none when the connection has none', [], null, null],
    ['none when the connection has none and one was asked for', [], 1, null],
  ])('%s', (_title, active, wantedId, chosen) => {
    const random = (below: number) => {
      expect(below).toBe(3);
      return 2;
    };
    expect(chooseCallerNumber(active, { wantedId, random })?.id ?? null).toBe(chosen);
  });

  test.each([
    ['all', null, [1, 2, 3]],
    ['those that are named', [3, 1, 9], [1, 3]],
    ['none of an empty list', [], []],
  ])('a campaign may show %s', (_title, onlyIds, ids) => {
    expect(allowedCallerNumbers(withDefault, onlyIds).map(({ id }) => id)).toEqual(ids);
  });
});
