import { beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { bundleWorkflowCode, Worker } from '@temporalio/worker';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import * as registered from '../../src/workflows/index.ts';
import { testBundle } from '../support/call-world.ts';
import { quietRuntime, silentLogger } from '../support/quiet.ts';

const histories = new URL('../histories/', import.meta.url);
const extension = '.json.gz';
/** Each recorded history: `0.1.0/call/plain-end`. */
const recorded = readdirSync(histories, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith(extension))
  .map((path) => path.slice(0, -extension.length))
  .toSorted();
const historyOf = (path: string) =>
  historyFromJSON(
    JSON.parse(gunzipSync(readFileSync(new URL(`${path}${extension}`, histories))).toString('utf8')),
  );
const typeOf = (path: string) =>
  historyOf(path).events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name;

/** The scenarios of each Workflow type; spoken calls have a folder of their own. */
const scenarios: Record<string, string[]> = {
  call: [
    'plain-end',
    'nodes-extraction-webhook',
    'failed-turn-then-recovery',
    'inactivity-end',
    'canceled',
    'two-messages-at-once',
    'rewound',
    'before-opening',
    'summarized',
    'tools-then-end-by-tool',
    'judged',
    'continued-as-new-1',
    'continued-as-new-2',
  ],
  voice: [
    'nodes-extraction-webhook',
    'busy',
    'refused-dial',
    'lost-answer-found',
    'answer-known-by-its-stream',
    'hung-up-in-a-step',
    'silence-then-goodbye',
    'three-faults',
    'cut-off-at-the-limit',
    'message-for-a-machine',
    'host-lost-in-a-step',
    'stream-lost-in-a-step',
    'host-lost-while-it-rings',
    'moved-in-order',
    'no-host-any-more',
    'transferred',
    'transfer-not-answered',
    'canceled',
    'incoming',
    'in-a-browser',
  ],
  delivery: [
    'continued-after-the-first-attempt',
    'accepted-at-once',
    'accepted-after-failures',
    'final-answer',
    'no-attempt-left',
    'canceled-while-waiting',
    'retried-by-hand',
    'sent-again-after-its-end',
    'sent-again-under-way-1',
    'sent-again-under-way-2',
    'wakes-a-backlog',
  ],
  backlog: ['endpoint-is-back', 'endpoint-fails-again'],
  drain: ['of-ended-and-waiting', 'of-nothing'],
  reconcile: [
    'nothing-found',
    'calls-closed',
    'webhooks-repaired',
    'recording-joined',
    'campaign-and-import-made-again',
  ],
  import: ['checked', 'nothing-in-the-file', 'looked-at', 'canceled', 'terminated'],
  campaign: [
    'runs-to-completion',
    'sleeps-is-paused-resumed-and-stopped',
    'hours-never-open',
    'woken-after-a-fault',
    'terminated',
    'continued-as-new-1',
    'continued-as-new-2',
  ],
  erasure: ['of-an-ended-call'],
  judging: ['replaced', 'model-fails'],
  retention: ['nobody-has-a-policy', 'two-organizations-in-pages'],
};

beforeAll(() => {
  quietRuntime();
});

describe('recorded histories', () => {
  let bundle: { code: string };

  beforeAll(async () => {
    bundle = await testBundle();
  });

  test('cover every Workflow type', () => {
    expect(new Set(recorded.map(typeOf))).toEqual(new Set(Object.keys(registered)));
  });

  test.each(Object.entries(scenarios))('cover every scenario of %s', (folder, names) => {
    const present = recorded
      .map((path) => path.split('/'))
      .filter(([, each]) => each === folder)
      .map(([, , name]) => name);
    expect(present).toEqual(expect.arrayContaining(names));
  });

  // guarantee: new-code-takes-over-live-calls
  test('replay with the current code', async () => {
    const replayed: string[] = [];
    const failed: [string, string][] = [];
    const all = recorded.map((path) => ({ workflowId: path, history: historyOf(path) }));
    for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: bundle }, all)) {
      replayed.push(workflowId);
      if (error !== undefined) failed.push([workflowId, error.message]);
    }
    expect(failed).toEqual([]);
    expect(replayed.toSorted()).toEqual(recorded);
  });
});

describe('a Workflow that was changed without a patch', () => {
  test('fails the replay of recorded calls', async () => {
    const changed = await bundleWorkflowCode({
      workflowsPath: new URL('fixtures/changed-workflows.ts', import.meta.url).pathname,
      logger: silentLogger,
    });
    await expect(
      Worker.runReplayHistory({ workflowBundle: changed }, historyOf('0.1.0/call/plain-end')),
    ).rejects.toMatchObject({ name: 'DeterminismViolationError' });
  });
});

describe('the bundle of the Workflows', () => {
  test('contains no modules that do not belong in the sandbox, and stays small', async () => {
    const { code } = await testBundle();
    const modules = (name: string) => new RegExp(`node_modules/${name}/`).test(code);
    for (const name of ['typeorm', 'express', 'zod', 'moment-timezone', 'openai', 'mysql2', 'pino', 'undici'])
      expect({ name, isBundled: modules(name) }).toEqual({ name, isBundled: false });
    expect(modules('@temporalio')).toBe(true);
    const withoutMap = code.slice(0, code.lastIndexOf('//# sourceMappingURL'));
    expect(withoutMap.length).toBeLessThan(960_000);
  });
});

describe('protobufjs', () => {
  test('is installed once, in version 8, at the root, because another copy breaks replay', () => {
    const versionAt = (path: string): unknown =>
      JSON.parse(readFileSync(new URL(`../../node_modules/${path}/package.json`, import.meta.url), 'utf8'))
        .version;
    expect(versionAt('protobufjs')).toMatch(/^8\./);
    for (const name of ['client', 'common', 'proto', 'worker', 'testing', 'workflow', 'activity']) {
      expect({
        name,
        hasOwn: existsSync(
          new URL(`../../node_modules/@temporalio/${name}/node_modules/protobufjs`, import.meta.url),
        ),
      }).toEqual({ name, hasOwn: false });
    }
  });
});
