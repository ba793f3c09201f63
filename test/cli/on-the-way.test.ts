import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentVersions } from '../../src/db/tables/agent-versions.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startFront, type Fate, type Front } from '../support/front.ts';
import { createClientHome, type ClientHome } from '../support/parlance.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let api: ApiUnderTest;
let front: Front;
let home: ClientHome;
let key: string;
let agentId: number;

beforeAll(async () => {
  database = await createTestDatabase('mariadb');
  api = await startApi(database.db);
});
afterAll(async () => {
  await api.close();
  await database.drop();
});
beforeEach(async () => {
  ({ key } = await createTenant(database.db));
  front = await startFront(api.url);
  home = await createClientHome({ PARLANCE_URL: front.url, PARLANCE_API_KEY: key });
  agentId = Number(
    idAt(
      (
        await api.ask(key, 'POST', '/workflow/create/definition', {
          name: 'Desk',
          workflow_definition: completeGraph(),
        })
      ).body,
      'id',
    ),
  );
  await home.run(['agents', 'pull', '--all']);
  front.requests.length = 0;
});
afterEach(async () => {
  await front.close();
  await home.remove();
});

const pass: Fate = { kind: 'pass' };
const greeting = async () =>
  at(
    (await api.ask(key, 'GET', `/workflow/fetch/${agentId}`)).body,
    'workflow_definition',
    'nodes',
    0,
    'data',
    'greeting',
  );
