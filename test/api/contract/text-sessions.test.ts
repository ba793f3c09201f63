import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { at, createTenant, idAt, startApi, type ApiUnderTest } from '../../support/api-on-services.ts';
import { createCallWorld, type CallWorld } from '../../support/call-world.ts';
import { edge, node } from '../../support/definitions.ts';
import { createGate, createScriptedLlm, type Gate } from '../../support/scripted-llm.ts';
import { until } from '../../support/until.ts';

/**
 * Contract 6.10, and the rows of 6.4 to 6.7 that apply to text conversations, on sessions that run in
 * Temporal.
 */
const failing = { now: false };
/** Holds extractions until it is opened. */
const extracting: { gate: Gate | null } = { gate: null };
const llm = createScriptedLlm({
  before: async ({ messages, responseFormat }, said) => {
    if (responseFormat !== undefined) await extracting.gate?.wait();
    if (failing.now) return { fail: true };
    if (messages.at(-1)?.role === 'tool') return { text: 'It is two.' };
    return said === 'work it out'
      ? { toolCalls: [{ name: 'calculator', arguments: { expression: '1+1' } }] }
      : undefined;
  },
  values: () => ({ day: 'Monday', tag_plan: 'gold' }),
});

let world: CallWorld;
let api: ApiUnderTest;
let key: string;
let toolUuid: string;

beforeAll(async () => {
  world = await createCallWorld({ llm });
  await world.startWorker();
  api = await startApi(world.database.db, { calls: world.starter });
  ({ key } = await createTenant(world.database.db));
  toolUuid = idAt(
    (await ask('POST', '/tools/', { name: 'Calculator', definition: { type: 'calculator' } })).body,
    'tool_uuid',
  );
});
beforeEach(() => {
  failing.now = false;
  extracting.gate = null;
});
afterAll(async () => {
  await api.close();
  await world.close();
});

const ask = (method: string, path: string, body?: unknown) => api.ask(key, method, path, body);
const said = ({ status, body }: { status: number; body: unknown }) => [status, at(body, 'detail')];
const keysOf = (value: unknown) => Object.keys(Object(value)).toSorted();
const dateTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
/** Timeout of a conversation on a busy machine. */

const graph = (greeting = 'Hello.', more: unknown[] = []) => ({
  nodes: [
    node('start', 'startCall', { name: 'Start', prompt: 'the start', greeting, tool_uuids: [toolUuid] }),
    node('ask', 'agentNode', { name: 'Ask', prompt: 'the question', allow_interrupt: true }),
    node('end', 'endCall', {
      name: 'End',
      prompt: 'the end',
      extraction_enabled: true,
      extraction_variables: ['day', 'tag_plan'].map((name) => ({ name, type: 'string', prompt: name })),
    }),
    ...more,
  ],
  edges: [edge('e1', 'start', 'ask', 'go on'), edge('e2', 'ask', 'end', 'done')],
});

interface Opening {
  body?: unknown;
  definition?: unknown;
  /** Makes a draft after the first version was published. */
  draft?: Record<string, unknown>;
}

/** Starts a session with a new agent over HTTP. */
async function open({ body = {}, definition = graph(), draft }: Opening = {}) {
  const made = (
    await ask('POST', '/workflow/create/definition', { name: 'Agent', workflow_definition: definition })
  ).body;
  const agentId = idAt(made, 'id');
  if (draft !== undefined) await ask('PUT', `/workflow/${agentId}`, draft);
  const opened = await ask('POST', `/workflow/${agentId}/text-chat/sessions`, body);
  expect(opened.status).toBe(200);
  const run = idAt(opened.body, 'workflow_run_id');
  const path = `/workflow/${agentId}/text-chat/sessions/${run}`;
  return {
    agentId: Number(agentId),
    publishedId: Number(idAt(made, 'current_definition_id')),
    run: Number(run),
    path,
    opened: opened.body,
    say: (text: string, expectedRevision?: number) =>
      ask('POST', `${path}/messages`, { text, expected_revision: expectedRevision }),
    rewind: (change: unknown) => ask('POST', `${path}/rewind`, change),
    end: (change: unknown = {}) => ask('POST', `${path}/end`, change),
    read: async () => (await ask('GET', path)).body,
    record: async () => (await ask('GET', `/workflow/${agentId}/runs/${run}`)).body,
    ended: () =>
      until('the end of the call', async () => {
        const { body: record } = await ask('GET', `/workflow/${agentId}/runs/${run}`);
        return at(record, 'is_completed') === true ? record : undefined;
      }),
  };
}

