import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CreateToolRequest } from '../../src/contract/tools.ts';
import { createTool } from '../../src/services/agents/index.ts';
import { createCallWorld, type CallWorld } from '../support/call-world.ts';
import { databases } from '../support/database.ts';
import { edge, node } from '../support/definitions.ts';
import { createScriptedLlm } from '../support/scripted-llm.ts';

interface LoggedEvent {
  type: string;
  payload: Record<string, unknown>;
  timestamp: string;
  turn: number;
  node_id?: string;
  node_name?: string;
}

describe.each(databases)('the log of a text call on %s', (kind) => {
  const failing = { now: false };
  const moved = { back: false };
  const llm = createScriptedLlm({
    before: ({ messages }, said) => {
      if (failing.now) return { fail: true };
      if (messages.at(-1)?.role === 'tool') return { text: 'It is two.' };
      if (said === 'once_more' && moved.back) return { text: 'Again.' };
      if (said === 'once_more') moved.back = true;
      return said === 'work it out'
        ? { text: 'Let me see.', toolCalls: [{ name: 'calculator', arguments: { expression: '1+1' } }] }
        : undefined;
    },
  });
  let world: CallWorld;
  let toolUuid: string;

  beforeAll(async () => {
    world = await createCallWorld({ llm, kind });
    await world.startWorker();
    const {
      name,
      description,
      icon,
      icon_color: iconColor,
      definition,
    } = CreateToolRequest.parse({ name: 'Calculator', definition: { type: 'calculator' } });
    toolUuid = (
      await createTool({ ctx: world.ctx, input: { name, description, icon, iconColor, definition } })
    ).tool_uuid;
  });
  afterAll(async () => await world.close());

  const graph = () => ({
    nodes: [
      node('start', 'startCall', {
        name: 'Start',
        prompt: 'the start',
        greeting: 'Hello.',
        tool_uuids: [toolUuid],
      }),
      node('ask', 'agentNode', { name: 'Ask', prompt: 'the question', allow_interrupt: true }),
      node('bye', 'endCall', { name: 'Bye', prompt: 'the end' }),
    ],
    edges: [
      {
        ...edge('e1', 'start', 'ask', 'go on'),
        data: { label: 'go on', condition: 'x', transition_speech: 'One moment.' },
      },
      edge('e2', 'ask', 'bye', 'done'),
      edge('e3', 'ask', 'ask', 'once more'),
    ],
  });
  const read = (logs: Record<string, unknown>) => logs['realtime_feedback_events'] as LoggedEvent[]; // eslint-disable-line typescript/no-unsafe-type-assertion -- what the assertions below look at
  const shown = (events: LoggedEvent[]) =>
    events.map(({ type, turn, node_name: name, payload }) => [
      turn,
      type.replace('rtf-', ''),
      name ?? null,
      payload['text'] ?? payload['result'] ?? payload['node_name'] ?? null,
    ]);

  test('lists in order the lines, the transitions, the tools, the latency of the model, and the failures', async () => {
    const session = await world.open(graph());
    await session.say('work it out', 1);
    failing.now = true;
    await expect(session.say('go_on', 2)).rejects.toMatchObject({ code: 'provider' });
    failing.now = false;
    await session.say('go_on', 2);
    await session.say('once_more', 3);
    await session.say('done', 4);
    await session.completed();
    const events = read((await session.row()).logs);
    expect(shown(events)).toEqual([
      [0, 'node-transition', 'Start', 'Start'],
      [0, 'bot-text', 'Start', 'Hello.'],
      [1, 'user-transcription', 'Start', 'work it out'],
      [1, 'ttfb-metric', 'Start', null],
      [1, 'bot-text', 'Start', 'Let me see.'],
      [1, 'function-call-start', 'Start', null],
      [1, 'function-call-end', 'Start', '{"status":"success","data":2}'],
      [1, 'ttfb-metric', 'Start', null],
      [1, 'bot-text', 'Start', 'It is two.'],
      [2, 'pipeline-error', 'Start', null],
      [2, 'user-transcription', 'Start', 'go_on'],
      [2, 'ttfb-metric', 'Start', null],
      [2, 'node-transition', 'Ask', 'Ask'],
      [2, 'bot-text', 'Ask', 'One moment.'],
      [2, 'ttfb-metric', 'Ask', null],
      [2, 'bot-text', 'Ask', 'Reply at the question'],
      [3, 'user-transcription', 'Ask', 'once_more'],
      [3, 'ttfb-metric', 'Ask', null],
      [3, 'node-transition', 'Ask', 'Ask'],
      [3, 'ttfb-metric', 'Ask', null],
      [3, 'bot-text', 'Ask', 'Again.'],
      [4, 'user-transcription', 'Ask', 'done'],
      [4, 'ttfb-metric', 'Ask', null],
      [4, 'node-transition', 'Bye', 'Bye'],
      [4, 'ttfb-metric', 'Bye', null],
      [4, 'bot-text', 'Bye', 'Reply at the end'],
    ]);
    const timestamps = events.map(({ timestamp }) => timestamp);
    expect(timestamps).toEqual(timestamps.toSorted());
    const payloads = (type: string) =>
      events.filter((event) => event.type === type).map(({ payload }) => payload);
    expect(payloads('rtf-node-transition')).toEqual([
      {
        node_id: 'start',
        node_name: 'Start',
        previous_node_id: null,
        previous_node_name: null,
        allow_interrupt: false,
      },
      {
        node_id: 'ask',
        node_name: 'Ask',
        previous_node_id: 'start',
        previous_node_name: 'Start',
        allow_interrupt: true,
      },
      {
        node_id: 'ask',
        node_name: 'Ask',
        previous_node_id: 'ask',
        previous_node_name: 'Ask',
        allow_interrupt: true,
      },
      {
        node_id: 'bye',
        node_name: 'Bye',
        previous_node_id: 'ask',
        previous_node_name: 'Ask',
        allow_interrupt: false,
      },
    ]);
    expect(payloads('rtf-user-transcription')[0]).toEqual({
      text: 'work it out',
      final: true,
      timestamp: expect.any(String),
    });
    expect(payloads('rtf-bot-text')[0]).toEqual({ text: 'Hello.', timestamp: expect.any(String) });
    expect(payloads('rtf-function-call-start')).toEqual([
      { function_name: 'calculator', tool_call_id: expect.any(String), arguments: { expression: '1+1' } },
    ]);
    expect(payloads('rtf-function-call-end')).toEqual([
      {
        function_name: 'calculator',
        tool_call_id: payloads('rtf-function-call-start')[0]?.['tool_call_id'],
        result: expect.any(String),
      },
    ]);
    expect(payloads('rtf-ttfb-metric')[0]).toEqual({
      ttfb_seconds: expect.any(Number),
      processor: 'llm',
      model: 'test-model',
    });
    expect(payloads('rtf-pipeline-error')).toEqual([
      { error: expect.stringContaining('The language model failed'), fatal: false, processor: 'llm' },
    ]);
  });

  test('leaves out turns and failures that a rewind discarded', async () => {
    const session = await world.open(graph());
    const first = await session.say('first', 1);
    await session.say('discarded', 2);
    failing.now = true;
    await expect(session.say('fails, discarded', 3)).rejects.toMatchObject({ code: 'provider' });
    await session.rewind(first.session_data.turns[1]?.id ?? null, 3);
    await expect(session.say('fails, kept', 4)).rejects.toMatchObject({ code: 'provider' });
    failing.now = false;
    await session.say('instead', 4);
    await session.end(5);
    const events = read((await session.row()).logs);
    expect(
      events.flatMap(({ type, payload, turn }) =>
        type === 'rtf-user-transcription'
          ? [[turn, payload['text']]]
          : type === 'rtf-pipeline-error'
            ? [[turn, 'failed']]
            : [],
      ),
    ).toEqual([
      [1, 'first'],
      [2, 'failed'],
      [2, 'instead'],
    ]);
  });
});
