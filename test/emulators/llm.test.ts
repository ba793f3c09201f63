import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import { decide } from '../../emulators/llm/decide.ts';
import { ChatRequest } from '../../emulators/llm/request.ts';
import { RuleBook } from '../../emulators/llm/rules.ts';
import { startLlmEmulator, type LlmEmulator } from '../../emulators/llm/server.ts';

let emulator: LlmEmulator;
let key: string;
beforeAll(async () => {
  emulator = await startLlmEmulator({
    rules: [{ name: 'for everybody', when: { userText: 'ping' }, answer: { say: 'pong' } }],
  });
});
beforeEach(() => {
  key = `simulated-${randomUUID()}`;
});
afterAll(() => emulator.close());

const hello = { model: 'any-model', messages: [{ role: 'user', content: 'hello' }] };
const goOn = {
  type: 'function',
  function: { name: 'go_on', description: 'Go on.', parameters: { type: 'object', properties: {} } },
};

async function post(body: unknown, headers: Record<string, string> = { authorization: `Bearer ${key}` }) {
  const answer = await fetch(`${emulator.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

async function control(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const url = new URL(path, emulator.url);
  const answer = await fetch(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return { status: answer.status, body: await answer.json() };
}

describe("OpenAI's protocol", () => {
  test('a stream has a role, small pieces, a finish reason, usage without choices, and [DONE]', async () => {
    emulator.rules.add([{ name: 'say', answer: { say: 'Good morning' } }], key);
    const { headers, text } = await post({ ...hello, stream: true, stream_options: { include_usage: true } });
    expect(headers.get('content-type')).toBe('text/event-stream');
    const lines = text
      .trim()
      .split('\n\n')
      .map((line) => line.replace('data: ', ''));
    expect(lines.pop()).toBe('[DONE]');
    const chunks: unknown[] = lines.map((line) => JSON.parse(line));
    expect(chunks).toMatchObject([
      {
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
      },
      { choices: [{ delta: { content: 'Good' } }] },
      { choices: [{ delta: { content: ' mornin' } }] },
      { choices: [{ delta: { content: 'g' } }] },
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      {
        choices: [],
        usage: { prompt_tokens: expect.any(Number), completion_tokens: 3, total_tokens: expect.any(Number) },
      },
    ]);
  });

  test('the real client reads a whole answer with tool calls and their arguments', async () => {
    emulator.rules.add(
      [{ name: 'both', answer: { say: 'Noted.', call: { tool: 'go_on', arguments: { day: 'Thursday' } } } }],
      key,
    );
    const client = new OpenAI({ apiKey: key, baseURL: emulator.url, maxRetries: 0 });
    const answer = await client.chat.completions.create({
      model: 'any-model',
      messages: [{ role: 'user', content: 'hello' }],
      tools: [{ type: 'function', function: goOn.function }],
    });
    expect(answer.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'Noted.',
        tool_calls: [{ type: 'function', function: { name: 'go_on', arguments: '{"day":"Thursday"}' } }],
      },
    });
  });

  test('every answer is marked as simulated in header, model and id, also refusals', async () => {
    const good = await post(hello);
    expect(JSON.parse(good.text)).toMatchObject({
      model: 'simulated-any-model',
      id: expect.stringMatching(/^chatcmpl-simulated-/),
    });
    for (const answer of [good, await post({}), await post(hello, {})])
      expect(answer.headers.get('x-parlance-simulated')).toBe('true');
  });

  test('models are listed for requests with a key', async () => {
    const models = await fetch(`${emulator.url}/models`, { headers: { authorization: `Bearer ${key}` } });
    expect(await models.json()).toMatchObject({
      object: 'list',
      data: [{ object: 'model', owned_by: 'simulated' }],
    });
    expect((await fetch(`${emulator.url}/models`)).status).toBe(401);
  });
});

describe('refusals', () => {
  const json = {
    type: 'json_schema',
    json_schema: {
      name: 'values',
      strict: true,
      schema: {
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
        additionalProperties: false,
      },
    },
  };
  const refused: { why: string; body: unknown; message: string }[] = [
    {
      why: 'an unknown field',
      body: { ...hello, colour: 'red' },
      message: 'Unrecognized request argument supplied: colour',
    },
    {
      why: 'an unknown field within',
      body: { ...hello, messages: [{ role: 'user', content: 'x', mood: 'good' }] },
      message: "Unknown parameter: 'messages[0].mood'.",
    },
    {
      why: 'a known field that has no effect here',
      body: { ...hello, logprobs: true },
      message: "The simulated model does not emulate 'logprobs'.",
    },
    { why: 'no model', body: { messages: hello.messages }, message: "Invalid value for 'model'" },
    { why: 'no messages', body: { model: 'm', messages: [] }, message: "Invalid value for 'messages'" },
    {
      why: 'an unknown role',
      body: { model: 'm', messages: [{ role: 'narrator', content: 'x' }] },
      message: "Invalid value for 'messages[0].role'",
    },
    {
      why: 'content that is not text',
      body: { model: 'm', messages: [{ role: 'user', content: 5 }] },
      message: "Invalid value for 'messages[0].content'",
    },
    {
      why: 'a function name with a space',
      body: { ...hello, tools: [{ type: 'function', function: { name: 'go on' } }] },
      message: "Invalid value for 'tools[0].function.name'",
    },
    { why: 'an empty list of tools', body: { ...hello, tools: [] }, message: "Invalid value for 'tools'" },
    {
      why: 'a tool choice without tools',
      body: { ...hello, tool_choice: 'auto' },
      message: "'tool_choice' is only allowed when 'tools' are specified.",
    },
    {
      why: 'stream options without a stream',
      body: { ...hello, stream_options: { include_usage: true } },
      message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    },
    {
      why: 'a tool message without a call',
      body: { model: 'm', messages: [{ role: 'tool', content: 'x', tool_call_id: 'a' }] },
      message: "messages with role 'tool' must be a response",
    },
    {
      why: 'a call without its tool message',
      body: {
        model: 'm',
        messages: [
          {
            role: 'assistant',
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          ...hello.messages,
        ],
      },
      message: 'must be followed by tool messages',
    },
    {
      why: 'json_object without the word JSON',
      body: { ...hello, response_format: { type: 'json_object' } },
      message: "'messages' must contain the word 'json'",
    },
    {
      why: 'a strict schema with an optional property',
      body: {
        ...hello,
        response_format: {
          ...json,
          json_schema: { ...json.json_schema, schema: { ...json.json_schema.schema, required: [] } },
        },
      },
      message: "Invalid schema for response_format 'values'",
    },
    {
      why: 'a body that is not JSON',
      body: '{"model":',
      message: 'We could not parse the JSON body of your request.',
    },
  ];

  test.each(refused)("$why is refused in OpenAI's shape", async ({ body, message }) => {
    const { status, text } = await post(body);
    expect(status).toBe(400);
    const refusal: { error: object } = JSON.parse(text);
    expect(refusal.error).toMatchObject({
      message: expect.stringContaining(message),
      type: 'invalid_request_error',
    });
    expect(Object.keys(refusal.error)).toEqual(['message', 'type', 'param', 'code']);
  });

  test('a missing key and a possibly real key are refused', async () => {
    expect((await post(hello, {})).status).toBe(401);
    expect((await post(hello, { authorization: 'Bearer sk-real' })).status).toBe(401);
  });

  test('an unknown path is refused', async () => {
    expect((await fetch(`${emulator.url}/embeddings`, { method: 'POST' })).status).toBe(404);
  });

  test('a rule refuses with a status, a code and a time to wait', async () => {
    emulator.rules.add(
      [
        {
          name: 'limit',
          answer: { fail: { status: 429, code: 'rate_limit_exceeded', retryAfterSeconds: 7 } },
        },
      ],
      key,
    );
    const { status, headers, text } = await post(hello);
    expect([status, headers.get('retry-after')]).toEqual([429, '7']);
    expect(JSON.parse(text)).toMatchObject({
      error: { code: 'rate_limit_exceeded', type: 'rate_limit_error' },
    });
  });
});

describe('rules', () => {
  const said = async (content: string, more: object = {}) => {
    const { text } = await post({
      ...hello,
      messages: [
        { role: 'system', content: 'step one' },
        { role: 'user', content },
      ],
      ...more,
    });
    const answer: OpenAI.Chat.ChatCompletion = JSON.parse(text);
    const message = answer.choices[0]?.message;
    return (
      message?.tool_calls?.map((call) => (call.type === 'function' ? call.function.name : '')) ??
      message?.content
    );
  };

  test("the first rule that applies answers, with the caller's words in it", async () => {
    emulator.rules.add(
      [
        { name: 'other step', when: { systemText: 'step two' }, answer: { say: 'wrong' } },
        {
          name: 'names',
          when: { userPattern: "i'm (?<name>\\w+)" },
          answer: { say: 'Hello {{name}}, {{1}}, {{other}}' },
        },
        { name: 'rest', answer: { say: 'rest' } },
      ],
      key,
    );
    expect(await said("I'm Maria")).toBe('Hello Maria, Maria, {{other}}');
    expect(await said('anything')).toBe('rest');
  });

  test("the caller's words also fill the texts of a call's arguments", () => {
    const rules = new RuleBook();
    rules.add([
      {
        name: 'order',
        when: { userPattern: 'order (?<item>\\w+)' },
        answer: { call: { tool: 'order', arguments: { item: '{{item}}', note: '{{other}}', count: 2 } } },
      },
    ]);
    const request = ChatRequest.parse({
      model: 'm',
      messages: [{ role: 'user', content: 'I order tea' }],
      tools: [{ type: 'function', function: { name: 'order' } }],
    });
    expect(
      decide({ request, key: 'any', rules, nth: 1 }).answer.calls.map(({ argumentsText }) => argumentsText),
    ).toEqual(['{"item":"tea","note":"{{other}}","count":2}']);
  });

  test('a rule that calls a function applies only when the function may be called', async () => {
    emulator.rules.add(
      [
        { name: 'go', answer: { call: { tool: 'go_on' } } },
        { name: 'stay', answer: { say: 'stay' } },
      ],
      key,
    );
    expect(await said('x', { tools: [goOn] })).toEqual(['go_on']);
    expect(await said('x', { tools: [goOn], tool_choice: 'none' })).toBe('stay');
    expect(await said('x')).toBe('stay');
  });

  test('a rule may call a function that was not offered, if it says so', async () => {
    emulator.rules.add([{ name: 'go', answer: { call: { tool: 'nowhere', evenIfNotOffered: true } } }], key);
    expect(await said('x', { tools: [goOn] })).toEqual(['nowhere']);
  });

  test('a rule may apply to the result of a tool', async () => {
    emulator.rules.add(
      [
        { name: 'told', when: { toolResult: 'SUNNY' }, answer: { say: 'told' } },
        { name: 'go', answer: { call: { tool: 'go_on' } } },
      ],
      key,
    );
    const after = (content: string) => [
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'go_on', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content },
    ];
    expect(await said('x', { tools: [goOn], messages: after('it is sunny') })).toBe('told');
    expect(await said('x', { tools: [goOn], messages: after('rain') })).toEqual(['go_on']);
    expect(await said('sunny', { tools: [goOn] })).toEqual(['go_on']);
  });

  test('when asked to continue where it stopped, it says the rest of its answer', () => {
    const rules = new RuleBook();
    rules.add([{ name: 'all', answer: { say: 'One. Two. Three.' } }]);
    const after = (said: string[], note: string) =>
      ChatRequest.parse({
        model: 'm',
        messages: [
          { role: 'user', content: 'Count' },
          ...said.map((content) => ({ role: 'assistant', content })),
          { role: 'system', content: note },
        ],
      });
    const answer = (request: ChatRequest) => decide({ request, key: 'any', rules, nth: 1 }).answer.text;
    const note = 'Go on exactly where it stopped.';
    expect(answer(after(['Well then.', 'One. Two.'], note))).toBe('Three.');
    expect(answer(after(['One. Two. Three.'], note))).toBe('');
    expect(answer(after(['One. Two.'], 'Be polite.'))).toBe('One. Two. Three.');
    expect(answer(after(['Something else.'], note))).toBe('One. Two. Three.');
  });

  test('a rule may apply to the nth request only', async () => {
    emulator.rules.add(
      [
        { name: 'second', when: { nth: 2 }, answer: { say: 'second' } },
        { name: 'other', answer: { say: 'other' } },
      ],
      key,
    );
    expect([await said('x'), await said('x'), await said('x')]).toEqual(['other', 'second', 'other']);
  });

  test('the rules of one key do not apply to others, and come before general ones', async () => {
    emulator.rules.add([{ name: 'other key', answer: { say: 'not yours' } }], 'simulated-other');
    expect(await said('ping')).toBe('pong');
    emulator.rules.add([{ name: 'own', answer: { say: 'own pong' } }], key);
    expect(await said('ping')).toBe('own pong');
  });

  test('without a rule, the answer is a sentence, nulls for JSON, and a call only if one is required', async () => {
    expect(await said('x', { tools: [goOn] })).toContain('simulated');
    expect(await said('x', { tools: [goOn], tool_choice: 'required' })).toEqual(['go_on']);
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: ['a', 'b'],
      additionalProperties: false,
    };
    expect(
      await said('x', {
        response_format: { type: 'json_schema', json_schema: { name: 'v', strict: true, schema } },
      }),
    ).toBe('{"a":null,"b":null}');
  });

  test("values are read from the caller's words only, the last one counts, and a missing one is null", async () => {
    emulator.rules.add(
      [
        {
          name: 'read',
          answer: {
            read: {
              day: [{ pattern: '\\b(\\w+day)\\b' }],
              size: [{ pattern: '(\\d+) of us' }],
              angry: [{ pattern: 'angry', value: true }],
            },
          },
        },
      ],
      key,
    );
    const schema = {
      type: 'object',
      properties: { day: { type: 'string' }, size: { type: ['number', 'null'] }, angry: { type: 'boolean' } },
      required: ['day', 'size', 'angry'],
      additionalProperties: false,
    };
    const transcript =
      'Variables:\n- day: which day, for instance Sunday\n\nuser: On Monday, 3 of us.\nassistant: Friday, then? Are you angry?\nuser: No,\nThursday.';
    expect(
      await said(transcript, {
        response_format: { type: 'json_schema', json_schema: { name: 'v', strict: true, schema } },
      }),
    ).toBe('{"day":"Thursday","size":3,"angry":null}');
  });
});

describe('control', () => {
  test('rules are added and removed for a key over HTTP', async () => {
    expect(
      await control('POST', '/emulator/rules', {
        scope: key,
        rules: [{ name: 'remote', answer: { say: 'remote' } }],
      }),
    ).toEqual({ status: 201, body: { added: 1 } });
    expect((await post(hello)).text).toContain('remote');
    await control('DELETE', `/emulator/rules?scope=${key}`);
    expect((await post(hello)).text).not.toContain('remote');
  });

  test.each([
    { rules: [] },
    { scope: 'x', rules: [{ name: 'x', answer: { shout: 'x' } }] },
    { scope: 'x', rules: [{ name: 'x', when: { userPattern: '(' }, answer: {} }] },
  ])('rules that cannot be used are refused: %j', async (body) => {
    expect((await control('POST', '/emulator/rules', body)).status).toBe(400);
  });

  test('the log shows each request, the rule that answered, and whether the answer was sent completely', async () => {
    emulator.rules.add(
      [
        { name: 'hello', when: { userText: 'HELLO' }, answer: { say: 'hi' } },
        { name: 'no', when: { nth: 1 }, answer: { fail: { status: 500 } } },
        { name: 'cut', answer: { say: 'cut off', breakOff: 'no_end' } },
      ],
      key,
    );
    await post({ ...hello, stream: true });
    await post({ ...hello, messages: [{ role: 'user', content: 'other' }] });
    await post({ ...hello, stream: true, messages: [{ role: 'user', content: 'other' }] });
    await post({ ...hello, colour: 'red' });
    const { body } = await control('GET', `/emulator/log?scope=${key}`);
    expect(body).toMatchObject({
      entries: [
        {
          rule: 'hello',
          status: 200,
          sent: 'complete',
          answer: { text: 'hi' },
          request: { messages: hello.messages },
          firstPieceAt: expect.any(String),
          finishedAt: expect.any(String),
        },
        { rule: 'no', status: 500, sent: 'no', answer: null },
        { rule: 'cut', status: 200, sent: 'broken_by_rule' },
        { rule: null, status: 400, sent: 'no', error: expect.stringContaining('colour') },
      ],
    });
    await control('DELETE', `/emulator/log?scope=${key}`);
    expect(emulator.log.entries(key)).toEqual([]);
  });
});

test('the emulator listens on the given address, so that other containers reach it', async () => {
  await expect(startLlmEmulator({ host: '192.0.2.1' })).rejects.toThrow('192.0.2.1'); // reserved for documentation
});
