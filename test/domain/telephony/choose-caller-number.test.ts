import { expect, test } from '@jest/globals';
import { chooseCallerNumber, type CallerNumber } from '../../../src/domain/telephony/choose-caller-number.ts';

const numbers = (...ids: number[]): CallerNumber[] => ids.map((id) => ({ id, isDefaultCallerId: null }));
const usual: CallerNumber = { id: 9, isDefaultCallerId: true };

test.each<[string, CallerNumber[], { askedId: number | null; drawn?: number }, number | null]>([
  ['the number that was asked for', [...numbers(1, 2), usual], { askedId: 2 }, 2],
  ['no other number when the one asked for is not active', [...numbers(1), usual], { askedId: 2 }, null],
  ['no number when one was asked for and none is active', [], { askedId: 2 }, null],
  ['the default caller id', [...numbers(1, 2), usual], { askedId: null }, 9],
  ['the first number that the draw names', numbers(1, 2, 3), { askedId: null, drawn: 0 }, 1],
  ['the last number that the draw names', numbers(1, 2, 3), { askedId: null, drawn: 2 }, 3],
  ['the only number, without a draw', numbers(1), { askedId: null }, 1],
  ['no number when none is active', [], { askedId: null }, null],
])('a call shows %s (contract 12.3)', (_title, active, { askedId, drawn }, expected) => {
  const draws: number[] = [];
  const random = (below: number) => {
    draws.push(below);
    return drawn ?? 0;
  };
  expect(chooseCallerNumber(active, { askedId, random })?.id ?? null).toBe(expected);
  expect(draws).toEqual(drawn === undefined ? [] : [active.length]);
});
