import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { calls } from '../../src/db/tables/calls.ts';
import { turns } from '../../src/db/tables/turns.ts';
import { createOpenAiLlm } from '../../src/providers/llm/openai.ts';
import {
  at,
  completeGraph,
  createTenant,
  idAt,
  startApi,
  type ApiUnderTest,
} from '../support/api-on-services.ts';
import { createCallWorld, type CallWorld } from '../support/call-world.ts';
import { startLlmBench, type LlmBench } from '../support/llm-emulator.ts';

/** Faulty answers of the model, by the word that causes them. */
const faults = {
  nothing: {},
  refusal: { fail: { status: 500 } },
  silence: { say: 'Some words, then silence', stall: 'mid_stream' },
  'unknown edge': { call: { tool: 'no_such_edge', evenIfNotOffered: true } },
  'broken JSON': { say: 'An answer that breaks', breakOff: 'not_json' },
} as const;

const limits = { connectMs: 60_000, firstTokenMs: 60_000, stallMs: 2000, wholeMs: 60_000 };

const apiKey = 'simulated-conversation';

let bench: LlmBench;
let world: CallWorld;
let api: ApiUnderTest;
let key: string;

beforeAll(async () => {
  bench = await startLlmBench();
  bench.emulator.rules.add(
    [
      ...Object.entries(faults).map(([word, answer]) => ({ name: word, when: { userText: word }, answer })),
      {
        name: 'shortly busy',
        when: { userText: 'shortly busy', nth: 1 },
        answer: { fail: { status: 429, retryAfterSeconds: 1 } },
      },
      { name: 'shortly busy, then not', when: { userText: 'shortly busy' }, answer: { say: 'Here I am.' } },
      {
        name: 'long unavailable',
        when: { userText: 'long unavailable' },
        answer: { fail: { status: 503, retryAfterSeconds: 60 } },
      },
      { name: 'otherwise', answer: { say: 'All is well.' } },
    ],
    apiKey,
  );
  world = await createCallWorld({
    llm: createOpenAiLlm({ apiKey, baseUrl: bench.emulator.url, timeouts: limits }),
  });
  await world.startWorker();
  api = await startApi(world.database.db, { calls: world.starter });
  key = (await createTenant(world.database.db)).key;
});

afterAll(async () => {
  await api.close();
  await world.close();
  await bench.close();
});

const post = (path: string, body: unknown) => api.ask(key, 'POST', path, body);

/** A session of a new agent whose start node greets so. */
async function open(greeting: string, body: unknown = {}): Promise<{ path: string; session: unknown }> {
  const made = await post('/workflow/create/definition', {
    name: 'Agent',
    workflow_definition: completeGraph(greeting),
  });
  const opened = await post(`/workflow/${idAt(made.body, 'id')}/text-chat/sessions`, body);
  expect(opened.status).toBe(200);
  return {
    path: `/workflow/${idAt(made.body, 'id')}/text-chat/sessions/${idAt(opened.body, 'workflow_run_id')}`,
    session: opened.body,
  };
}

const greetingIn = (session: unknown): unknown =>
  at(session, 'session_data', 'turns', 0, 'assistant_message', 'text');

describe('a model that fails (contract 6.10)', () => {
  test.each(Object.keys(faults))(
    '%s: 500 without details, the revision is unchanged, and the next message is answered',
    async (word) => {
      const { path, session } = await open('Hello.');
      const failed = await post(`${path}/messages`, { text: word, expected_revision: 1 });
      expect(failed).toMatchObject({
        status: 500,
        body: { detail: 'The language model failed; the session is unchanged', code: 'provider' },
      });

      const { body: read } = await api.ask(key, 'GET', path);
      expect(read).toMatchObject({
        revision: 1,
        state: 'running',
        session_data: { status: 'error', turns: at(session, 'session_data', 'turns') },
      });
      const next = await post(`${path}/messages`, { text: 'hello', expected_revision: 1 });
      expect(next).toMatchObject({ status: 200, body: { revision: 2, session_data: { status: 'idle' } } });
      expect(at(next.body, 'session_data', 'turns')).toMatchObject([
        {},
        { user_message: { text: 'hello' }, assistant_message: { text: 'All is well.' } },
      ]);
    },
  );
});