const turnAt = (session: unknown, index: number) => at(session, 'session_data', 'turns', index);

/** A conversation from the greeting to the end node: three turns. */
async function converse(opening: Opening = {}) {
  const session = await open(opening);
  await session.say('go_on');
  const last = await session.say('done');
  return { ...session, last: last.body, ended: await session.ended() };
}

describe('6.10 text test sessions', () => {
  describe('POST (start)', () => {
    test("the session has the agent's opening", async () => {
      const { opened } = await open();
      expect([at(opened, 'session_data', 'turns')].flat()).toMatchObject([
        { user_message: null, assistant_message: { text: 'Hello.' } },
      ]);
    });

    test('name, initial_context and annotations come from the request', async () => {
      expect(
        (
          await open({
            body: { name: 'Mine', initial_context: { tier: 'gold' }, annotations: { note: 1 } },
          })
        ).opened,
      ).toMatchObject({ name: 'Mine', initial_context: { tier: 'gold' }, annotations: { note: 1 } });
    });

    test.each([[{}], [{ name: null, initial_context: null, annotations: null }]])(
      '%j: the name is WR-TEXT- and 6 hex digits, upper case',
      async (body) => {
        expect((await open({ body })).opened).toMatchObject({
          name: expect.stringMatching(/^WR-TEXT-[0-9A-F]{6}$/),
          annotations: {},
        });
      },
    );

    test("it uses the draft and its test values, which the request's values override", async () => {
      const session = await open({
        draft: {
          workflow_definition: graph('Draft for {{tier}}, {{name}}.'),
          template_context_variables: { tier: 'test', name: 'Test' },
        },
        body: { initial_context: { name: 'Ada' } },
      });
      expect(at(turnAt(session.opened, 0), 'assistant_message', 'text')).toBe('Draft for test, Ada.');
      expect(at(await session.record(), 'definition_id')).not.toBe(session.publishedId);
    });

    test('404 for an unknown agent', async () =>
      expect((await ask('POST', '/workflow/999999/text-chat/sessions', {})).status).toBe(404));
  });

  describe('session', () => {
    test('has its fields and those of session_data, turn and checkpoint, and the timestamps of erasure', async () => {
      const { agentId, run, say } = await open({ body: { initial_context: { tier: 'gold' } } });
      const { body } = await say('hello');
      expect(keysOf(body)).toEqual([
        'annotations',
        'checkpoint',
        'created_at',
        'gathered_context',
        'initial_context',
        'is_completed',
        'mode',
        'name',
        'revision',
        'session_data',
        'state',
        'transcript_erased_at',
        'updated_at',
        'variables_erased_at',
        'workflow_id',
        'workflow_run_id',
      ]);
      expect(body).toMatchObject({
        workflow_run_id: run,
        workflow_id: agentId,
        mode: 'textchat',
        state: 'running',
        is_completed: false,
        revision: 2,
        created_at: dateTime,
        updated_at: dateTime,
      });
      const turn = turnAt(body, 1);
      expect(at(body, 'session_data')).toEqual({
        version: 1,
        status: 'idle',
        cursor_turn_id: at(turn, 'id'),
        turns: [expect.any(Object), expect.any(Object)],
        discarded_future: [],
        simulator: {},
      });
      expect(turn).toEqual({
        id: uuid,
        status: 'completed',
        created_at: dateTime,
        user_message: { text: 'hello', created_at: dateTime },
        assistant_message: { text: expect.stringMatching(/^Reply at/), created_at: dateTime },
        events: expect.any(Array),
        usage: {
          llm: { 'simulated|||test-model': expect.objectContaining({ total_tokens: expect.any(Number) }) },
        },
        checkpoint_after_turn: expect.objectContaining({ current_node_id: 'start' }),
      });
      expect(at(body, 'checkpoint')).toEqual({
        version: 1,
        anchor_turn_id: at(turn, 'id'),
        current_node_id: 'start',
        messages: [
          { role: 'assistant', content: 'Hello.' },
          { role: 'user', content: 'hello' },
          { role: 'assistant', content: at(turn, 'assistant_message', 'text') },
        ],
        gathered_context: at(body, 'gathered_context'),
        tool_state: {},
      });
    });

    test('revision grows by one with each change', async () => {
      const { opened, say, rewind, end, read } = await open();
      const revisions = [at(opened, 'revision')];
      for (const change of [
        () => say('hello'),
        () => say('hello again'),
        () => rewind({ cursor_turn_id: at(turnAt(opened, 0), 'id') }),
        () => end(),
      ])
        revisions.push(at((await change()).body, 'revision'));
      expect([revisions, at(await read(), 'revision')]).toEqual([[1, 2, 3, 4, 5], 5]);
    });

    test('revision grows once more when the extracted values of a completed session come', async () => {
      const { say, read, ended } = await open();
      await say('go_on');
      extracting.gate = createGate();
      const last = (await say('done')).body;
      await extracting.gate.reached;
      expect(await read()).toEqual(last);
      expect(last).toMatchObject({ state: 'completed', revision: 3 });
      expect(at(last, 'gathered_context', 'extracted_variables')).toEqual({});

      extracting.gate.open();
      await ended();
      expect(await read()).toMatchObject({
        state: 'completed',
        revision: 4,
        gathered_context: { extracted_variables: { day: 'Monday' } },
      });
      expect(said(await say('hello', 4))).toEqual([400, 'The text chat session has ended']);
      expect(said(await say('hello', 3))).toEqual([400, 'The text chat session has ended']);
    });

    test.each([
      ['idle', async ({ say }: Session) => (await say('hello')).body],
      [
        'rewound',
        async ({ opened, say, rewind }: Session) => {
          await say('hello');
          return (await rewind({ cursor_turn_id: at(turnAt(opened, 0), 'id') })).body;
        },
      ],
      [
        'error',
        async ({ say, read }: Session) => {
          failing.now = true;
          await say('hello');
          return await read();
        },
      ],
      ['completed', async ({ end }: Session) => (await end()).body],
    ])('session_data.status: %s', async (status, act) => {
      expect(at(await act(await open()), 'session_data', 'status')).toBe(status);
    });
  });

  test('GET: returns the session as the last change returned it', async () => {
    const { say, read } = await open();
    const { body } = await say('hello');
    expect(await read()).toEqual(body);
  });

  describe('POST /messages', () => {
    test('returns the session with the reply', async () => {
      expect(turnAt((await (await open()).say('hello')).body, 1)).toMatchObject({
        user_message: { text: 'hello' },
        assistant_message: { text: expect.any(String) },
      });
    });

    test.each([
      [{ text: '' }, 'string_too_short'],
      [{}, 'missing'],
      [{ text: 5 }, 'string_type'],
    ])('422 for %j: text has 1 or more characters', async (body, type) => {
      expect(said(await ask('POST', `${(await open()).path}/messages`, body))).toEqual([
        422,
        [expect.objectContaining({ type, loc: ['body', 'text'] })],
      ]);
    });
  });

  describe('POST /rewind', () => {
    test('cursor_turn_id becomes the last turn; what came after it is discarded_future', async () => {
      const { opened, say, rewind } = await open();
      const later = turnAt((await say('hello')).body, 1);
      const { status, body } = await rewind({
        cursor_turn_id: at(turnAt(opened, 0), 'id'),
        expected_revision: 2,
      });
      expect(status).toBe(200);
      expect(at(body, 'session_data')).toMatchObject({
        cursor_turn_id: at(turnAt(opened, 0), 'id'),
        turns: [turnAt(opened, 0)],
        discarded_future: [later],
      });
      expect(at(body, 'checkpoint', 'messages')).toEqual([{ role: 'assistant', content: 'Hello.' }]);
    });

    test.each([[{}], [{ cursor_turn_id: null }]])(
      '%j: before the first turn, where the agent opens again',
      async (body) => {
        const { opened, say, rewind, read } = await open();
        await say('hello');
        expect((await rewind(body)).status).toBe(200);
        const again = await until('the new opening', async () => {
          const session = await read();
          return turnAt(session, 0) === undefined ? undefined : session;
        });
        expect([
          at(turnAt(again, 0), 'assistant_message', 'text'),
          at(turnAt(again, 0), 'id') === at(turnAt(opened, 0), 'id'),
          turnAt(again, 1),
        ]).toEqual(['Hello.', false, undefined]);
        expect(at(again, 'session_data', 'discarded_future')).toHaveLength(2);
      },
    );

    test.each(['00000000-0000-4000-8000-000000000000', '', '\u{78849}'])(
      '404 for a turn that the conversation does not have (ours), and the conversation goes on: %j',
      async (turn) => {
        const { rewind, say } = await open();
        expect((await rewind({ cursor_turn_id: turn })).status).toBe(404);
        expect((await say('hello')).status).toBe(200);
      },
    );
  });

  test('POST /end: returns the ended session', async () => {
    expect(await (await open()).end({ expected_revision: 1 })).toMatchObject({
      status: 200,
      body: { state: 'completed', is_completed: true, revision: 2, session_data: { status: 'completed' } },
    });
  });

  test('ends by itself after text_chat_inactivity_timeout_seconds', async () => {
    const asked: number[] = [];
    world.adjustInput((input) => {
      if (input.channel.kind !== 'text') return input;
      asked.push(input.channel.inactivityTimeoutMs);
      return { ...input, channel: { ...input.channel, inactivityTimeoutMs: 500 } };
    });
    try {
      const session = await open({
        draft: { workflow_configurations: { text_chat_inactivity_timeout_seconds: 90 } },
      });
      expect([at(await session.ended(), 'disposition'), asked]).toEqual([
        'user_idle_max_duration_exceeded',
        [90_000],
      ]);
    } finally {
      world.adjustInput((input) => input);
    }
  });

  describe('errors', () => {
    const requests: [string, (path: string) => ReturnType<typeof ask>][] = [
      ['GET', (path) => ask('GET', path)],
      ['messages', (path) => ask('POST', `${path}/messages`, { text: 'hello' })],
      ['rewind', (path) => ask('POST', `${path}/rewind`, {})],
      ['end', (path) => ask('POST', `${path}/end`, {})],
    ];

    test.each(requests)(
      "404 Text chat session not found: %s of an unknown run and of another agent's",
      async (_what, send) => {
        const { run } = await open();
        for (const path of [
          '/workflow/1/text-chat/sessions/999999',
          `/workflow/999999/text-chat/sessions/${run}`,
        ])
          expect(said(await send(path))).toEqual([404, 'Text chat session not found']);
      },
    );

    test.each([
      ['messages', { text: 'hello' }],
      ['rewind', {}],
      ['end', {}],
    ])('409 with message, expected_revision and actual_revision: %s', async (verb, body) => {
      const { path } = await open();
      expect(said(await ask('POST', `${path}/${verb}`, { ...body, expected_revision: 7 }))).toEqual([
        409,
        { message: expect.any(String), expected_revision: 7, actual_revision: 1 },
      ]);
    });

    test.each([
      ['messages', { text: 'hello' }],
      ['rewind', {}],
      ['end', {}],
    ])('400 when already ended: %s', async (verb, body) => {
      const { path, end } = await open();
      await end();
      expect(said(await ask('POST', `${path}/${verb}`, body))).toEqual([400, expect.any(String)]);
    });

    test('500 when the model failed: the session stays usable', async () => {
      const { say } = await open();
      failing.now = true;
      const failed = await say('hello', 1);
      failing.now = false;
      expect([failed.status, await say('hello', 1)]).toMatchObject([
        500,
        { status: 200, body: { revision: 2 } },
      ]);
    });
  });
});

