import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { demoAgent } from '../../tools/demo/agent.ts';
import { at, createTenant, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { keptFiles } from '../support/directories.ts';
import { noFiles } from '../support/no-files.ts';
import { root } from '../support/process.ts';
import { createFakeCarrier, insertConnection } from '../support/telephony.ts';

let database: TestDatabase;
let api: ApiUnderTest;
let key: string;
let folder: string;

beforeAll(async () => {
  // The commands name objects by the ids of a fresh installation.
  database = await createTestDatabase('mysql', { hasNeighbor: false });
  api = await startApi(database.db, {
    files: keptFiles(noFiles),
    carriers: new Map([['telnyx', createFakeCarrier()]]),
  });
  const tenant = await createTenant(database.db);
  key = tenant.key;
  await insertConnection(database.db, tenant.organizationId, { numbers: [true] });
  folder = await mkdtemp(join(tmpdir(), 'parlance-readme-'));
  await mkdir(join(folder, '.parlance'));
  await writeFile(join(folder, '.parlance/dev-api-key'), key);
  await symlink(join(root, 'examples'), join(folder, 'examples'));
});
afterAll(async () => {
  await api.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** The commands of the README that call the API. A refused request fails the script. */
async function samples(): Promise<string[]> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  return [...readme.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .map((match) => match[1] ?? '')
    .filter((each) => each.includes('curl'))
    .map((each) => each.replaceAll('localhost:8000', api.url.replace('http://', '')));
}

const run = async (script: string) =>
  await promisify(execFile)('bash', ['-euc', `curl() { command curl --fail-with-body "$@"; }\n${script}`], {
    cwd: folder,
  });

test('the commands of the README run unchanged: they create an agent and start a campaign with the sample file', async () => {
  const { workflow_definition } = demoAgent({ webhookUrl: 'http://127.0.0.1:9/' });
  const demo = await api.ask(key, 'POST', '/workflow/create/definition', {
    name: 'Appointment reminder',
    workflow_definition,
  });
  expect(at(demo.body, 'id')).toBe(1);
  for (const script of await samples()) await run(script);
  const agent = await api.ask(key, 'GET', '/workflow/fetch/2');
  expect(agent.body).toMatchObject({ name: 'Front desk', version_number: 1, version_status: 'published' });
  const campaign = await api.ask(key, 'GET', '/campaign/1');
  expect(campaign.body).toMatchObject({ name: 'Reminders', state: 'syncing' });
});
