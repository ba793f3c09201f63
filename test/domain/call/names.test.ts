import { describe, expect, test } from '@jest/globals';
import { callName } from '../../../src/domain/call/names.ts';

describe('names that the service gives to calls (contract 6.3)', () => {
  test.each([
    ['trigger', 0, 'WR-API-0000'],
    ['trigger', 4859, 'WR-API-4859'],
    ['trigger_test', 31, 'WR-TEST-0031'],
    ['initiated', 76_324_417, 'WR-TEL-OUT-76324417'],
    ['initiated', 7, 'WR-TEL-OUT-00000007'],
    ['text', 0xab_cd, 'WR-TEXT-00ABCD'],
  ] as const)('%s, %i: %s', (origin, drawn, name) => {
    expect(callName(origin, () => drawn)).toBe(name);
  });

  test.each([
    ['trigger', 10_000],
    ['trigger_test', 10_000],
    ['initiated', 100_000_000],
    ['text', 0x1000000],
  ] as const)('the largest name of %s still has its length', (origin, max) => {
    expect(callName(origin, (below) => below - 1)).toHaveLength(callName(origin, () => 0).length);
    expect(callName(origin, (below) => (expect(below).toBe(max), 0))).toMatch(/^WR-[A-Z-]+-/);
  });
});
