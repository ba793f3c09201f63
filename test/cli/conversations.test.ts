import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { at, createTenant, idAt, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import { createCallWorld, type CallWorld } from '../support/call-world.ts';
import { threeStepDefinition } from '../support/definitions.ts';
import { createClientHome, type ClientHome } from '../support/parlance.ts';
import { createFakeCarrier, insertConnection, type FakeCarrier } from '../support/telephony.ts';
import { createScriptedLlm } from '../support/scripted-llm.ts';
import { until } from '../support/until.ts';

let world: CallWorld;
let api: ApiUnderTest;
let home: ClientHome;
let carrier: FakeCarrier;
let organizationId: number;
let key: string;
let agentId: number;

beforeAll(async () => {
  world = await createCallWorld({
    llm: createScriptedLlm({ before: (_, said) => (said === 'break' ? {} : undefined) }),
  });
  await world.startWorker();
  carrier = createFakeCarrier();
  api = await startApi(world.database.db, {
    calls: world.starter,
    carriers: new Map([['telnyx', carrier]]),
  });
});
afterAll(async () => {
  await api.close();
  await world.close();
});
beforeEach(async () => {
  ({ key, organizationId } = await createTenant(world.database.db));
  home = await createClientHome({ PARLANCE_URL: api.url, PARLANCE_API_KEY: key });
  agentId = Number(
    idAt(
      (
        await post('/workflow/create/definition', {
          name: 'Day desk',
          workflow_definition: threeStepDefinition({ webhook: false }),
        })
      ).body,
      'id',
    ),
  );
});
afterEach(() => home.remove());

const post = (path: string, body: unknown) => api.ask(key, 'POST', path, body);
const open = async () =>
  Number(idAt((await post(`/workflow/${agentId}/text-chat/sessions`, {})).body, 'workflow_run_id'));
const say = (callId: number, text: string) =>
  post(`/workflow/${agentId}/text-chat/sessions/${callId}/messages`, { text });
const end = (callId: number) => post(`/workflow/${agentId}/text-chat/sessions/${callId}/end`, {});
const run = async (callId: number) => (await api.ask(key, 'GET', `/workflow/${agentId}/runs/${callId}`)).body;
const lines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
/** The function names of the graph's edges. */
const [goOn, done] = ['go_on', 'done'];

describe('chat', () => {
  test('holds a piped conversation and shows messages, nodes and the outcome', async () => {
    const talked = await home.run(['chat', 'day desk', '--value', 'name=Ada'], {
      input: `${goOn}\n\nMonday\n${done}\n`,
    });
    expect(talked).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Call \d+ with Day desk, published version 1\.\n$/),
    });
    expect(talked.stdout).toMatch(
      /^ {8}now at Start\nagent {3}Hello Ada\.\ncaller {2}go_on\n {8}now at Ask\nagent {3}Reply at [^]*\ncaller {2}Monday\n[^]*\ncaller {2}done\n {8}now at Bye\nagent [^]*\nCall \d+ has ended: user_qualified, \d+ s\nExtracted:\n {2}day {2}Monday\n$/,
    );
    const [, callId = ''] = /^Call (\d+)/.exec(talked.stderr) ?? [];
    expect(await run(Number(callId))).toMatchObject({ is_completed: true, disposition: 'user_qualified' });
  });

  test('sends the lines of a script and ends the call after the last one; prints one JSON value per line', async () => {
    await writeFile(join(home.dir, 'script.txt'), `${goOn}\n/end\nnever said\n`);
    const talked = await home.run(['chat', String(agentId), '--script', 'script.txt', '--json']);
    expect(talked.code).toBe(0);
    expect(lines(talked.stdout)).toMatchObject([
      { type: 'turn', user: null, agent: 'Hello there.', node_id: 'start', node_name: 'Start' },
      { type: 'turn', user: goOn, node_id: 'ask', node_name: 'Ask' },
      { type: 'end', disposition: expect.any(String), extracted_variables: { day: 'Monday' } },
    ]);
  });

  test('ends the call with exit code 3 and the request id if the model fails', async () => {
    const talked = await home.run(['chat', String(agentId)], { input: 'break\n' });
    expect(talked).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /parlance: The language model failed; the session is unchanged \(500 provider\)\n {2}request [\w-]+\n/,
      ),
    });
    const [, callId = ''] = /^Call (\d+)/.exec(talked.stderr) ?? [];
    await until('the call has ended', async () => at(await run(Number(callId)), 'is_completed') === true);
  });

  test('ends the call on Ctrl-C', async () => {
    const talking = home.start(['chat', String(agentId)], { input: null });
    await until('the opening', () => Promise.resolve(talking.stdout().includes('Hello there.')));
    talking.child.kill('SIGINT');
    expect(await talking.ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('parlance: Interrupted\n'),
    });
    const [, callId = ''] = /^Call (\d+)/.exec(talking.stderr()) ?? [];
    await until('the call has ended', async () => at(await run(Number(callId)), 'is_completed') === true);
  });
});