describe('6.1 run record of a conversation', () => {
  test('is_completed turns true at its end, and the transcript can be read without credentials', async () => {
    const session = await open();
    expect(await session.record()).toMatchObject({
      is_completed: false,
      state: 'running',
      mode: 'textchat',
      call_type: 'inbound',
    });
    await session.end();
    expect(await session.ended()).toMatchObject({
      is_completed: true,
      state: 'completed',
      transcript_url: `transcripts/${session.run}.txt`,
      transcript_public_url: expect.stringMatching(/\/transcript$/),
      public_access_token: uuid,
      cost_info: { dograh_token_usage: 0, call_duration_seconds: expect.any(Number) },
    });
  });

  test.each(['inbound', 'outbound'])('call_type: %s if the values set it', async (direction) => {
    expect(at(await (await open({ body: { initial_context: { direction } } })).record(), 'call_type')).toBe(
      direction,
    );
  });
});

describe('6.4 initial_context keys the service adds', () => {
  test('runtime_configuration is set at the start and cannot be set by a request', async () => {
    expect(
      at(
        await (await open({ body: { initial_context: { runtime_configuration: 'mine' } } })).record(),
        'initial_context',
      ),
    ).toEqual({ runtime_configuration: { llm_provider: 'simulated', llm_model: 'test-model' } });
  });

  test('greeting_override replaces the greeting', async () => {
    expect(
      at(
        turnAt(
          (
            await open({
              body: { initial_context: { greeting_override: { type: 'text', text: 'Instead.' } } },
            })
          ).opened,
          0,
        ),
        'assistant_message',
        'text',
      ),
    ).toBe('Instead.');
  });
});

