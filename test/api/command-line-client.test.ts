import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { campaigns } from '../../src/db/tables/campaigns.ts';
import { installedModels } from '../../src/domain/models/installed.ts';
import { recordingKey } from '../../src/domain/files/key.ts';
import { openDirectory } from '../../src/providers/storage/directory.ts';
import type { Files } from '../../src/providers/storage/port.ts';
import {
  at,
  createTenant,
  idAt,
  idleCampaigns,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createCallWorld, type CallWorld } from '../support/call-world.ts';
import { edge, node } from '../support/definitions.ts';
import { startCommandLine, type CommandLine } from '../support/published-clients/command-line.ts';
import { createFakeAccounts } from '../support/fake-accounts.ts';
import { createScriptedLlm } from '../support/scripted-llm.ts';
import { createFakeCarrier, insertConnection } from '../support/telephony.ts';
import { until } from '../support/until.ts';

/** Every subcommand of the published command-line client (contract 14.4) against the API, as its users call it. */
const models = installedModels({
  llm: { model: 'test-model' },
  tts: { provider: 'google', model: undefined },
  stt: { provider: 'telnyx', model: undefined },
});
const definition = {
  nodes: [
    node('start', 'startCall', { name: 'Start', prompt: 'the start', greeting: 'Hello.' }),
    node('ask', 'agentNode', { name: 'Ask', prompt: 'the question' }),
    node('end', 'endCall', { name: 'End', prompt: 'the end' }),
    node('judge', 'qa', { name: 'Judge', qa_enabled: true, qa_system_prompt: 'Judge it.' }),
  ],
  edges: [edge('e1', 'start', 'ask', 'go on'), edge('e2', 'ask', 'end', 'done')],
};

let world: CallWorld;
let api: ApiUnderTest;
let client: CommandLine;
let folder: string;
let files: Files;
let key: string;
let organizationId: number;
let agentId: number;

beforeAll(async () => {
  world = await createCallWorld({ llm: createScriptedLlm() });
  await world.startWorker();
  folder = await mkdtemp(join(tmpdir(), 'command-line-'));
  files = await openDirectory(folder);
  api = await startApi(world.database.db, (publicUrl) => ({
    publicUrl,
    files,
    installedModels: models,
    accounts: createFakeAccounts().carriers,
    calls: { ...world.starter, startPhoneCall: () => Promise.resolve({ kind: 'accepted' }) },
    campaignRuns: idleCampaigns,
    carriers: new Map([['telnyx', createFakeCarrier()]]),
  }));
  ({ key, organizationId } = await createTenant(world.database.db));
  client = startCommandLine({
    DOGRAH_BASE_URL: api.url,
    DOGRAH_API_KEY: key,
  });
  agentId = await createAgent();
});
afterAll(async () => {
  client.close();
  await api.close();
  await world.close();
  await rm(folder, { recursive: true });
});

const createAgent = async () =>
  Number(
    idAt(
      (
        await api.ask(key, 'POST', '/workflow/create/definition', {
          name: 'Desk',
          workflow_definition: definition,
        })
      ).body,
      'id',
    ),
  );
/** The output of a command that succeeds. */
async function run(...commandLine: unknown[]): Promise<string> {
  const answer = await client.run(commandLine.map(String));
  expect(answer).toMatchObject({ code: 0, stderr: '' });
  return answer.stdout;
}
const json = async (...commandLine: unknown[]): Promise<unknown> =>
  JSON.parse(await run(...commandLine, '--json'));
const agent = async (id: number) => (await api.ask(key, 'GET', `/workflow/fetch/${id}`)).body;

test('ping, mcp-config and serve', async () => {
  expect(await run('ping')).toContain('auth OK');
  expect(await json('mcp-config')).toHaveProperty('mcpServers');
  expect((await client.run(['serve'], '')).code).toBe(0);
});

test('agents: create, list, get, set-prompt, rename, validate, publish', async () => {
  const created = Number(
    idAt(await json('agents', 'create', '--use-case', 'orders', '--describe', 'Takes orders'), 'id'),
  );
  expect(await run('agents', 'list')).toContain('Desk');
  expect(await run('agents', 'get', created)).toContain('agentNode');
  await run('agents', 'set-prompt', created, 'Ask for the day');
  await run('agents', 'rename', created, 'Renamed');
  await run('agents', 'validate', created);
  expect(await run('agents', 'publish', created)).toContain('published (version');
  expect(await agent(created)).toMatchObject({ name: 'Renamed', version_status: 'published' });
  expect(JSON.stringify(await agent(created))).toContain('Ask for the day');
});

test('agents set-model starts from the models of the installation', async () => {
  const id = await createAgent();
  await run('agents', 'set-model', id, '--tts', 'openai/gpt-4o-mini-tts');
  expect(await run('agents', 'get', id)).toContain('llm=openai/test-model, tts=openai/gpt-4o-mini-tts');
  await run('agents', 'publish', id);
  expect(await run('runs', 'chat', id, '-m', 'go_on')).toContain('Reply at the question');
});

