import { describe, expect, test } from '@jest/globals';
import { allowedCallerNumbers, chooseCallerNumber } from '../../../src/domain/telephony/caller-number.ts';

const number = (id: number, isDefault = false) => ({ id, address: `+1555000${id}`, isDefault });
const withDefault = [number(1), number(2, true), number(3)];
const withoutDefault = [number(1), number(2), number(3)];

describe('the number that the callee sees (contract 12.3)', () => {
  test.each([
    ['the requested one', withDefault, 3, 3],
    ['none if the requested one is not active', withDefault, 4, null],
    ['else the default caller', withDefault, null, 2],
    ['else any active one, at random', withoutDefault, null, 3],
    ['the only one, without a random choice', [number(7)], null, 7],
    ['none if the connection has none', [], null, null],
    ['none if one was requested and the connection has none', [], 1, null],
  ])('is %s', (_title, active, wantedId, chosen) => {
    const random = (below: number) => {
      expect(below).toBe(3);
      return 2;
    };
    expect(chooseCallerNumber(active, { wantedId, random })?.id ?? null).toBe(chosen);
  });

  test.each([
    ['all', null, [1, 2, 3]],
    ['only the named ones', [3, 1, 9], [1, 3]],
    ['none for an empty list', [], []],
  ])('a campaign may show %s', (_title, onlyIds, ids) => {
    expect(allowedCallerNumbers(withDefault, onlyIds).map(({ id }) => id)).toEqual(ids);
  });
});
