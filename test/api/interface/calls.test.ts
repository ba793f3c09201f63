import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deliveries } from '../../../src/db/tables/deliveries.ts';
import { createGuardedClient } from '../../../src/providers/http/guarded-client.ts';
import { at, createTenant, idAt, startApi, type ApiUnderTest } from '../../support/api-on-services.ts';
import { createCallWorld, type CallWorld } from '../../support/call-world.ts';
import { edge, node } from '../../support/definitions.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { createScriptedLlm, lastWords } from '../../support/scripted-llm.ts';
import { until } from '../../support/until.ts';

/**
 * The variables of a call (contract 5.3, 7, 8, 9, 10), rule by rule, on calls that run in Temporal. Variables
 * of directories and of phone calls have tests of their own.
 */
const systemPrompts: string[] = [];
const read: { transcript: string; values: Record<string, unknown> }[] = [];
let found: Record<string, unknown> = {};
const llm = createScriptedLlm({
  before: (request) => {
    if (request.responseFormat === undefined) systemPrompts.push(request.messages[0]?.content ?? '');
    return undefined;
  },
  values: (request) => {
    read.push({ transcript: lastWords(request), values: found });
    return found;
  },
});

let world: CallWorld;
let receiver: Receiver;
let http: ReturnType<typeof createGuardedClient>;
let api: ApiUnderTest;
let key: string;

beforeAll(async () => {
  receiver = await startReceiver();
  http = createGuardedClient({ allowHttp: true, allowedPrivateHosts: [receiver.host] });
  world = await createCallWorld({ llm });
  await world.startWorker({ deps: { http } });
  api = await startApi(world.database.db, { calls: world.starter });
  ({ key } = await createTenant(world.database.db));
});
afterAll(async () => {
  await api.close();
  await world.close();
  await http.close();
  await receiver.close();
});

interface Graph {
  nodes: unknown[];
  edges: unknown[];
}

const twoSteps = (
  start: Record<string, unknown>,
  end: Record<string, unknown> = {},
  more: unknown[] = [],
): Graph => ({
  nodes: [
    node('start', 'startCall', { name: 'Start', prompt: 'Start.', greeting: 'Hello.', ...start }),
    node('end', 'endCall', { name: 'End', prompt: 'Say goodbye.', ...end }),
    ...more,
  ],
  edges: [edge('e', 'start', 'end', 'done')],
});

/** A session over HTTP of a new agent. */
async function open(
  graph: Graph,
  {
    context = {},
    testValues,
  }: { context?: Record<string, unknown>; testValues?: Record<string, unknown> } = {},
) {
  const agent = idAt(
    (await api.ask(key, 'POST', '/workflow/create/definition', { name: 'Agent', workflow_definition: graph }))
      .body,
    'id',
  );
  if (testValues !== undefined)
    await api.ask(key, 'PUT', `/workflow/${agent}`, { template_context_variables: testValues });
  const opened = await api.ask(key, 'POST', `/workflow/${agent}/text-chat/sessions`, {
    initial_context: context,
  });
  expect(opened.status).toBe(200);
  const run = idAt(opened.body, 'workflow_run_id');
  const path = `/workflow/${agent}/text-chat/sessions/${run}`;
  return {
    greeting: at(opened.body, 'session_data', 'turns', 0, 'assistant_message', 'text'),
    say: async (text: string) => (await api.ask(key, 'POST', `${path}/messages`, { text })).body,
    record: async () => (await api.ask(key, 'GET', `/workflow/${agent}/runs/${run}`)).body,
    ended: () =>
      until('the end of the call', async () => {
        const { body } = await api.ask(key, 'GET', `/workflow/${agent}/runs/${run}`);
        return at(body, 'is_completed') === true ? body : undefined;
      }),
    run: Number(run),
  };
}

describe('initial_context (contract 5.3, 10)', () => {
  test("a pre-call request to the customer's endpoint adds values to it", async () => {
    receiver.answerWith(() => ({
      kind: 'answer',
      status: 200,
      body: JSON.stringify({ initial_context: { plan: 'gold' } }),
    }));
    const { greeting, record } = await open(
      twoSteps({
        greeting: 'Your plan is {{plan}}, {{name}}.',
        pre_call_fetch_mode: 'always',
        pre_call_fetch_url: `${receiver.url}/customer`,
      }),
      { context: { name: 'Ada' } },
    );
    expect(greeting).toBe('Your plan is gold, Ada.');
    expect(at(await record(), 'initial_context')).toMatchObject({ name: 'Ada', plan: 'gold' });
  });

  test("a test call has the agent's test values", async () => {
    const { greeting } = await open(twoSteps({ greeting: 'Hello {{name}}.' }), {
      testValues: { name: 'Test person' },
    });
    expect(greeting).toBe('Hello Test person.');
  });
});