describe('call', () => {
  test('starts a call of the published version with its values, or of the draft, and says how to follow it', async () => {
    await insertConnection(world.database.db, organizationId);
    const placed = await home.run(['call', 'day desk', '+4915112345678', '--value', 'name=Ada']);
    const [, callId = ''] =
      /^Call (\d+) with Day desk, published version 1, has begun/.exec(placed.stdout) ?? [];
    expect(placed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`parlance runs tail ${agentId} ${callId}`),
    });
    expect(await run(Number(callId))).toMatchObject({
      initial_context: { name: 'Ada', phone_number: '+4915112345678' },
    });
    await api.ask(key, 'PUT', `/workflow/${agentId}`, { workflow_configurations: { dictionary: 'Chen' } });
    const draft = await home.run(['call', String(agentId), '+4915112345678', '--draft', '--json']);
    expect(lines(draft.stdout)).toMatchObject([{ version_number: 2, version_status: 'draft' }]);
  });

  test('ends with exit code 3 and the reason if no connection can dial', async () => {
    const refused = await home.run(['call', 'day desk', '+4915112345678']);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringMatching(/connection|telephony/i) });
  });
});

describe('runs', () => {
  test('tail follows a live call to its end and shows each event once', async () => {
    const callId = await open();
    const tailing = home.start(['runs', 'tail', String(agentId), String(callId)]);
    await until('the opening', () => Promise.resolve(tailing.stdout().includes('Hello there.')));
    expect(tailing.stdout()).not.toContain('now at Ask');
    await say(callId, goOn);
    await until('the next node', () => Promise.resolve(tailing.stdout().includes('now at Ask')));
    await end(callId);
    const { code, stdout } = await tailing.ended;
    expect(code).toBe(0);
    expect(stdout.match(/Hello there\./g)).toHaveLength(1);
    expect(stdout).toMatch(
      new RegExp(
        `^${callId} {10}now at Start\n${callId} {2}agent {3}Hello there\\.\n${callId} {2}caller {2}go_on\n[^]*\nCall ${callId} has ended: \\w+, \\d+ s\n`,
      ),
    );

    const again = await home.run(['runs', 'tail', String(agentId), String(callId), '--json']);
    const printed = lines(again.stdout);
    expect(printed.slice(0, -1).map((each) => at(each, 'event'))).toEqual(
      at(await run(callId), 'logs', 'realtime_feedback_events'),
    );
    expect(printed.at(-1)).toMatchObject({
      type: 'end',
      run_id: callId,
      extracted_variables: { day: 'Monday' },
    });
  });

  test('tail of an agent shows later calls until Ctrl-C', async () => {
    const before = await open();
    await end(before);
    await until('the call has ended', async () => at(await run(before), 'is_completed') === true);
    const tailing = home.start(['runs', 'tail', 'Day desk', '--json']);
    await until('it waits', () => Promise.resolve(tailing.stderr().includes('Waiting for calls')));
    const callId = await open();
    await end(callId);
    await until('its end', () => Promise.resolve(tailing.stdout().includes('"type":"end"')));
    tailing.child.kill('SIGINT');
    expect((await tailing.ended).code).toBe(130);
    expect(new Set(lines(tailing.stdout()).map((each) => at(each, 'run_id')))).toEqual(new Set([callId]));
  });

  test('list shows a page of calls; show has a transcript and the extracted values', async () => {
    const [first, second] = [await open(), await open()];
    await say(first, goOn);
    await end(first);
    await until('the call has ended', async () => at(await run(first), 'is_completed') === true);

    expect((await home.run(['runs', 'list', String(agentId)])).stdout).toMatch(
      new RegExp(`^ID .*\n${second} .* textchat +running +- [^]*\n${first} .* textchat +completed `),
    );
    const completed = await home.run(['runs', 'list', String(agentId), '--state', 'completed', '--json']);
    expect(JSON.parse(completed.stdout)).toMatchObject({ total_count: 1, runs: [{ id: first }] });
    const shown = await home.run(['runs', 'show', String(agentId), String(first)]);
    expect(shown).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        new RegExp(
          `^Call ${first} [^]*Extracted:\n {2}day {2}Monday\n\n {8}now at Start\nagent {3}Hello there\\.\ncaller {2}go_on\n`,
        ),
      ),
    });
    expect(
      JSON.parse((await home.run(['runs', 'show', String(agentId), String(first), '--json'])).stdout),
    ).toEqual(await run(first));
    expect(await home.run(['runs', 'show', String(agentId), '999999'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('(404 not_found)'),
    });
    await end(second);
  });
});
