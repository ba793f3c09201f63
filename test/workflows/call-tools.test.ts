import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toolRuns } from '../../src/db/tables/tool-runs.ts';
import { turns } from '../../src/db/tables/turns.ts';
import type { Definition } from '../../src/domain/graph/definition.ts';
import type { LlmRequest } from '../../src/providers/llm/port.ts';
import { archiveTool, createTool } from '../../src/services/agents/index.ts';
import { runTool, type ConversationDeps, type FetchDeps } from '../../src/services/calls/index.ts';
import { CreateToolRequest } from '../../src/contract/tools.ts';
import { neverChosen } from '../support/admitted-call.ts';
import { createCallWorld, type CallWorld } from '../support/call-world.ts';
import { testSecrets } from '../support/database.ts';
import { edge, node } from '../support/definitions.ts';
import { answered, createFakeCustomerHttp } from '../support/fake-customer-http.ts';
import type { FakeReply } from '../support/fake-llm.ts';
import { createScriptedLlm } from '../support/scripted-llm.ts';

const http = createFakeCustomerHttp();
const script: { reply: (request: LlmRequest, said: string) => FakeReply | undefined } = {
  reply: () => undefined,
};
const llm = createScriptedLlm({ before: (request, said) => script.reply(request, said) });
let world: CallWorld;

beforeAll(async () => {
  world = await createCallWorld({ llm });
  await world.startWorker({ deps: { http } });
});
afterAll(async () => await world.close());

async function makeTool(name: string, definition: unknown): Promise<string> {
  const {
    description,
    icon,
    icon_color: iconColor,
    definition: checked,
  } = CreateToolRequest.parse({ name, definition });
  return (
    await createTool({ ctx: world.ctx, input: { name, description, icon, iconColor, definition: checked } })
  ).tool_uuid;
}

const orderTool = (config: Record<string, unknown> = {}) => ({
  type: 'http_api',
  config: {
    method: 'POST',
    url: 'https://shop.test/{{shop}}/orders',
    parameters: [{ name: 'item', type: 'string', description: 'What' }],
    preset_parameters: [{ name: 'caller', type: 'string', value_template: '{{initial_context.name}}' }],
    ...config,
  },
});

const graph = (...toolUuids: string[]): Definition => ({
  nodes: [
    node('start', 'startCall', {
      name: 'Start',
      prompt: 'You take orders.',
      greeting: 'Hello.',
      tool_uuids: toolUuids,
    }),
    node('bye', 'endCall', { name: 'Bye', prompt: 'You say goodbye.' }),
  ],
  edges: [edge('e1', 'start', 'bye', 'done')],
});

const lastResult = ({ messages }: LlmRequest) => {
  const last = messages.at(-1);
  return last?.role === 'tool' ? last.content : null;
};

/** Calls the tool once, then says its result. */
const callOnce = (name: string, values: Record<string, unknown>) => {
  script.reply = (request, said) => {
    const result = lastResult(request);
    if (result !== null) return { text: `I was told ${result}` };
    return said.includes('use') ? { toolCalls: [{ name, arguments: values }] } : undefined;
  };
};