describe('template variables in prompts (contract 7.1, 7.3, 7.4)', () => {
  test('{{name}} is replaced in prompts before they go to the model', async () => {
    const { say } = await open(twoSteps({ prompt: 'Speak with {{name}} of {{company.name}}.' }), {
      context: { name: 'Ada', company: { name: 'Babbage' } },
    });
    systemPrompts.length = 0;
    await say('hello');
    expect(systemPrompts).toEqual([expect.stringContaining('Speak with Ada of Babbage.')]);
  });

  test.each([
    ['absent', {}, 'Hello there.'],
    ['empty', { name: '' }, 'Hello there.'],
    ['present', { name: 'Ada' }, 'Hello Ada.'],
  ])('the default after the bar applies or not if the value is %s', async (_what, context, words) => {
    expect((await open(twoSteps({ greeting: 'Hello {{name | there}}.' }), { context })).greeting).toBe(words);
  });

  test('current_time and current_weekday are in UTC by default, or in the time zone of a suffix', async () => {
    const { greeting } = await open(
      twoSteps({ greeting: '{{current_weekday_Pacific/Kiritimati}} {{current_time_Pacific/Kiritimati}}' }),
    );
    const there = new Date(Date.now() + 14 * 3_600_000);
    expect(greeting).toMatch(
      new RegExp(
        `^(${['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'][there.getUTCDay()]})\\b`,
      ),
    );
    expect((await open(twoSteps({ greeting: '{{current_time}}|{{current_weekday}}' }))).greeting).toMatch(
      /^[^|{}]+\|\w+day$/,
    );
  });

  test('without a suffix they use the time zone of another suffix in the same prompt', async () => {
    const { say } = await open(
      twoSteps({
        prompt:
          'W={{current_weekday}} Z={{current_weekday_Pacific/Kiritimati}} T={{current_time_Pacific/Kiritimati}}',
      }),
    );
    systemPrompts.length = 0;
    await say('hello');
    const [, bare, zoned] = /W=(\w+) Z=(\w+)/.exec(systemPrompts[0] ?? '') ?? [];
    expect(bare).toBe(zoned);
  });

  test('gathered_context is not available in prompts', async () => {
    const { greeting } = await open(
      twoSteps({ greeting: 'Day: {{gathered_context.day | unknown}}, {{gathered_context}}.' }),
    );
    expect(greeting).toBe('Day: unknown, .');
  });
});

describe('gathered_context (contract 6.5, 8.2)', () => {
  const variable = (name: string) => ({ name, type: 'string', prompt: `what the caller says of ${name}` });
  const reading = (...names: string[]) => ({
    extraction_enabled: true,
    extraction_variables: names.map(variable),
  });

  test('on reaching an End Call node the model reads the transcript and fills each variable', async () => {
    found = { day: 'Monday' };
    read.length = 0;
    const { say, ended } = await open(twoSteps({}, reading('day')));
    await say('On Monday, done');
    expect(at(await ended(), 'gathered_context')).toMatchObject({ day: 'Monday' });
    expect(read.at(-1)?.transcript).toContain('On Monday, done');
  });

  test('values that the conversation does not contain stay empty', async () => {
    found = { day: null };
    const { say, ended } = await open(twoSteps({}, reading('day')));
    await say('done');
    expect(at(await ended(), 'gathered_context', 'day') ?? null).toBeNull();
  });

  test('the variables of all nodes are one object; a later node that repeats a name overwrites', async () => {
    const graph = {
      nodes: [
        node('start', 'startCall', { name: 'Start', prompt: 'Start.', greeting: 'Hello.' }),
        node('ask', 'agentNode', { name: 'Ask', prompt: 'Ask.', ...reading('day', 'first') }),
        node('end', 'endCall', { name: 'End', prompt: 'Bye.', ...reading('day', 'last') }),
      ],
      edges: [edge('e1', 'start', 'ask', 'go on'), edge('e2', 'ask', 'end', 'done')],
    };
    const { say, ended } = await open(graph);
    found = { day: 'Monday', first: 'one' };
    await say('go_on');
    found = { day: 'Tuesday', last: 'two' };
    await say('done');
    const gathered = at(await ended(), 'gathered_context');
    expect([at(gathered, 'day'), at(gathered, 'last')]).toEqual(['Tuesday', 'two']);
    expect(gathered).toHaveProperty('first');
  });
});

describe('webhooks (contract 9.1, 9.2)', () => {
  test('a webhook node sends gathered data at the end of the call; its template can use gathered_context and other variables', async () => {
    found = { day: 'Monday' };
    const hook = node('hook', 'webhook', {
      name: 'Hook',
      endpoint_url: `${receiver.url}/ended`,
      payload_template: {
        day: '{{gathered_context.day}}',
        name: '{{initial_context.name}}',
        run: '{{workflow_run_id}}',
      },
    });
    const { say, ended, run } = await open(
      twoSteps(
        {},
        {
          extraction_enabled: true,
          extraction_variables: [{ name: 'day', type: 'string', prompt: 'the day' }],
        },
        [hook],
      ),
      { context: { name: 'Ada' } },
    );
    const sentBefore = await world.database.db.getRepository(deliveries).countBy({ callId: run });
    await say('done');
    await ended();
    const [delivery] = await until('the webhook', async () => {
      const rows = await world.database.db.getRepository(deliveries).findBy({ callId: run });
      return rows.length > 0 ? rows : undefined;
    });
    expect([sentBefore, JSON.parse(delivery?.body ?? '')]).toEqual([
      0,
      expect.objectContaining({ day: 'Monday', name: 'Ada', run: String(run) }),
    ]);
  });
});
