import { describe, expect, test } from '@jest/globals';
import { readOptions, scenarioNames } from '../../../tools/bench/options.ts';

describe('the arguments of the benchmark', () => {
  test('without any: everything, 5,000 calls, on MySQL, nothing written', () => {
    expect(readOptions([])).toEqual({
      scenarios: [...scenarioNames],
      isQuick: false,
      calls: 5000,
      database: 'mysql',
      writes: false,
      profiles: false,
    });
  });

  test('name scenarios one by one or with commas', () => {
    expect(readOptions(['--only', 'turn,webhook', '--only', 'memory']).scenarios).toEqual([
      'turn',
      'webhook',
      'memory',
    ]);
  });

  test('name scenarios that belong together by their common beginning', () => {
    expect(readOptions(['--only', 'calls']).scenarios).toEqual([
      'calls-live',
      'calls-lost',
      'calls-triggered',
      'calls-memory',
    ]);
    expect(readOptions(['--only', 'calls-lost']).scenarios).toEqual(['calls-lost']);
  });

  test.each([
    ['an unknown scenario', ['--only', 'turns'], 'no scenario turns'],
    ['an unknown database', ['--database', 'sqlite'], 'mysql or mariadb'],
    ['too few calls for a trend', ['--calls', '20'], '--calls'],
    ['calls that are no number', ['--calls', 'many'], '--calls'],
    ['a quick run that would be written down', ['--quick', '--write'], 'too little'],
    ['an unknown argument', ['--quik'], '--quik'],
  ])('are refused with a sentence for %s', (_what, args, words) => {
    expect(() => readOptions(args)).toThrow(words);
  });
});