describe('6.5 gathered_context keys the service adds', () => {
  let gathered: unknown;
  beforeAll(async () => {
    gathered = at((await converse()).ended, 'gathered_context');
  });

  test.each<[string, string, unknown]>([
    ['day', 'every extracted variable, at the top level', 'Monday'],
    ['extracted_variables', 'the same values once more', { day: 'Monday', tag_plan: 'gold' }],
    ['nodes_visited', 'node names in order of first entry', ['Start', 'Ask', 'End']],
    ['call_disposition', 'the outcome', 'user_qualified'],
    ['mapped_call_disposition', 'the same value', 'user_qualified'],
    [
      'call_tags',
      'disposition, user_speech, and values of tag_ keys',
      ['user_qualified', 'user_speech', 'gold'],
    ],
  ])('%s: %s', (name, _content, value) => expect(at(gathered, name)).toEqual(value));

  test.each([
    'call_id',
    'provider',
    'triggered_by',
    'trigger_uuid',
    'trace_url',
    'error',
    'external_pbx_transferred',
  ])('%s: not in a text conversation', (name) => expect(gathered).not.toHaveProperty(name));

  test('nodes_visited: without repeats', async () => {
    const { nodes, edges } = graph('Hello.', [node('more', 'agentNode', { name: 'More', prompt: 'more' })]);
    const session = await open({
      definition: {
        nodes,
        edges: [...edges, edge('e3', 'ask', 'more', 'tell more'), edge('e4', 'more', 'ask', 'return')],
      },
    });
    for (const text of ['go_on', 'tell_more', 'return', 'done']) await session.say(text);
    expect(at(await session.ended(), 'gathered_context', 'nodes_visited')).toEqual([
      'Start',
      'Ask',
      'More',
      'End',
    ]);
  });
});

