import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
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
import { createClientHome, type ClientHome } from '../support/parlance.ts';

const longPrompt =
  'You take orders.\n\n- Ask what they need.\n- Never promise a day.\n\n"Quotes", ümlauts, 🙂 and {{first_name | there}}.';

/** A graph that is hard to preserve: with a secret, headers, prompts of the same name, Windows line ends. */
function graph() {
  const { nodes, edges } = completeGraph();
  const position = { x: -1.5, y: 0 };
  return {
    viewport: { zoom: 1.25, x: 0, y: -3 },
    nodes: [
      ...nodes,
      { id: 'b', type: 'agentNode', position, data: { prompt: longPrompt, name: 'Ask' } },
      { id: 'c', type: 'agentNode', position, data: { name: 'From Windows', prompt: 'one\r\ntwo' } },
      {
        id: 'q',
        type: 'qa',
        position,
        data: {
          name: 'Judge',
          qa_system_prompt: 'Judge {{transcript}}\n',
          qa_api_key: 'secret-key-of-the-judge',
        },
      },
      {
        id: 'w',
        type: 'webhook',
        position,
        data: {
          name: 'CRM',
          endpoint_url: 'https://crm.example.test/in',
          custom_headers: [{ key: 'Authorization', value: 'Bearer very-secret' }],
          payload_template: { z: 1, a: [true, null, { y: 'é', x: 2.5 }] },
        },
      },
    ],
    edges: [
      ...edges,
      { id: 'a-b', source: 'a', target: 'b', data: { label: 'More', condition: 'They want more' } },
      { id: 'b-c', source: 'b', target: 'c', data: { label: 'On', condition: 'On' } },
      { id: 'c-e', source: 'c', target: 'e', data: { label: 'Stop', condition: 'Stop' } },
    ],
  };
}

const reversedKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toReversed())
    : value;