const [made, copied, discarded] = ['agent.created', 'agent.draft_created', 'agent.draft_discarded'];
test.each([
  ['--llm', 'openai/another', 'own model openai/test-model', [made, copied, discarded]],
  ['--tts', 'nobody/voice', 'tts', [made, copied, discarded]],
  ['--stt', 'nobody/ears', 'stt', [made, copied, discarded]],
  // The tool itself refuses these, after its request for a draft and without another one.
  ['--realtime', 'openai/gpt-realtime', 'not part of', [made, copied]],
  ['--llm', 'openai', 'expects provider/model', [made, copied]],
  // And this one before any request.
  ['', '', 'at least one of', [made]],
])(
  'agents set-model %s %s, which is refused, changes no agent: only a draft that the tool asked for without sending a change stays',
  async (flag, model, words, actions) => {
    const id = await createAgent();
    const changed = await createAgent();
    await run('agents', 'set-model', changed, '--tts', 'openai/gpt-4o-mini-tts');
    const before = await agent(changed);
    const refused = async (agentId: number) => {
      const flags = flag === '' ? [] : [flag, model];
      const { code, stderr } = await client.run(['agents', 'set-model', String(agentId), ...flags]);
      expect(code).not.toBe(0);
      expect(stderr).toContain(words);
    };
    await refused(id);
    const entries = await world.database.db
      .getRepository(auditEvents)
      .find({ where: { organizationId, subjectKind: 'agent', subjectId: id }, order: { id: 'ASC' } });
    expect(entries.map(({ action }) => action)).toEqual(actions);
    const isLeft = actions.includes(copied) && !actions.includes(discarded);
    expect(await agent(id)).toMatchObject({
      version_status: isLeft ? 'draft' : 'published',
      version_number: isLeft ? 2 : 1,
      workflow_configurations: at(await agent(agentId), 'workflow_configurations'),
    });

    await refused(changed);
    expect(await agent(changed)).toEqual(before);
  },
);

test('models: show and set begin with the models of the installation', async () => {
  expect(await run('models', 'show')).toMatch(/llm .* openai\/test-model/);
  await run('models', 'set', '--stt', 'telnyx/nova-2');
  const shown = await run('models', 'show');
  expect(shown).toMatch(/stt .* telnyx\/nova-2/);
  expect(shown).toMatch(/llm .* openai\/test-model/);
  expect((await client.run(['models', 'set', '--llm', 'openai/another'])).code).toBe(1);
});

test('telephony: configs, providers; numbers: add, list, assign, remove; tools: list', async () => {
  const { configurationId } = await insertConnection(world.database.db, organizationId, { name: 'Line' });
  expect(await run('telephony', 'configs')).toContain('Line');
  expect(await run('telephony', 'providers')).toContain('telnyx');
  const number = '+15551230001';
  await run('numbers', 'add', number, '--config', configurationId, '--label', 'Shop');
  await run('numbers', 'assign', number, agentId);
  expect(await run('numbers', 'list')).toMatch(/\+15551230001 .* Shop .* Desk/);
  await run('numbers', 'remove', number, '--yes');
  expect(await run('numbers', 'list')).not.toContain(number);
  await api.ask(key, 'POST', '/tools/', { name: 'Sum', definition: { type: 'calculator' } });
  expect(await run('tools', 'list', '--status', 'active', '--category', 'calculator')).toContain('Sum');
});

test('runs: chat, list, latency, transcript, recording, trigger', async () => {
  const session = await json('runs', 'chat', agentId, '--message', 'go_on');
  expect(session).toMatchObject({ state: 'completed' });
  const id = Number(idAt(session, 'workflow_run_id'));
  expect(await run('runs', 'list')).toContain('Desk');
  expect(await run('runs', 'latency')).toContain('run(s) with');
  expect(
    await until('the transcript', async () => {
      const { code, stdout } = await client.run(['runs', 'transcript', String(id)]);
      return code === 0 ? stdout : undefined;
    }),
  ).toContain('assistant: Hello.');

  await files.write(recordingKey(id, 'mix'), Readable.from([Buffer.from('RIFF')]), 100);
  await world.database.db.getRepository(calls).update({ id }, { recordedAt: new Date() });
  const out = join(folder, 'run.wav');
  expect(await json('runs', 'recording', id, '--out', out)).toMatchObject({ bytes: 4 });

  await insertConnection(world.database.db, organizationId);
  const triggered = await json('runs', 'trigger', agentId, '--to', '+4915112345678', '--yes');
  expect(triggered).toMatchObject({
    run_name: expect.stringMatching(/^WR-TEL-OUT-\d+$/),
    run_id: expect.any(Number),
  });
});

test('campaigns: create, list, status, start, pause, watch', async () => {
  await insertConnection(world.database.db, organizationId);
  const csv = join(folder, 'people.csv');
  await writeFile(csv, 'phone_number\n+12025550101\n+12025550102\n');
  const created = await run('campaigns', 'create', '--name', 'Spring', '--agent', agentId, '--csv', csv);
  expect(created).toContain('(2 rows)');
  const id = Number(/campaign #(\d+)/.exec(created)?.[1]);
  expect(await run('campaigns', 'list')).toContain('Spring');
  expect(await run('campaigns', 'status', id)).toMatch(/created .* 0\/2 /);
  expect(await run('campaigns', 'start', id, '--yes')).toContain('state: syncing');
  expect(await run('campaigns', 'watch', id, '--once')).toContain('0/2 rows');
  expect(await run('campaigns', 'pause', id)).toContain('state: paused');
  await world.database.db.getRepository(campaigns).update({ id }, { state: 'completed' });
  expect(await run('campaigns', 'watch', id, '--interval', '0.5')).toContain('finished: completed');
});

test('keys: create, list, revoke', async () => {
  const id = idAt(await json('keys', 'create', 'CI'), 'id');
  expect(await run('keys', 'list')).toContain('CI');
  expect(await run('keys', 'revoke', id, '--yes')).toContain('revoked');
  expect(at(await json('keys', 'list', '--all'), 0)).toBeDefined();
});
