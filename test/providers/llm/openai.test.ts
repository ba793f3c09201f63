import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Action, Quirk } from '../../../emulators/llm/rules.ts';
import { collectReply } from '../../../src/services/models/collect-reply.ts';
import { createOpenAiLlm } from '../../../src/providers/llm/openai.ts';
import { startLlmBench, type LlmBench } from '../../support/llm-emulator.ts';
import { aRequest, never, watch, withTools } from './conformance.ts';

let bench: LlmBench;
beforeAll(async () => {
  bench = await startLlmBench();
});
afterAll(() => bench.close());

const jsonRequest = {
  ...aRequest,
  messages: [{ role: 'user' as const, content: 'Answer in JSON. user: I come on Thursday' }],
  responseFormat: {
    name: 'values',
    schema: {
      type: 'object',
      properties: { day: { type: ['string', 'null'] } },
      required: ['day'],
      additionalProperties: false,
    },
  },
};

describe('servers that deviate from OpenAI', () => {
  const calls: Action = { call: [{ tool: 'go_on' }, { tool: 'note', arguments: { day: 'Thursday' } }] };
  const sloppy: { name: string; quirks: Quirk[] }[] = [
    { name: 'the type of a tool call is missing', quirks: ['no_tool_type'] },
    { name: 'no ids are sent', quirks: ['no_tool_id'] },
    { name: 'the index is always 0', quirks: ['tool_index_zero', 'tool_id_repeated'] },
    {
      name: 'the index is always 0 and the arguments come in one piece',
      quirks: ['tool_index_zero', 'arguments_whole'],
    },
    {
      name: 'neither index nor id separates the calls',
      quirks: ['tool_index_zero', 'no_tool_id', 'arguments_whole'],
    },
    { name: 'the finish reason contradicts the tool calls', quirks: ['finish_reason_stop'] },
    { name: 'a message replaces a delta', quirks: ['message_instead_of_delta'] },
    { name: 'usage is in every chunk', quirks: ['usage_in_every_chunk'] },
  ];

  test.each(sloppy)('tool calls are read although $name', async ({ quirks }) => {
    const { llm } = bench.llmThat({ ...calls, quirks });
    const { toolCalls } = await collectReply(llm.stream(withTools, { signal: never() }));
    expect(toolCalls.map((call) => [call.name, call.arguments])).toEqual([
      ['go_on', {}],
      ['note', { day: 'Thursday' }],
    ]);
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(2);
  });
});

describe('usage', () => {
  test('is what the server reports', async () => {
    const { llm } = bench.llmThat({ say: 'Twelve chars' });
    const { usage } = await collectReply(llm.stream(aRequest, { signal: never() }));
    expect(usage).toMatchObject({ completionTokens: 3, estimated: false });
  });

  test('is estimated and marked when the server reports none', async () => {
    const { llm } = bench.llmThat({ say: 'Twelve chars', quirks: ['no_usage'] });
    const { usage } = await collectReply(llm.stream(aRequest, { signal: never() }));
    expect(usage).toEqual({
      promptTokens: 5,
      completionTokens: 3,
      totalTokens: 8,
      cachedPromptTokens: 0,
      estimated: true,
    });
  });

  test('is asked for again without the option after a refusal, once per adapter', async () => {
    const { llm, key } = bench.llmThat({ say: 'Hello', refuseFields: ['stream_options'] });
    const first = await collectReply(llm.stream(aRequest, { signal: never() }));
    const second = await collectReply(llm.stream(aRequest, { signal: never() }));
    expect([first.usage?.estimated, second.usage?.estimated]).toEqual([true, true]);
    expect(bench.emulator.log.entries(key).map(({ status }) => status)).toEqual([400, 200, 200]);
  });
});

describe('a JSON document', () => {
  const read: Action = { read: { day: [{ pattern: '\\b(\\w+day)\\b' }] } };

  test('is requested with its schema', async () => {
    const { llm } = bench.llmThat(read);
    const { text } = await collectReply(llm.stream(jsonRequest, { signal: never() }));
    expect(JSON.parse(text)).toEqual({ day: 'Thursday' });
  });

  test('is requested in a simpler form from a server that does not know schemas or formats', async () => {
    const { llm, key } = bench.llmThat({
      ...read,
      say: '{"day":"Thursday"}',
      refuseFields: ['response_format'],
    });
    const { text } = await collectReply(llm.stream(jsonRequest, { signal: never() }));
    expect(JSON.parse(text)).toEqual({ day: 'Thursday' });
    expect(bench.emulator.log.entries(key).map(({ request }) => request)).toMatchObject([
      { response_format: { type: 'json_schema' } },
      { response_format: { type: 'json_object' } },
      expect.not.objectContaining({ response_format: expect.anything() }),
    ]);
  });
});

