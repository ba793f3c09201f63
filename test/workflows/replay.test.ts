import { beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { bundleWorkflowCode, Worker, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { testBundle } from '../support/call-world.ts';
import { quietRuntime, silentLogger } from '../support/quiet.ts';

const folder = new URL('../histories/call/', import.meta.url);
const recorded = readdirSync(folder).flatMap((release) => readdirSync(new URL(`${release}/`, folder)).map((file) => [release, file] as const));
const historyOf = (release: string, file: string): unknown => JSON.parse(readFileSync(new URL(`${release}/${file}`, folder), 'utf8'));

beforeAll(() => {
  quietRuntime();
});

describe('calls that were live when this code was not written yet', () => {
  let bundle: WorkflowBundleWithSourceMap;

  beforeAll(async () => {
    bundle = await testBundle();
  }, 60_000);

  test('every way a call can go is on record', () => {
    const files = new Set(recorded.map(([, file]) => file));
    for (const name of ['plain-end', 'nodes-extraction-webhook', 'failed-turn-then-recovery', 'inactivity-end', 'canceled', 'two-messages-at-once', 'rewound', 'before-opening', 'summarized', 'tools-then-end-by-tool', 'continued-as-new-1', 'continued-as-new-2']) {
      expect(files).toContain(`${name}.json`);
    }
  });

  test.each(recorded)('release %s, %s: the present code takes it over', async (release, file) => {
    await expect(Worker.runReplayHistory({ workflowBundle: bundle }, historyFromJSON(historyOf(release, file)))).resolves.toBeUndefined();
  });
});

describe('a Workflow that was changed without a patch', () => {
  test('is found out by the recorded calls', async () => {
    const changed = await bundleWorkflowCode({ workflowsPath: new URL('fixtures/changed-workflows.ts', import.meta.url).pathname, logger: silentLogger });
    const [first] = recorded;
    if (first === undefined) throw new Error('nothing is recorded');
    await expect(Worker.runReplayHistory({ workflowBundle: changed }, historyFromJSON(historyOf(...first)))).rejects.toMatchObject({ name: 'DeterminismViolationError' });
  }, 60_000);
});

describe('the bundle of the Workflows', () => {
  test('holds nothing that has no business in the sandbox, and stays small', async () => {
    const { code } = await testBundle();
    const modules = (name: string) => new RegExp(`node_modules/${name}/`).test(code);
    for (const name of ['typeorm', 'express', 'zod', 'moment-timezone', 'openai', 'mysql2', 'pino', 'undici']) expect({ name, isBundled: modules(name) }).toEqual({ name, isBundled: false });
    expect(modules('@temporalio')).toBe(true);
    const withoutMap = code.slice(0, code.lastIndexOf('//# sourceMappingURL'));
    expect(withoutMap.length).toBeLessThan(900_000);
  }, 60_000);
});

describe('protobufjs', () => {
  test('is installed once, in version 8, at the root: another copy breaks replay', () => {
    const versionAt = (path: string): unknown => JSON.parse(readFileSync(new URL(`../../node_modules/${path}/package.json`, import.meta.url), 'utf8')).version;
    expect(versionAt('protobufjs')).toMatch(/^8\./);
    for (const name of ['client', 'common', 'proto', 'worker', 'testing', 'workflow', 'activity']) {
      expect({ name, hasOwn: existsSync(new URL(`../../node_modules/@temporalio/${name}/node_modules/protobufjs`, import.meta.url)) }).toEqual({ name, hasOwn: false });
    }
  });
});
