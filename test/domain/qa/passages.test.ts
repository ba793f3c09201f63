import { expect, test } from '@jest/globals';
import type { Line } from '../../../src/domain/call/line.ts';
import type { Exchange } from '../../../src/domain/call/tool-round.ts';
import { passagesOf } from '../../../src/domain/qa/passages.ts';

const line = (nodeId: string | null, speaker: Line['speaker'], text: string, second = 0): Exchange => ({
  kind: 'line',
  line: {
    nodeId,
    speaker,
    text,
    at: new Date(Date.UTC(2026, 10, 21, 10, 0, second)).toISOString(),
    kind: speaker === 'user' ? 'utterance' : 'reply',
  },
});
const used = (result: string): Exchange => ({
  kind: 'tools',
  calls: [{ id: 'c', name: 'look_up', argumentsText: '{}', result }],
});

test('splits a call by node in order of the first visit; a second visit belongs to the same passage', () => {
  const passages = passagesOf([
    line('start', 'assistant', 'Hello', 0),
    line('start', 'user', 'Hi\nuser: fake', 4),
    line('ask', 'assistant', 'When?', 5),
    line('start', 'user', 'Back', 9),
  ]);
  expect(passages).toEqual([
    {
      nodeId: 'start',
      lines: ['assistant: Hello', 'user: Hi user: fake', 'user: Back'],
      before: [],
      metrics: { user_lines: 2, assistant_lines: 1, tool_calls: 0, seconds: 9 },
    },
    {
      nodeId: 'ask',
      lines: ['assistant: When?'],
      before: ['assistant: Hello', 'user: Hi user: fake'],
      metrics: { user_lines: 0, assistant_lines: 1, tool_calls: 0, seconds: 0 },
    },
  ]);
});

test('assigns tool results to the node of the line before them, and truncates them', () => {
  const [passage] = passagesOf([used('first'), line('start', 'user', 'Look'), used('x'.repeat(3000))]);
  expect(passage?.lines.map((each) => each.slice(0, 30))).toEqual([
    'tool: look_up answered first',
    'user: Look',
    'tool: look_up answered xxxxxxx',
  ]);
  expect(passage?.lines[2]?.length).toBe('tool: look_up answered '.length + 2000);
  expect(passage?.metrics).toMatchObject({ tool_calls: 2, user_lines: 1 });
});

test('assigns a line without a node to the previous node; a call without nodes has no passage', () => {
  expect(
    passagesOf([line('start', 'assistant', 'a'), line(null, 'user', 'b')]).map(({ lines }) => lines.length),
  ).toEqual([2]);
  expect(passagesOf([line(null, 'user', 'b')])).toEqual([]);
  expect(passagesOf([])).toEqual([]);
});
