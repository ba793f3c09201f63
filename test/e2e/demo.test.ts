import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runNode, type RunningProcess } from '../support/process.ts';
import { startWholeService, type WholeService } from '../support/whole-service.ts';

let service: WholeService;

beforeAll(async () => {
  service = await startWholeService();
});

afterAll(async () => {
  await service.stop();
});

function runDemo(...args: string[]): RunningProcess {
  const { apiUrl, apiKey, env } = service;
  return runNode('tools/demo/demo.ts', {
    args,
    env: {
      PARLANCE_API_URL: apiUrl,
      PARLANCE_API_KEY: apiKey,
      TEMPORAL_UI_URL: env['TEMPORAL_UI_URL'] ?? '',
      TEMPORAL_NAMESPACE: service.namespace,
      PARLANCE_SIMULATED: 'true',
      NO_COLOR: '1',
    },
  });
}

test('kill -9 of the worker in the middle of the conversation loses neither the conversation nor its webhook', async () => {
  let worker = service.startWorker();
  const demo = runDemo('--pause-ms', '400');
  const kills: number[] = [];
  for (const turns of [2, 4, 6]) {
    await spoken(demo, turns);
    worker.child.kill('SIGKILL');
    await worker.ended;
    kills.push(turns);
    worker = service.startWorker();
  }
  const { code } = await demo.ended;
  await worker.stop();

  expect(kills).toEqual([2, 4, 6]);
  expect({ code, output: demo.output() }).toEqual({
    code: 0,
    output: expect.stringContaining('signature verified'),
  });
  expect(demo.output().match(/^ {2}caller {2}/gm)).toHaveLength(6);
  expect(demo.output()).toContain('disposition user_qualified');
});

/** Resolves when the caller of the demonstration has spoken this often. */
async function spoken(demo: RunningProcess, times: number): Promise<void> {
  while ((demo.output().match(/^ {2}caller {2}/gm) ?? []).length < times) {
    if (demo.child.exitCode !== null) throw new Error(`the demonstration ended early:\n${demo.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
