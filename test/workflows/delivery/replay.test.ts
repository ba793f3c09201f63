import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { quietRuntime, testBundle } from '../../support/call-world.ts';

const folder = new URL('../../histories/delivery/', import.meta.url);
const recorded = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));

beforeAll(() => quietRuntime());

test('there are histories of every way through a delivery', () => {
  expect(new Set(recorded.map((name) => name.split('/').at(-1)))).toEqual(
    new Set(['accepted-at-once.json', 'accepted-after-failures.json', 'final-answer.json', 'no-attempt-left.json', 'canceled-while-waiting.json', 'retried-by-hand.json']),
  );
});

test.each(recorded)('a delivery that began before this change goes on after it: %s', async (name) => {
  const history: unknown = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  await expect(Worker.runReplayHistory({ workflowBundle: await testBundle() }, history)).resolves.toBeUndefined();
}, 30_000);
