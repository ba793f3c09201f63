import { describe, expect, test } from '@jest/globals';
import { createLogger } from '../../src/runtime/logger.ts';
import { repeat } from '../../src/runtime/repeat.ts';
import { until } from '../support/until.ts';

const log = createLogger({ level: 'silent', role: 'api' });

describe('repeated work', () => {
  test('continues after a failure, and not after it was stopped', async () => {
    let runs = 0;
    const repeating = repeat({
      what: 'a test',
      pauseMs: 1,
      log,
      work: () => (++runs === 1 ? Promise.reject(new Error('away')) : Promise.resolve()),
    });
    await until('it ran again', () => Promise.resolve(runs > 3));
    await repeating.stop();
    const atStop = runs;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(runs).toBe(atStop);
  });

  test('is aborted and awaited when it is stopped', async () => {
    const seen: string[] = [];
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const work = async (signal: AbortSignal) => {
      begin();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      seen.push('ended');
    };
    const repeating = repeat({ what: 'a test', pauseMs: 1, log, work });
    await begun;
    await repeating.stop();
    expect(seen).toEqual(['ended']);
  });
});