describe('an overloaded model', () => {
  const asked = (word: string) =>
    bench.emulator.log.entries(apiKey).filter(({ rule }) => rule?.startsWith(word));

  test('is retried after the time that it asks for, and the message is answered', async () => {
    const { path } = await open('Hello.');
    expect(await post(`${path}/messages`, { text: 'shortly busy', expected_revision: 1 })).toMatchObject({
      status: 200,
      body: { revision: 2 },
    });
    const [first, second, ...others] = asked('shortly busy').map(({ receivedAt }) => Date.parse(receivedAt));
    expect(others).toEqual([]);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1000);
  });

  test('is not retried if it asks for a long wait: 500 at once, and the session is unchanged', async () => {
    const { path } = await open('Hello.');
    expect(await post(`${path}/messages`, { text: 'long unavailable', expected_revision: 1 })).toMatchObject({
      status: 500,
      body: { code: 'provider' },
    });
    expect(asked('long unavailable')).toHaveLength(1);
    expect(await post(`${path}/messages`, { text: 'hello', expected_revision: 1 })).toMatchObject({
      status: 200,
      body: { revision: 2 },
    });
  });
});

describe('unusual values', () => {
  test('are inserted once and unchanged: braces, __proto__ and constructor keys; lone surrogates stay in documents, not in texts', async () => {
    const greeting = 'Hi {{name}}, {{constructor}}, {{__proto__.inner}}, {{toString | nothing}}, {{broken}}.';
    const { path, session } = await open(
      greeting,
      '{"initial_context":{"name":"{{secret}} {x}","secret":"told","constructor":"Con","__proto__":{"inner":"Proto"},"broken":"a\\ud83db"}}',
    );
    expect(greetingIn(session)).toBe('Hi {{secret}} {x}, Con, Proto, nothing, a\ufffdb.');
    const answer = await fetch(`${api.url}/api/v1${path}`, { headers: { 'x-api-key': key } });
    expect(await answer.text()).toContain(
      '"name":"{{secret}} {x}","secret":"told","constructor":"Con","__proto__":{"inner":"Proto"},"broken":"a\\ud83db"',
    );
    expect(Reflect.get({}, 'inner')).toBeUndefined();
    const said = await post(`${path}/messages`, { text: 'Is it {{secret}}?', expected_revision: 1 });
    expect(at(said.body, 'session_data', 'turns', 1, 'user_message', 'text')).toBe('Is it {{secret}}?');
    expect((await post(`${path}/messages`, '{"text":"half \\ud83d","expected_revision":2}')).status).toBe(
      422,
    );
  });

  test('an unknown time zone becomes empty text, a known one does not', async () => {
    const { session } = await open(
      'At {{current_time_Mars/Phobos}}/{{current_time_Mars/Phobos | an unknown hour}}, {{current_weekday_Europe/Berlin}}.',
    );
    expect(greetingIn(session)).toMatch(/^At \/an unknown hour, \w+day\.$/);
  });

  test.each([
    5,
    'text',
    [],
    null,
    {},
    { type: 'text' },
    { type: 'text', text: 5 },
    { type: 'audio', text: 'Heard' },
  ])('an invalid greeting_override is ignored (%j)', async (override) => {
    const { session } = await open('As written.', { initial_context: { greeting_override: override } });
    expect(greetingIn(session)).toBe('As written.');
  });

  test('a greeting_override replaces the greeting', async () => {
    const { session } = await open('As written.', {
      initial_context: { name: 'Ada', greeting_override: { type: 'text', text: 'Instead, {{name}}.' } },
    });
    expect(greetingIn(session)).toBe('Instead, Ada.');
  });

  // guarantee: erased-turns-not-shown-from-memory
  test('an answer after the erasure of the transcript has none of it, although this process has shown it', async () => {
    const { path } = await open('As written.');
    const said = await post(`${path}/messages`, { text: 'hello', expected_revision: 1 });
    expect(at(said.body, 'session_data', 'turns')).toHaveLength(2);
    const callId = Number(path.split('/').at(-1));
    const { db } = world.database;
    await db.getRepository(turns).delete({ callId });
    await db.getRepository(calls).update({ id: callId }, { transcriptErasedAt: new Date() });
    const ended = await post(`${path}/end`, { expected_revision: 2 });
    expect(ended.status).toBe(200);
    expect(at(ended.body, 'session_data', 'turns')).toEqual([]);
  });
});
