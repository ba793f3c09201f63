import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { root } from '../support/process.ts';
import { startTracing } from '../../src/runtime/start-tracing.ts';

/** Prints which modules of OpenTelemetry a fully configured process without a receiver of traces loads. */
const untraced = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
for (const file of ['api/compose.ts', 'worker/compose.ts', 'worker/create-workers.ts', 'temporal/traced-client.ts']) await import('./src/' + file);
const { startTracing } = await import('./src/runtime/start-tracing.ts');
const tracing = await startTracing({ config: undefined, role: 'test', version: '1', log: { info() {}, warn() {} } });
console.log(JSON.stringify({ isOn: tracing.isOn, loaded: loaded.length, telemetry: loaded.filter((url) => url.includes('@opentelemetry')) }));
`;

test('a process without a receiver of traces loads nothing of OpenTelemetry', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', untraced], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
  });
  const printed: unknown = JSON.parse(stdout === '' ? JSON.stringify({ stderr }) : stdout);
  expect(printed).toEqual({ isOn: false, loaded: expect.any(Number), telemetry: [] });
});

test('a process with one is traced', async () => {
  const tracing = await startTracing({
    config: { endpoint: 'http://127.0.0.1:1', sampler: { name: 'always_off', ratio: 1 } },
    role: 'test',
    version: '1',
    log: { info: () => undefined, warn: () => undefined },
  });
  expect(tracing.isOn).toBe(true);
  await tracing.stop();
});