describe('6.6 usage_info', () => {
  test('llm by service and model with five counts, tts and stt, seconds that may be fractional; cost_info has them rounded', async () => {
    const { ended } = await converse();
    const usage = at(ended, 'usage_info');
    expect(keysOf(usage)).toEqual(['call_duration_seconds', 'llm', 'stt', 'tts']);
    expect(usage).toMatchObject({ tts: {}, stt: {} });
    expect(keysOf(at(usage, 'llm'))).toEqual(['simulated|||test-model']);
    const tokens = at(usage, 'llm', 'simulated|||test-model');
    expect(keysOf(tokens)).toEqual([
      'cache_creation_input_tokens',
      'cache_read_input_tokens',
      'completion_tokens',
      'prompt_tokens',
      'total_tokens',
    ]);
    expect(at(tokens, 'total_tokens')).toBe(
      Number(at(tokens, 'prompt_tokens')) + Number(at(tokens, 'completion_tokens')),
    );
    expect(Number(at(tokens, 'total_tokens'))).toBeGreaterThan(0);
    expect(at(ended, 'cost_info', 'call_duration_seconds')).toBe(
      Math.round(Number(at(usage, 'call_duration_seconds'))),
    );
  });
});

describe('6.7 logs, transcript, recordings', () => {
  let ended: unknown;
  let publicUrl: string;
  beforeAll(async () => {
    const session = await open();
    await session.say('work it out');
    failing.now = true;
    await session.say('go_on');
    failing.now = false;
    await session.say('go_on');
    await session.say('done');
    ended = await session.ended();
    publicUrl = String(at(ended, 'transcript_public_url'));
  });

  const events = () => [at(ended, 'logs', 'realtime_feedback_events')].flat();

  test('realtime_feedback_events: type, payload, timestamp, turn, node_id and node_name', () => {
    for (const event of events())
      expect(event).toEqual({
        type: expect.stringMatching(/^rtf-/),
        payload: expect.any(Object),
        timestamp: expect.stringMatching(/Z$/),
        turn: expect.any(Number),
        node_id: expect.any(String),
        node_name: expect.any(String),
      });
    expect(events().length).toBeGreaterThan(8);
  });

  test.each<[string, unknown]>([
    ['rtf-user-transcription', { text: 'work it out', final: true, timestamp: expect.any(String) }],
    ['rtf-bot-text', { text: 'Hello.', timestamp: expect.any(String) }],
    [
      'rtf-function-call-start',
      { function_name: 'calculator', tool_call_id: expect.any(String), arguments: { expression: '1+1' } },
    ],
    [
      'rtf-function-call-end',
      { function_name: 'calculator', tool_call_id: expect.any(String), result: expect.stringContaining('2') },
    ],
    [
      'rtf-node-transition',
      {
        node_id: 'start',
        node_name: 'Start',
        previous_node_id: null,
        previous_node_name: null,
        allow_interrupt: expect.any(Boolean),
      },
    ],
    ['rtf-ttfb-metric', { ttfb_seconds: expect.any(Number), processor: 'llm', model: 'test-model' }],
    ['rtf-pipeline-error', { error: expect.any(String), fatal: false, processor: 'llm' }],
  ])('%s: %j', (type, payload) => {
    expect(
      at(
        events().find((event) => at(event, 'type') === type),
        'payload',
      ),
    ).toEqual(payload);
  });

  test('rtf-node-transition: names the node before, and whether the new one may be interrupted', () => {
    const moves = events()
      .filter((event) => at(event, 'type') === 'rtf-node-transition')
      .map((event) => at(event, 'payload'));
    expect(moves.slice(1)).toEqual([
      {
        node_id: 'ask',
        node_name: 'Ask',
        previous_node_id: 'start',
        previous_node_name: 'Start',
        allow_interrupt: true,
      },
      {
        node_id: 'end',
        node_name: 'End',
        previous_node_id: 'ask',
        previous_node_name: 'Ask',
        allow_interrupt: false,
      },
    ]);
  });

  test('the transcript: UTF-8 text, [<timestamp>] user: or assistant: and one utterance per line', async () => {
    const link =
      (await api.sendAt({}, 'GET', publicUrl.replace('http://api.example.test', ''))).headers.get(
        'location',
      ) ?? '';
    const { headers, body } = await api.sendAt({}, 'GET', link.replace('http://api.example.test', ''));
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const lines = String(body).split('\n');
    expect(lines.pop()).toBe('');
    for (const line of lines) expect(line).toMatch(/^\[\d{4}-\d\d-\d\dT[\d:.]+Z\] (user|assistant): \S/);
    expect(lines.map((line) => line.replace(/^\[[^\]]+\] /, '')).slice(0, 3)).toEqual([
      'assistant: Hello.',
      'user: work it out',
      'assistant: It is two.',
    ]);
  });

  test('a text conversation has no recording', () =>
    expect(ended).toMatchObject({
      recording_url: null,
      user_recording_url: null,
      bot_recording_url: null,
      recording_public_url: null,
    }));
});

describe('6.9 the public token', () => {
  /** The token of a call without a single read, which would create one. */
  const tokenAfter = async (more: unknown[]) => {
    const { agentId, say } = await open({ definition: graph('Hello.', more) });
    for (const text of ['go_on', 'done']) await say(text);
    const run = await until('the end of the call', async () => {
      const { body } = await ask('GET', `/workflow/${agentId}/runs`);
      return at(body, 'runs', 0, 'is_completed') === true ? at(body, 'runs', 0) : undefined;
    });
    return at(run, 'public_access_token');
  };

  test.each([
    ['webhook', { name: 'Hook', endpoint_url: 'https://receiver.test/hook', payload_template: {} }],
    ['qa', { name: 'Judge', qa_enabled: true, qa_system_prompt: 'Judge it.' }],
  ])('is created by the post-call work of runs with a %s node', async (type, data) => {
    expect(await tokenAfter([node('after', type, data)])).toEqual(uuid);
  });

  test('is not created without such a node', async () => expect(await tokenAfter([])).toBeNull());
});

type Session = Awaited<ReturnType<typeof open>>;
