import { describe, expect, test } from '@jest/globals';
import { readOptions, scenarioNames } from '../../../tools/bench/options.ts';

describe('the arguments of the benchmark', () => {
  test('default to all scenarios, 5,000 calls, MySQL, and no written report', () => {
    expect(readOptions([])).toEqual({
      scenarios: [...scenarioNames],
      isQuick: false,
      calls: 5000,
      database: 'mysql',
      writes: false,
      profiles: false,
    });
  });

  test('select scenarios one by one or separated by commas', () => {
    expect(readOptions(['--only', 'turn,webhook', '--only', 'memory']).scenarios).toEqual([
      'turn',
      'webhook',
      'memory',
    ]);
  });

  test('select a group of scenarios by their common prefix', () => {
    expect(readOptions(['--only', 'calls']).scenarios).toEqual([
      'calls-live',
      'calls-lost',
      'calls-triggered',
      'calls-watched',
      'calls-memory',
    ]);
    expect(readOptions(['--only', 'calls-lost']).scenarios).toEqual(['calls-lost']);
  });

  test.each([
    ['an unknown scenario', ['--only', 'turns'], 'no scenario turns'],
    ['an unknown database', ['--database', 'sqlite'], 'mysql or mariadb'],
    ['too few calls for a trend', ['--calls', '20'], '--calls'],
    ['calls that are not a number', ['--calls', 'many'], '--calls'],
    ['a quick run whose report would be written', ['--quick', '--write'], 'too rough'],
    ['an unknown argument', ['--quik'], '--quik'],
  ])('are refused with a sentence for %s', (_what, args, words) => {
    expect(() => readOptions(args)).toThrow(words);
  });
});