describe('agents as files', () => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let home: ClientHome;
  let key: string;

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
    home = await createClientHome({ PARLANCE_URL: api.url, PARLANCE_API_KEY: key });
  });
  afterEach(() => home.remove());

  const create = async (name = 'Order desk', definition: unknown = graph()) =>
    Number(
      idAt(
        (await api.ask(key, 'POST', '/workflow/create/definition', { name, workflow_definition: definition }))
          .body,
        'id',
      ),
    );
  const onServer = async (id: number) => (await api.ask(key, 'GET', `/workflow/fetch/${id}`)).body;
  const change = (id: number, body: unknown) => api.ask(key, 'PUT', `/workflow/${id}`, body);
  const versions = (agentId: number) => database.db.getRepository(agentVersions).countBy({ agentId });
  const path = (...parts: string[]) => join(home.dir, 'agents', ...parts);
  const text = (...parts: string[]) => readFile(path(...parts), 'utf8');
  const edit = async (file: string[], from: string, to: string) => {
    const before = await text(...file);
    expect(before).toContain(from);
    await writeFile(path(...file), before.replace(from, to));
  };
  /** Every file below the folder of agents. */
  const allFiles = async () => {
    const names = (await readdir(path(), { recursive: true, withFileTypes: true }))
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name))
      .toSorted();
    return Object.fromEntries(
      await Promise.all(
        names.map(async (name) => [name.slice(path().length + 1), await readFile(name, 'utf8')] as const),
      ),
    );
  };

  // guarantee: unchanged-agent-not-pushed
  test('a pull and an unchanged push change nothing: no version, no byte of the files, no writing request', async () => {
    const id = await create();
    await change(id, {
      workflow_configurations: { max_call_duration: 120, own_key: { b: 1, a: 2 } },
      template_context_variables: { tier: 'gold' },
    });
    const [before, count] = [await onServer(id), await versions(id)];
    expect(await home.run(['agents', 'pull', '--all'])).toMatchObject({
      code: 0,
      stdout: 'created    agents/order-desk\n',
    });
    const files = await allFiles();
    expect(Object.keys(files)).toEqual([
      'order-desk/agent.json',
      'order-desk/origin.json',
      'order-desk/prompts/ask-a.md',
      'order-desk/prompts/ask-b.md',
      'order-desk/prompts/end.md',
      'order-desk/prompts/judge.qa-system.md',
      'order-desk/prompts/start.md',
    ]);
    expect(files['order-desk/prompts/ask-b.md']).toBe(`${longPrompt}\n`);

    const pushed = await home.run(['agents', 'push', '--json']);
    expect({ ...pushed, stdout: JSON.parse(pushed.stdout) }).toMatchObject({
      code: 0,
      stdout: [{ folder: 'agents/order-desk', id, outcome: 'unchanged', version: 2 }],
    });
    expect([await onServer(id), await versions(id)]).toEqual([before, count]);
    expect(await home.run(['agents', 'pull'])).toMatchObject({
      code: 0,
      stdout: 'unchanged  agents/order-desk\n',
    });
    expect(await home.run(['agents', 'diff'])).toMatchObject({
      code: 0,
      stdout: 'agents/order-desk  the same here and on the server\n',
    });
    expect(await allFiles()).toEqual(files);

    // Another order of keys, as other tools write it, is not a change, and the push restores it.
    await writeFile(
      path('order-desk', 'agent.json'),
      JSON.stringify(JSON.parse(files['order-desk/agent.json'] ?? ''), reversedKeys),
    );
    expect(await home.run(['agents', 'push'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('unchanged'),
    });
    expect([await onServer(id), await versions(id)]).toEqual([before, count]);
    expect(await allFiles()).toEqual(files);
  });

  test('pushes an edited prompt as one draft, keeps masked secrets, and publishes on request', async () => {
    const id = await create();
    await home.run(['agents', 'pull', String(id)]);
    expect(JSON.stringify(await allFiles())).not.toMatch(/secret-key-of-the-judge|very-secret/);
    await edit(['order-desk', 'prompts', 'ask-b.md'], 'Never promise a day.', 'Promise nothing.');
    const diff = await home.run(['agents', 'diff']);
    expect(diff).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('-- Never promise a day.\n+- Promise nothing.\n'),
    });

    expect(await home.run(['agents', 'push', '--publish'])).toMatchObject({
      code: 0,
      stdout: 'pushed     agents/order-desk  version 2, published\n',
    });
    const stored = await database.db
      .getRepository(agentVersions)
      .findOneByOrFail({ agentId: id, state: 'published' });
    expect(stored.number).toBe(2);
    expect(at(stored.definition, 'nodes', 3, 'data', 'prompt')).toBe(
      longPrompt.replace('Never promise a day.', 'Promise nothing.'),
    );
    const first = await database.db.getRepository(agentVersions).findOneByOrFail({ agentId: id, number: 1 });
    const [key, header] = [
      ['nodes', 5, 'data', 'qa_api_key'],
      ['nodes', 6, 'data', 'custom_headers', 0, 'value'],
    ] as const;
    expect([at(stored.definition, ...key), at(stored.definition, ...header)]).toEqual([
      at(first.definition, ...key),
      at(first.definition, ...header),
    ]);
    expect(String(at(stored.definition, ...key))).not.toContain('***');
    expect(await home.run(['agents', 'push', '--publish'])).toMatchObject({
      code: 0,
      stdout: 'unchanged  agents/order-desk  version 2, published\n',
    });
  });

  // guarantee: push-refuses-unseen-changes
  test('refuses to overwrite changes on the server since the pull, and leaves both sides unchanged', async () => {
    const id = await create();
    await home.run(['agents', 'pull', '--all']);
    await change(id, { workflow_configurations: { max_call_duration: 90 } });
    await edit(['order-desk', 'prompts', 'start.md'], 'Greet', 'Welcome');
    const [before, files] = [await onServer(id), await allFiles()];

    expect(await home.run(['agents', 'push'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(
        'The agent was changed on the server since the last pull (version 1 then, 2 now)',
      ),
    });
    const pushed = await home.run(['agents', 'push', '--json']);
    expect({ code: pushed.code, value: JSON.parse(pushed.stdout) }).toMatchObject({
      code: 1,
      value: [{ outcome: 'conflict' }],
    });
    expect(await home.run(['agents', 'pull'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('has changes that were not pushed'),
    });
    expect(await home.run(['agents', 'diff'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('changed here and on the server'),
    });
    expect([await onServer(id), await allFiles()]).toEqual([before, files]);

    expect((await home.run(['agents', 'push', '--force'])).code).toBe(0);
    expect(at(await onServer(id), 'workflow_definition', 'nodes', 0, 'data', 'prompt')).toBe('Welcome');
    await change(id, { name: 'Renamed' });
    expect(await home.run(['agents', 'pull'])).toMatchObject({
      code: 0,
      stdout: 'updated    agents/order-desk\n',
    });
    expect(JSON.parse(await text('order-desk', 'agent.json'))).toMatchObject({ name: 'Renamed' });
  });

  test('reports each fault of a graph that cannot be published, with exit code 3, and keeps the draft', async () => {
    const id = await create();
    await home.run(['agents', 'pull', '--all']);
    await writeFile(path('order-desk', 'prompts', 'start.md'), '\n');
    await edit(['order-desk', 'agent.json'], '"label": "Done"', '"label": ""');
    const saved = await home.run(['agents', 'push']);
    expect(saved).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /version 2, a draft[^]*before it can be published: node s: Start: a prompt is required/,
      ),
    });
    const refused = await home.run(['agents', 'push', '--publish']);
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /^agents\/order-desk\nparlance: The graph is not valid \(422 validation\)\n {2}node s: Start: a prompt is required\n {2}edge a-e, data\.label: .*\n {2}request [\w-]+\n/,
      ),
    });
    const pushed = await home.run(['agents', 'push', '--publish', '--json']);
    expect(JSON.parse(pushed.stdout)).toMatchObject([
      { outcome: 'failed', faults: [{ place: 'node s' }, { place: 'edge a-e, data.label' }] },
    ]);
    expect(await onServer(id)).toMatchObject({ version_number: 2, version_status: 'draft' });
  });

  test('creates an agent for an unknown folder only on request, with its settings, and only once', async () => {
    await create();
    await home.run(['agents', 'pull', '--all']);
    await rm(path('order-desk', 'origin.json'));
    await edit(['order-desk', 'agent.json'], '"settings": {}', '"settings": { "max_call_duration": 60 }');
    expect(await home.run(['agents', 'push'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Use --create to create one'),
    });
    expect(await home.run(['agents', 'push', '--create'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('created    agents/order-desk  version 2, a draft'),
    });
    expect(await home.run(['agents', 'push', '--create'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('unchanged'),
    });
    const list = JSON.parse((await home.run(['agents', 'list', '--json'])).stdout);
    expect(list).toMatchObject([{ name: 'Order desk', status: 'active' }, { name: 'Order desk' }]);
    expect(await onServer(Number(idAt(list, 0, 'id')))).toMatchObject({
      workflow_configurations: { max_call_duration: 60 },
    });
  });

  test("lists agents as a table and as the API's records", async () => {
    const id = await create('Front\u001B[31m desk');
    expect((await home.run(['agents', 'list'])).stdout).toMatch(
      new RegExp(`^ID +NAME +STATE +CALLS +CREATED\n${id} +Front desk +active +0 +20\\d\\d-`),
    );
    const { stdout } = await home.run(['agents', 'list', '--json']);
    expect(JSON.parse(stdout)).toEqual((await api.ask(key, 'GET', '/workflow/fetch')).body);
  });

  // guarantee: push-stays-inside-agent-folder
  test('reads no file outside of the agent folder, whatever agent.json names', async () => {
    await create();
    await home.run(['agents', 'pull', '--all']);
    await writeFile(join(home.dir, 'private.txt'), 'a private key');
    const untouched = await text('order-desk', 'agent.json');
    await edit(['order-desk', 'agent.json'], 'prompts/start.md', '../../private.txt');
    expect(await home.run(['agents', 'push'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('outside of the agent folder'),
    });
    await writeFile(path('order-desk', 'agent.json'), untouched);
    await rm(path('order-desk', 'prompts', 'start.md'));
    await symlink(join(home.dir, 'private.txt'), path('order-desk', 'prompts', 'start.md'));
    expect(await home.run(['agents', 'push'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('outside of the agent folder'),
    });
  });

  test('a malformed file stops a push before anything is sent, with an error that names the place', async () => {
    const id = await create('First');
    await create('Second');
    await home.run(['agents', 'pull', '--all']);
    await edit(['first', 'prompts', 'start.md'], 'Greet', 'Welcome');
    await edit(['second', 'agent.json'], '"name": "Second"', '"name": 7');
    expect(await home.run(['agents', 'push'])).toMatchObject({
      code: 2,
      stderr: 'parlance: agents/second/agent.json: "name" must be a string\n',
    });
    await writeFile(path('second', 'agent.json'), '{');
    expect(await home.run(['agents', 'push'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('agents/second/agent.json is not JSON'),
    });
    expect(at(await onServer(id), 'version_number')).toBe(1);
  });
});