const versions = () => database.db.getRepository(agentVersions).countBy({ agentId });
const editGreeting = async () => {
  const file = join(home.dir, 'agents/desk/agent.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace('Hello {{first_name}}', 'New here'));
};
const arrived = (request: string) => until(request, () => Promise.resolve(front.requests.includes(request)));
const once = (wanted: string, fate: Fate) => {
  let isDone = false;
  front.decide(({ method }) => {
    if (isDone || method !== wanted) return pass;
    isDone = true;
    return fate;
  });
};

describe('a push', () => {
  test('leaves the old agent if it is killed before its request arrives; a second push succeeds', async () => {
    await editGreeting();
    once('PUT', { kind: 'hold' });
    const running = home.start(['agents', 'push']);
    await arrived(`PUT /api/v1/workflow/${agentId}`);
    running.child.kill('SIGKILL');
    await running.ended;
    expect([await greeting(), await versions()]).toEqual(['Hello {{first_name}}', 1]);
    expect((await home.run(['agents', 'push'])).stdout).toContain('pushed ');
    expect([await greeting(), await versions()]).toEqual(['New here', 2]);
  });

  // guarantee: killed-push-leaves-whole-agent
  test('leaves the complete new agent if it is killed before its answer arrives; a second push changes nothing', async () => {
    await editGreeting();
    once('PUT', { kind: 'lose_answer', drop: false });
    const running = home.start(['agents', 'push']);
    await until('a second version', async () => (await versions()) === 2);
    running.child.kill('SIGKILL');
    await running.ended;
    expect(await greeting()).toBe('New here');
    expect(await home.run(['agents', 'push'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('unchanged'),
    });
    expect(await versions()).toBe(2);
  });

  // guarantee: lost-push-answer-makes-one-version
  test('checks the agent after a lost answer and creates no second version', async () => {
    await editGreeting();
    once('PUT', { kind: 'lose_answer', drop: true });
    expect(await home.run(['agents', 'push'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('pushed '),
    });
    expect([await greeting(), await versions()]).toEqual(['New here', 2]);
  });

  test('checks the agent even if no attempt gets an answer', async () => {
    await editGreeting();
    front.decide(({ method }) => (method === 'PUT' ? { kind: 'lose_answer', drop: true } : pass));
    expect(await home.run(['agents', 'push'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('pushed '),
    });
    expect([await greeting(), await versions()]).toEqual(['New here', 2]);
  });

  // guarantee: push-sends-entity-tag
  test('does not overwrite a change that was saved between its read and its write', async () => {
    await editGreeting();
    front.decide(async ({ method }) => {
      if (method === 'PUT')
        await api.ask(key, 'PUT', `/workflow/${agentId}`, { workflow_definition: completeGraph('Theirs') });
      return pass;
    });
    expect(await home.run(['agents', 'push'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The agent was changed on the server since the last pull'),
    });
    expect(await greeting()).toBe('Theirs');
  });

  test('ends at once on Ctrl-C with exit code 130', async () => {
    await editGreeting();
    once('PUT', { kind: 'hold' });
    const running = home.start(['agents', 'push']);
    await arrived(`PUT /api/v1/workflow/${agentId}`);
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, stderr: 'parlance: Interrupted\n' });
  });
});

describe('a request to an overloaded API', () => {
  test('is retried after the time in Retry-After, and not before', async () => {
    once('GET', {
      kind: 'answer',
      status: 429,
      headers: { 'retry-after': '1' },
      body: '{"detail":"Too many requests"}',
    });
    const begun = Date.now();
    expect(await home.run(['agents', 'list'])).toMatchObject({
      code: 0,
      stderr: 'Too many requests; retrying in 1 s\n',
    });
    expect(Date.now() - begun).toBeGreaterThanOrEqual(1000);
    expect(front.requests).toHaveLength(2);
  });

  test('fails with exit code 3 if Retry-After is hours', async () => {
    front.decide(() => ({
      kind: 'answer',
      status: 429,
      headers: { 'retry-after': '7200', 'x-request-id': 'of-the-test' },
      body: '{"detail":"Too many requests","code":"limit"}',
    }));
    expect(await home.run(['agents', 'list'])).toMatchObject({
      code: 3,
      stderr:
        'parlance: Too many requests (429 limit)\n  request of-the-test\n  Too many requests. Try again later.\n',
    });
    expect(front.requests).toHaveLength(1);
  });
});

describe('failures name the fault and the fix', () => {
  test('a wrong key: exit code 3 with the request id, and the key is never shown', async () => {
    const wrong = 'prl_not-a-valid-key';
    const { code, stdout, stderr } = await home.run(['agents', 'list'], { env: { PARLANCE_API_KEY: wrong } });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(
      /^parlance: Invalid .*key \(401 unauthenticated\)\n {2}request [\w-]+\n.*parlance login/,
    );
    expect(stderr).not.toContain(wrong);
    const refused = await home.run(['agents', 'list', '--json', '--api-key', wrong]);
    expect(JSON.parse(refused.stderr)).toMatchObject({
      error: { exit_code: 3, status: 401, code: 'unauthenticated', request_id: expect.any(String) },
    });
    expect(refused.stderr).not.toContain(wrong);
  });

  test('an unreachable API: exit code 4 with the URL', async () => {
    await front.close();
    expect(await home.run(['agents', 'list'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(
        `parlance: ${front.url} does not answer: ECONNREFUSED\n  Check that the service runs`,
      ),
    });
    front = await startFront(api.url);
  });

  test('a timeout: exit code 4', async () => {
    front.decide(() => ({ kind: 'hold' }));
    expect(await home.run(['agents', 'list', '--timeout', '1'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('no answer within 1 s'),
    });
  });

  test('a URL that is not an API or redirects: exit code 4, and the key is not sent to the redirect', async () => {
    front.decide(() => ({ kind: 'answer', status: 200, body: '<html>' }));
    expect(await home.run(['agents', 'list'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('did not answer with JSON'),
    });
    front.requests.length = 0;
    front.decide(({ path }) =>
      path === '/elsewhere' ? pass : { kind: 'answer', status: 302, headers: { location: '/elsewhere' } },
    );
    expect(await home.run(['agents', 'list'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('redirects to /elsewhere'),
    });
    expect(front.requests).toEqual(['GET /api/v1/workflow/fetch']);
  });

  test.each([
    { args: ['agents', 'list', '--no-such'], says: 'unknown option' },
    { args: ['agent', 'list'], says: 'unknown command' },
    { args: ['agents', 'list', '--timeout', 'soon'], says: 'It must be a whole number from 1 to 600' },
    { args: ['runs', 'list', 'desk', '--state', 'odd'], says: 'Allowed choices are running, completed' },
    { args: ['runs', 'show', 'desk'], says: 'missing required argument' },
    { args: ['runs', 'show', 'desk', 'x'], says: '"x" is not the id of a call' },
    { args: ['runs', 'list', 'nobody'], says: 'There is no agent "nobody"' },
    { args: ['agents', 'diff', 'no-folder'], says: 'no-folder is not an agent folder' },
    { args: ['webhooks', 'resend'], says: 'Name a delivery, or use --failed --since' },
    { args: ['webhooks', 'resend', '--failed'], says: '--failed needs --since' },
    { args: ['webhooks', 'resend', '--failed', '--since', 'yesterday'], says: '"yesterday" is not a time' },
    { args: ['agents', 'list', '--url', 'ftp://x'], says: '"ftp://x" is not a URL' },
    { args: ['agents', 'list', '--profile', 'none'], says: 'There is no profile "none"' },
  ])('wrong usage: exit code 2 for $args', async ({ args, says }) => {
    expect(await home.run(args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(says),
    });
  });

  test('help and version: exit code 0; without a terminal there are no colors', async () => {
    expect(await home.run(['--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Exit codes:'),
    });
    expect(await home.run(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect((await home.run(['agents', 'pull'])).stdout).not.toContain('\u001B');
  });
});

describe('a stored key', () => {
  const noEnv = { PARLANCE_URL: '', PARLANCE_API_KEY: '' };
  const config = () => join(home.dir, 'config/parlance/config.json');
  const logIn = (args: string[] = []) =>
    home.run(['login', '--url', api.url, ...args], { input: `${key}\n`, env: noEnv });

  test('is stored after the API has accepted it, in a file that only its owner can read, and is never shown', async () => {
    expect(await home.run(['login', '--url', api.url], { input: 'prl_wrong\n', env: noEnv })).toMatchObject({
      code: 3,
    });
    await expect(stat(config())).rejects.toThrow('ENOENT');
    const { code, stdout, stderr } = await logIn();
    expect({ code, stderr, shows: stdout.includes(key) }).toEqual({ code: 0, stderr: '', shows: false });
    expect([(await stat(config())).mode & 0o777, (await stat(join(config(), '..'))).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    expect(await home.run(['agents', 'list'], { env: noEnv })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Desk'),
    });
    expect(await home.run(['logout'], { env: noEnv })).toMatchObject({ code: 0 });
    expect(await home.run(['agents', 'list'], { env: noEnv })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No URL of the API is set'),
    });
  });

  // guarantee: cli-key-bound-to-its-address
  test('is only sent to the URL that it was stored for', async () => {
    await logIn(['--profile', 'staging']);
    expect(
      await home.run(['agents', 'list', '--profile', 'staging'], {
        env: { PARLANCE_URL: 'http://127.0.0.1:9', PARLANCE_API_KEY: 'prl_other' },
      }),
    ).toMatchObject({ code: 0 });
    expect(await home.run(['agents', 'list', '--url', front.url], { env: noEnv })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`No API key for ${front.url} is set`),
    });
    expect(front.requests).toEqual([]);
  });

  test('is not used if others can read its file', async () => {
    await logIn();
    await chmod(config(), 0o644);
    expect(await home.run(['agents', 'list'], { env: noEnv })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`chmod 600 '${config()}'`),
    });
  });

  test('is not read from a malformed file, which the error names', async () => {
    await mkdir(join(config(), '..'), { recursive: true });
    await writeFile(config(), '[]', { mode: 0o600 });
    expect(await home.run(['agents', 'list'], { env: noEnv })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not a configuration of parlance'),
    });
  });
});
