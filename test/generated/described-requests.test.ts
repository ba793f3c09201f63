import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAnyRequestWorld, type AnyRequestWorld } from '../support/any-request/world.ts';
import { at } from '../support/api-on-services.ts';
import { propertyRuns, propertySeed, seedOfDescription } from '../support/seed.ts';
import { schemathesisPython } from '../support/services.ts';

const settings = join(import.meta.dirname, '../support/schemathesis');
const seed = propertySeed('Described requests', seedOfDescription());

/**
 * Runs Schemathesis in a copy of its settings folder, because it writes there. Returns its output and its
 * exit code.
 */
async function schemathesis(
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'schemathesis-'));
  await cp(settings, folder, { recursive: true });
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>();
  execFile(
    schemathesisPython(),
    ['-m', 'schemathesis.cli', '--no-color', 'run', ...args],
    { cwd: folder, env, maxBuffer: 64 * 1024 * 1024, timeout: 900_000 },
    (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` });
    },
  );
  try {
    return await promise;
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('a generator that knows only the description', () => {
  let world: AnyRequestWorld;

  beforeAll(async () => {
    world = await createAnyRequestWorld('mysql');
  }, 120_000);
  afterAll(() => world.close());

  // guarantee: fuzzer-finds-no-undeclared-answer
  test('finds no answer that violates the description, with all its checks', async () => {
    const { key } = await world.freshCredentials();
    const { body } = await world.api.ask(key, 'GET', '/user/api-keys');
    const { url } = world.api;
    const args = [
      `${url}/api/v1/openapi.json`,
      '--url',
      url,
      '--header',
      `X-API-Key: ${key}`,
      '--checks',
      'all',
      '--max-examples',
      String(propertyRuns(2)),
      '--seed',
      String(seed),
      '--workers',
      '2',
      '--request-timeout',
      '60',
      '--continue-on-failure',
    ];
    const { code, output } = await schemathesis(args, {
      OWN_KEY_ID: String(at(body, 0, 'id')),
      PATH: '/usr/bin:/bin',
    });
    expect(code === 0 ? 'nothing found' : output).toBe('nothing found');
    expect(output).toContain('Coverage');
  }, 930_000);
});
