import { describe, expect, test } from '@jest/globals';
import { guarded } from '../../src/runtime/guarded.ts';
import { until } from '../support/until.ts';

describe('a guarded listener', () => {
  test.each(['throws', 'rejects with'])('reports what it %s, with its arguments', async (way) => {
    const faults: unknown[][] = [];
    const fault = new Error('broken');
    const listener = guarded(
      (_at: number) => {
        if (way === 'rejects with') return Promise.reject(fault);
        throw fault;
      },
      (...reported) => faults.push(reported),
    );
    listener(7);
    await until('the report', () => Promise.resolve(faults.length > 0));
    expect(faults).toEqual([[fault, 7]]);
  });
});
