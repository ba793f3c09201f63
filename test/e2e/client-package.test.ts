import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildClientPackage } from '../../tools/client-package/build.ts';
import { completeGraph, createTenant, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createClientHome } from '../support/parlance.ts';

const run = promisify(execFile);

let folder: string;
let database: TestDatabase;
let api: ApiUnderTest;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-package-'));
  database = await createTestDatabase('mysql');
  api = await startApi(database.db);
});
afterAll(async () => {
  await api.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

// guarantee: cli-runs-without-service
test('the packed client, installed by npm into an empty folder, runs without the service: help, and a pull', async () => {
  const { tarball } = await buildClientPackage(folder);
  const project = await mkdtemp(join(folder, 'project-'));
  await writeFile(join(project, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', tarball], {
    cwd: project,
    timeout: 120_000,
  });
  expect(await readdir(join(project, 'node_modules'))).not.toContain('@temporalio');
  const { stdout } = await run('npm', ['exec', '--offline', '--', 'parlance', '--help'], {
    cwd: project,
    timeout: 30_000,
  });
  expect(stdout).toContain('Exit codes:');

  const { key } = await createTenant(database.db);
  await api.ask(key, 'POST', '/workflow/create/definition', {
    name: 'Desk',
    workflow_definition: completeGraph(),
  });
  const home = await createClientHome(
    { PARLANCE_URL: api.url, PARLANCE_API_KEY: key },
    join(project, 'node_modules/.bin/parlance'),
  );
  try {
    expect(await home.run(['agents', 'pull', '--all'])).toEqual({
      code: 0,
      stdout: 'created    agents/desk\n',
      stderr: '',
    });
    expect(JSON.parse(await readFile(join(home.dir, 'agents/desk/agent.json'), 'utf8'))).toMatchObject({
      name: 'Desk',
    });
    expect(await home.run(['agents', 'push'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('unchanged'),
    });
  } finally {
    await home.remove();
  }
});
