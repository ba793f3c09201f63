import { describe, expect, test } from '@jest/globals';
import { calculate } from '../../../src/domain/agent-tools/calculate.ts';

describe('the calculator', () => {
  test.each([
    ['2*(3+4)', 14],
    ['2 + 3 * 4 - 10 / 5', 12],
    ['-2^2', -4],
    ['2^-1', 0.5],
    ['2^3^2', 512],
    ['0.1 + 0.2', 0.3],
    ['10 % 4', 2],
    ['1.5e3 / .5', 3000],
    ['--3', 3],
    ['8 - 3 - 2', 3],
  ])('%s is %p', (expression, value) => {
    expect(calculate(expression)).toEqual({ kind: 'value', value });
  });

  test.each([
    '',
    '1 +',
    '(1',
    '1)',
    '2 3',
    '1 / 0',
    '10^400',
    'process.exit(1)',
    '1; 2',
    '1 == 1',
    '2**3',
    'e',
    '('.repeat(999),
    '1'.repeat(1001),
    '-'.repeat(900) + '1',
  ])('%s is refused with a reason', (expression) => {
    expect(calculate(expression)).toMatchObject({ kind: 'invalid', error: expect.any(String) });
  });
});
