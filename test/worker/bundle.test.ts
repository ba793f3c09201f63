import { afterEach, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { bundled, loadWorkflowBundle } from '../../src/worker/bundle.ts';
import { silentLogger } from '../support/quiet.ts';
import { workflowBundle } from '../support/test-run.mjs';
import { until } from '../support/until.ts';

const warned: unknown[] = [];
const log: Parameters<typeof loadWorkflowBundle>[0] = {
  warn: (...said: unknown[]) => void warned.push(said),
};
const failureConverterPath = fileURLToPath(
  new URL('../../src/temporal/failure-converter.ts', import.meta.url),
);

afterEach(() => {
  warned.length = 0;
});

/** Without its source map, which contains paths of the machine. */
function programOf(bundle: object): string {
  return 'code' in bundle && typeof bundle.code === 'string'
    ? bundle.code.replace(/\n\/\/# sourceMappingURL=.*/s, '')
    : 'no code';
}

/** Child processes of this one that are running. */
function children(): string[] {
  return execFileSync('ps', ['--ppid', String(process.pid), '-o', 'args=', '--no-headers'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((line) => line.includes('bundle-main.ts'));
}

test.each([
  ['without a failure converter', undefined],
  ['with a failure converter', failureConverterPath],
])('the script built by another process equals the one built in this process, %s', async (_, path) => {
  const built = await loadWorkflowBundle(log, { failureConverterPath: path });
  const here = await bundleWorkflowCode({ ...bundled, failureConverterPath: path, logger: silentLogger });
  expect(programOf(built) === programOf(here)).toBe(true);
  expect(warned).toEqual([]);
  expect(children()).toEqual([]);
});

test('a prebuilt script is used as it is, but not with a failure converter, which it does not have', async () => {
  const prebuilt = workflowBundle();
  expect(await loadWorkflowBundle(log, { prebuilt })).toEqual({ codePath: prebuilt });
  expect(await loadWorkflowBundle(log, { prebuilt, failureConverterPath })).toHaveProperty('code');
});

test('a prebuilt script that does not exist is refused with its variable and path', async () => {
  await expect(loadWorkflowBundle(log, { prebuilt: '/srv/no-bundle.js' })).rejects.toThrow(
    'PARLANCE_WORKFLOW_BUNDLE: /srv/no-bundle.js does not exist',
  );
});

test('a worker that stops during the bundling of its Workflows ends it and leaves no process behind', async () => {
  const stopping = new AbortController();
  const built = loadWorkflowBundle(log, { signal: stopping.signal }).catch((error: unknown) => error);
  await until('the bundler runs', async () => children().length === 1);
  stopping.abort();
  expect(await built).toHaveProperty('name', 'AbortError');
  await until('the bundler has ended', async () => children().length === 0);
});
