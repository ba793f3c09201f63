import { expect, test } from '@jest/globals';
import { loggedChecks } from '../../src/runtime/dependency-checks.ts';
import { readReadiness } from '../../src/runtime/health-server.ts';

test('the reason of an unusable dependency is logged once, until it is usable again', async () => {
  const lines: unknown[] = [];
  const log = {
    info: (fields: object, message: string) => void lines.push([message, fields]),
    warn: (fields: object, message: string) => void lines.push([message, fields]),
  };
  let fault: Error | null = new Error('Access denied for user parlance@10.0.0.7');
  const checks = loggedChecks(
    {
      mysql: () => (fault === null ? Promise.resolve() : Promise.reject(fault)),
      temporal: () => Promise.resolve(),
    },
    log,
  );
  await readReadiness(checks);
  expect(await readReadiness(checks)).toEqual({ ready: false, checks: { mysql: 'failed', temporal: 'ok' } });
  fault = null;
  expect(await readReadiness(checks)).toEqual({ ready: true, checks: { mysql: 'ok', temporal: 'ok' } });
  expect(lines).toEqual([
    [
      'A dependency is not usable',
      {
        dependency: 'mysql',
        error: expect.objectContaining({ message: 'Access denied for user parlance@10.0.0.7' }),
      },
    ],
    ['A dependency is usable again', { dependency: 'mysql' }],
  ]);
});