describe('tools of a node', () => {
  test('are called by the model: the request is sent once, and the model answers with the result in the same turn', async () => {
    const uuid = await makeTool('Place order', orderTool({ customMessage: 'One moment, {{name}}.' }));
    callOnce('place_order', { item: 'tea' });
    http.answerWith(answered(201, {}, '{"id":7}'));
    http.requests.length = 0;
    const session = await world.open(graph(uuid), { shop: 'a/b', name: 'Ada' });
    const after = await session.say('use it', 1);
    const said = after.session_data.turns[1];
    expect(said?.assistant_message?.text).toBe(
      'One moment, Ada.\nI was told {"status":"success","status_code":201,"data":{"id":7}}',
    );
    expect(http.requests).toMatchObject([
      {
        method: 'POST',
        url: 'https://shop.test/a%2Fb/orders',
        body: '{"item":"tea","caller":"Ada"}',
        timeoutMs: 5000,
      },
    ]);
    expect(
      said?.events.map(({ type }) => type).filter((type) => String(type).startsWith('rtf-function')),
    ).toEqual(['rtf-function-call-start', 'rtf-function-call-end']);
    expect(said?.events.find(({ type }) => type === 'rtf-function-call-end')).toMatchObject({
      payload: { function_name: 'place_order', result: expect.stringContaining('201') },
    });

    await session.say('and now', 2);
    const later = llm.requests.at(-1)?.messages.map(({ role }) => role);
    expect(later).toEqual([
      'system',
      'assistant',
      'user',
      'assistant',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    expect(llm.requests.at(-1)?.tools.map(({ name }) => name)).toEqual(['done', 'place_order']);
    expect(llm.requests.at(-1)?.tools[1]?.parameters).toEqual({
      type: 'object',
      properties: { item: { type: 'string', description: 'What' } },
      required: ['item'],
    });
    await session.end();
  });

  // guarantee: only-declared-arguments-are-sent
  test('get only declared arguments, of the declared type; the model is told what was left out or wrong', async () => {
    const parameters = [
      { name: 'item', type: 'string', description: 'What' },
      { name: 'count', type: 'number', description: 'How many', required: false },
    ];
    const uuid = await makeTool('Place order', orderTool({ parameters }));
    http.answerWith(answered(200, {}, '"done"'));
    http.requests.length = 0;
    const session = await world.open(graph(uuid), { shop: 'a', name: 'Ada' });
    callOnce('place_order', { item: '{{name}}', price: 0, caller: 'Eve', initial_context: {} });
    expect((await session.say('use it', 1)).session_data.turns[1]?.assistant_message?.text).toContain(
      '{"status":"success","status_code":200,"data":"done","ignored_arguments":["price","caller","initial_context"]}',
    );
    callOnce('place_order', { item: 'tea', count: 'three' });
    expect((await session.say('use it again', 2)).session_data.turns[2]?.assistant_message?.text).toContain(
      'the argument count must be a number',
    );
    expect(http.requests.map(({ body }) => body)).toEqual(['{"item":"{{name}}","caller":"Ada"}']);
    await session.end();
  });

  test('return a failing endpoint and a URL without its value as results, and the conversation continues', async () => {
    const uuid = await makeTool('Place order', orderTool());
    http.answerWith(answered(500, {}, 'broken'));
    http.requests.length = 0;
    callOnce('place_order', { item: 'tea' });
    const session = await world.open(graph(uuid), { shop: 'a', name: 'Ada' });
    expect((await session.say('use it', 1)).session_data.turns[1]?.assistant_message?.text).toContain(
      'the endpoint answered 500: broken',
    );
    const incomplete = await world.open(graph(uuid), { name: 'Ada' });
    expect((await incomplete.say('use it', 1)).session_data.turns[1]?.assistant_message?.text).toContain(
      'cannot be part of a URL',
    );
    expect(http.requests).toHaveLength(1);
    await Promise.all([session.end(), incomplete.end()]);
  });

  test('return the stored result when the message of a failed turn is sent again', async () => {
    const uuid = await makeTool('Place order', orderTool());
    http.answerWith(answered(200, {}, '"done"'));
    http.requests.length = 0;
    const failing = { now: true };
    script.reply = (request, said) => {
      if (lastResult(request) !== null) return failing.now ? { fail: true } : { text: 'Ordered.' };
      return said.includes('use')
        ? { toolCalls: [{ name: 'place_order', arguments: { item: 'tea' } }] }
        : undefined;
    };
    const session = await world.open(graph(uuid), { shop: 'a', name: 'Ada' });
    await expect(session.say('use it', 1)).rejects.toMatchObject({ code: 'provider' });
    failing.now = false;
    expect((await session.say('use it', 1)).session_data.turns[1]?.assistant_message?.text).toBe('Ordered.');
    expect(http.requests).toHaveLength(1);
    await session.end();
  });

  test('are no longer offered after five rounds', async () => {
    const uuid = await makeTool('Calculator', { type: 'calculator' });
    script.reply = ({ tools }, said) =>
      said.includes('use') && tools.some(({ name }) => name === 'calculator')
        ? { toolCalls: [{ name: 'calculator', arguments: { expression: '2*(3+4)' } }] }
        : undefined;
    const session = await world.open(graph(uuid));
    expect((await session.say('use it', 1)).session_data.turns[1]?.assistant_message?.text).toContain(
      'Reply at',
    );
    const [row] = (await world.ctx.db.getRepository(turns).findBy({ callId: session.callId })).toSorted(
      (left, right) => right.turnIndex - left.turnIndex,
    );
    expect(row?.toolRounds).toHaveLength(5);
    expect(row?.toolRounds?.[0]?.calls[0]?.result).toBe('{"status":"success","data":14}');
    await session.end();
  });

  test.each([
    {
      title: 'a tool that asks for a reason',
      config: { endCallReason: true, messageType: 'custom', customMessage: 'Goodbye, {{name}}.' },
      disposition: 'wrong number',
      tags: ['wrong number', 'user_speech', 'end_call_tool'],
      goodbye: 'Goodbye, Ada.',
    },
    {
      title: 'a tool that asks for none',
      config: {},
      disposition: 'end_call_tool',
      tags: ['end_call_tool', 'user_speech'],
      goodbye: undefined,
    },
  ])(
    '$title ends the conversation with the right disposition',
    async ({ config, disposition, tags, goodbye }) => {
      const uuid = await makeTool('Hang up', { type: 'end_call', config });
      callOnce('hang_up', { reason: 'wrong number' });
      const session = await world.open(graph(uuid), { name: 'Ada' });
      const ended = await session.say('use it', 1);
      expect(ended.session_data.turns[1]?.assistant_message?.text).toBe(goodbye);
      const complete = await session.completed();
      expect(complete).toMatchObject({
        revision: 3, // it grew once more with the extracted values
        gathered_context: { call_disposition: disposition, mapped_call_disposition: disposition },
      });
      expect((await session.row()).tags).toEqual(tags);
    },
  );

  test('refuse a transfer in a text call with textchat_not_supported, and do not include archived tools and mcp', async () => {
    const transfer = await makeTool('Transfer', { type: 'transfer_call', config: { destination: '+1555' } });
    const [archived, mcp] = [
      await makeTool('Old', { type: 'calculator' }),
      await makeTool('Remote', { type: 'mcp', config: { url: 'https://mcp.test' } }),
    ];
    const session = await world.open(graph(transfer, archived, mcp));
    await archiveTool({ ctx: world.ctx, input: { uuid: archived } });
    callOnce('transfer', {});
    const reply = (await session.say('use it', 1)).session_data.turns[1]?.assistant_message?.text;
    expect(reply).toContain('"status":"transfer_failed"');
    expect(reply).toContain('"reason":"textchat_not_supported"');
    expect(llm.requests.at(-1)?.tools.map(({ name }) => name)).toEqual(['done', 'transfer']);
    await session.end();
  });

  test('include the opt-out with its description, which is refused in text', async () => {
    const uuid = await makeTool('Do not call', { type: 'native', config: { action: 'do_not_call' } });
    const session = await world.open(graph(uuid));
    callOnce('do_not_call', {});
    expect((await session.say('use it', 1)).session_data.turns[1]?.assistant_message?.text).toContain(
      'no phone number',
    );
    expect(llm.requests.at(-1)?.tools[1]).toMatchObject({
      name: 'do_not_call',
      description: expect.stringContaining('do not want to be called again'),
      parameters: { type: 'object', properties: {} },
    });
    await session.end();
  });

  describe('a tool whose worker died during its request', () => {
    const started = async (method: string) => {
      const uuid = await makeTool(`Place ${method}`, orderTool({ method, url: 'https://shop.test/orders' }));
      const session = await world.open(graph(uuid), { name: 'Ada' });
      const input = {
        callId: session.callId,
        organizationId: world.ctx.organizationId,
        branch: 0,
        turnIndex: 1,
        callIndex: 0,
        call: { id: 'c1', name: 'place', argumentsText: '{}', values: {}, toolUuid: uuid },
      };
      const deps: ConversationDeps & FetchDeps = {
        ...world.ctx,
        llm,
        model: 'm',
        customerLlms: neverChosen,
        publicUrl: '',
        http,
        secrets: testSecrets,
      };
      const run = () => runTool({ deps, input, signal: new AbortController().signal });
      http.requests.length = 0;
      http.answerWith(() => Promise.reject(new Error('the worker dies here')));
      await expect(run()).rejects.toThrow('dies here');
      http.answerWith(answered(200, {}, '"late"'));
      return { session, run };
    };

    // guarantee: tool-request-sent-at-most-once
    test('is not sent again, and the model permanently gets an unknown outcome', async () => {
      const { session, run } = await started('POST');
      expect(JSON.parse((await run()).result)).toMatchObject({
        status: 'error',
        error: expect.stringContaining('unknown'),
      });
      expect((await run()).result).toContain('unknown');
      expect(http.requests).toHaveLength(1);
      expect(await world.ctx.db.getRepository(toolRuns).findBy({ callId: session.callId })).toMatchObject([
        { state: 'finished' },
      ]);
      await session.end();
    });

    test('is sent again when it is a GET', async () => {
      const { session, run } = await started('GET');
      expect(JSON.parse((await run()).result)).toEqual({ status: 'success', status_code: 200, data: 'late' });
      expect(http.requests).toHaveLength(2);
      await session.end();
    });
  });
});