describe('refusals', () => {
  const statuses = [
    { status: 400, code: '', retryable: false },
    { status: 401, code: '', retryable: false },
    { status: 403, code: '', retryable: false },
    { status: 404, code: 'model_not_found', retryable: false },
    { status: 408, code: '', retryable: true },
    { status: 409, code: '', retryable: true },
    { status: 429, code: '', retryable: true },
    { status: 429, code: 'insufficient_quota', retryable: false },
    { status: 500, code: '', retryable: true },
    { status: 503, code: '', retryable: true },
  ];

  test.each(statuses)(
    'HTTP $status $code has retryable $retryable and is not retried here',
    async ({ status, code, retryable }) => {
      const { llm, key } = bench.llmThat({ fail: { status, ...(code === '' ? {} : { code }) } });
      const { error } = await watch(llm.stream(aRequest, { signal: never() }));
      expect(error).toMatchObject({
        code: 'provider',
        provider: 'llm',
        retryable,
        message: expect.stringContaining(`HTTP ${status}`),
      });
      expect(bench.emulator.log.entries(key)).toHaveLength(1);
    },
  );

  test.each([
    ['no header', {}, null],
    ['seconds', { retryAfterSeconds: 7 }, 7000],
    ['milliseconds before seconds', { retryAfterSeconds: 7, retryAfterMs: 6543 }, 6543],
    ['an invalid number', { retryAfterSeconds: 0.5 }, null],
  ])('the wait of a busy server is read from %s', async (_, asks, retryAfterMs) => {
    const { llm } = bench.llmThat({ fail: { status: 429, code: 'rate_limit_exceeded', ...asks } });
    expect((await watch(llm.stream(aRequest, { signal: never() }))).error).toMatchObject({
      retryable: true,
      retryAfterMs,
    });
  });

  test("an account without credit is not retryable, whatever the server's wait", async () => {
    const { llm } = bench.llmThat({
      fail: { status: 429, code: 'insufficient_quota', retryAfterSeconds: 1 },
    });
    expect((await watch(llm.stream(aRequest, { signal: never() }))).error).toMatchObject({
      retryable: false,
      retryAfterMs: null,
    });
  });

  test("errors never contain the server's text about a key", async () => {
    const { llm } = bench.llmThat({
      fail: { status: 401, message: 'Incorrect API key provided: sk-secret' },
    });
    const { error } = await watch(llm.stream(aRequest, { signal: never() }));
    expect(error).toMatchObject({ message: expect.not.stringContaining('sk-secret') });
    expect(error instanceof Error && error.cause).toBeUndefined();
  });

  test('a server that cannot be reached is retryable', async () => {
    const { error } = await watch(
      createOpenAiLlm({ apiKey: 'simulated', baseUrl: 'http://127.0.0.1:1/v1' }).stream(aRequest, {
        signal: never(),
      }),
    );
    expect(error).toMatchObject({
      code: 'provider',
      retryable: true,
      message: 'The language model could not be reached',
    });
  });
});

describe('broken answers', () => {
  test.each(['reset', 'no_end', 'not_json', 'wrong_shape', 'error_event'] as const)(
    '%s is retryable and comes after the text so far, without an end',
    async (breakOff) => {
      const { llm } = bench.llmThat({ say: 'This answer breaks in the middle', breakOff });
      const { events, error } = await watch(llm.stream(aRequest, { signal: never() }));
      expect(events.length).toBeGreaterThan(0);
      expect(events.every(({ kind }) => kind === 'text')).toBe(true);
      expect(error).toMatchObject({ code: 'provider', retryable: true });
    },
  );

  test('an incomplete tool call is not yielded', async () => {
    const { llm } = bench.llmThat({
      call: { tool: 'note', arguments: { day: 'Thursday, 26 November' } },
      breakOff: 'no_end',
    });
    const { events, error } = await watch(llm.stream(withTools, { signal: never() }));
    expect(events).toEqual([]);
    expect(error).toMatchObject({ retryable: true });
  });
});

describe('timeouts', () => {
  const stages = [
    { stall: 'before_headers', limit: { connectMs: 500 }, message: 'did not begin to answer within 500 ms' },
    {
      stall: 'before_first_token',
      limit: { firstTokenMs: 300 },
      message: 'sent nothing within 300 ms',
    },
    {
      stall: 'mid_stream',
      limit: { stallMs: 300 },
      message: 'stalled in the middle of its answer: it sent nothing within 300 ms',
    },
    {
      stall: 'before_usage',
      limit: { stallMs: 300 },
      message: 'stalled in the middle of its answer: it sent nothing within 300 ms',
    },
    { stall: 'mid_stream', limit: { wholeMs: 600 }, message: 'did not finish its answer within 600 ms' },
  ] as const;

  test.each(stages)(
    'silence $stall ends by $limit, and the connection is closed',
    async ({ stall, limit, message }) => {
      const { llm, key } = bench.llmThat({ say: 'Some words to begin with', stall });
      const { error } = await watch(llm.stream({ ...aRequest, timeouts: limit }, { signal: never() }));
      expect(error).toMatchObject({
        code: 'provider',
        retryable: true,
        message: `The language model ${message}`,
      });
      await untilFinished(key);
      expect(bench.emulator.log.entries(key)).toMatchObject([{ sent: 'client_left' }]);
    },
  );

  test('a slow consumer does not count as silence', async () => {
    const { llm } = bench.llmThat({ say: 'One two three' }, { timeouts: { stallMs: 60 } });
    let text = '';
    for await (const event of llm.stream(aRequest, { signal: never() })) {
      await new Promise((resolve) => {
        setTimeout(resolve, 90);
      });
      if (event.kind === 'text') text += event.text;
    }
    expect(text).toBe('One two three');
  });

  test('leaving the loop early closes the connection', async () => {
    const { llm, key } = bench.llmThat({ say: 'Some words to begin with', stall: 'mid_stream' });
    for await (const event of llm.stream(aRequest, { signal: never() })) {
      expect(event.kind).toBe('text');
      break;
    }
    await untilFinished(key);
    expect(bench.emulator.log.entries(key)).toMatchObject([{ sent: 'client_left' }]);
  });
});

test('an adapter recognizes an emulator by its key', () => {
  expect(createOpenAiLlm({ apiKey: 'simulated-demo' })).toMatchObject({
    simulated: true,
    provider: 'simulated',
  });
  expect(createOpenAiLlm({ apiKey: 'sk-real' })).toMatchObject({ simulated: false, provider: 'openai' });
});

async function untilFinished(key: string): Promise<void> {
  while (bench.emulator.log.entries(key).some(({ finishedAt }) => finishedAt === null)) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}
