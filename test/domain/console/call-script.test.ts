import { describe, expect, test } from '@jest/globals';
import {
  answeredAt,
  eventsIn,
  eventsOfSession,
  lineAt,
  momentText,
  readScript,
  slowLatency,
} from '../../../console/src/screens/call/script.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 23, 12, 0, 0) + second * 1000).toISOString();
const event = (type: string, second: number, payload: object = {}) => ({
  type,
  payload,
  timestamp: at(second),
  turn: 0,
});
const user = (second: number, end: number, text: string) =>
  event('rtf-user-transcription', second, {
    text,
    final: true,
    timestamp: at(second),
    end_timestamp: at(end),
  });
const bot = (second: number, text: string) => event('rtf-bot-text', second, { text, timestamp: at(second) });
const node = (second: number, id: string, from: string | null) =>
  event('rtf-node-transition', second, { node_id: id, node_name: id.toUpperCase(), previous_node_id: from });
const ttfb = (second: number, processor: string, seconds: number) =>
  event('rtf-ttfb-metric', second, { ttfb_seconds: seconds, processor });

/** A phone call that was answered at second 10. */
const spoken = [
  node(10.5, 'a', null),
  bot(11, 'Hello.'),
  event('rtf-bot-started-speaking', 11),
  event('rtf-bot-stopped-speaking', 13),
  user(14, 15, 'Yes.'),
  node(15.6, 'b', 'a'),
  bot(16, 'Which day would suit'),
  ttfb(16, 'llm', 0.4),
  ttfb(16, 'tts', 0.2),
  event('rtf-bot-started-speaking', 16),
  event('rtf-latency-measured', 16, { latency_seconds: 0.9 }),
  user(17.5, 18, 'Thursday!'),
  event('rtf-function-call-start', 18.2, {
    function_name: 'find_slots',
    tool_call_id: 'c1',
    arguments: { day: 'Thursday' },
  }),
  event('rtf-function-call-end', 18.7, {
    function_name: 'find_slots',
    tool_call_id: 'c1',
    result: '{"free":2}',
  }),
  bot(20, 'Two are free.'),
  event('rtf-bot-started-speaking', 20),
  event('rtf-bot-stopped-speaking', 22),
];
const callbacks = [
  { status: 'initiated', timestamp: at(5) },
  { status: 'in-progress', timestamp: at(10) },
];

describe('the script of a phone call', () => {
  const logs = { realtime_feedback_events: spoken, telephony_status_callbacks: callbacks };
  const script = readScript(eventsIn(logs), {
    beganAt: answeredAt(logs),
    transitions: [{ source: 'a', target: 'b', label: 'Right person' }],
  });
  const lines = script.items.filter((item) => item.kind === 'line');

  test('moments count from the answer, where the recording begins', () => {
    expect(lines.map((line) => [line.at, line.until, line.text])).toEqual([
      [1000, 3000, 'Hello.'],
      [4000, 5000, 'Yes.'],
      [6000, 7500, 'Which day would suit'],
      [7500, 8000, 'Thursday!'],
      [10_000, 12_000, 'Two are free.'],
    ]);
    expect(script).toMatchObject({ beganAt: at(10), lengthMs: 12_000, isSpoken: true, path: ['a', 'b'] });
  });

  test('an answer has its time and where it went; a line whose end nobody heard was interrupted', () => {
    expect(lines.map(({ latencyMs, split, isCutOff }) => ({ latencyMs, split, isCutOff }))).toEqual([
      { latencyMs: null, split: null, isCutOff: false },
      { latencyMs: null, split: null, isCutOff: false },
      { latencyMs: 900, split: { model: 400, voice: 200, rest: 300 }, isCutOff: true },
      { latencyMs: null, split: null, isCutOff: false },
      { latencyMs: 2000, split: null, isCutOff: false },
    ]);
    expect(slowLatency(script.items)).toBe(2000);
  });

  test('nodes are numbered and say which transition led there, if only one can', () => {
    expect(script.items.filter(({ kind }) => kind === 'hop')).toEqual([
      { kind: 'hop', at: 500, number: 1, nodeId: 'a', node: 'A', by: null },
      { kind: 'hop', at: 5600, number: 2, nodeId: 'b', node: 'B', by: 'Right person' },
    ]);
  });

  test('a tool has its arguments, its answer and its time', () => {
    expect(script.items.find(({ kind }) => kind === 'tool')).toEqual({
      kind: 'tool',
      at: 8200,
      name: 'find_slots',
      arguments: { day: 'Thursday' },
      result: '{"free":2}',
      isDone: true,
      ms: 500,
      hasFailed: false,
    });
  });

  test('the line of a moment is the last that has begun', () => {
    const found = [0, 1000, 6500, 99_000].map((moment) => script.items[lineAt(script.items, moment)]);
    expect(found.map((item) => (item?.kind === 'line' ? item.text : null))).toEqual([
      null,
      'Hello.',
      'Which day would suit',
      'Two are free.',
    ]);
    expect(momentText(25_540)).toBe(25.5);
  });
});

describe('the script of a text session', () => {
  const turns = [
    { events: [node(0, 'a', null), bot(0.1, 'Hello.')] },
    {
      events: [
        { ...user(2, 2, 'Yes.'), payload: { text: 'Yes.', final: true, timestamp: at(2) } },
        ttfb(2.4, 'llm', 0.3),
        node(2.5, 'b', 'a'),
        ttfb(2.8, 'llm', 0.2),
        bot(3, 'Which day?'),
      ],
    },
  ];

  test('an answer took from the question to its text, in which the model thought as often as it was asked', () => {
    const script = readScript(eventsOfSession(turns));
    expect(script).toMatchObject({ isSpoken: false, path: ['a', 'b'], lengthMs: 3000 });
    expect(script.items.at(-1)).toMatchObject({
      text: 'Which day?',
      latencyMs: 1000,
      split: { model: 500, voice: null, rest: 500 },
      isCutOff: false,
    });
  });
});

describe('a log with faults', () => {
  test.each([
    [event('rtf-pipeline-error', 1, { error: 'no voice', fatal: false, processor: 'tts' }), 'tts', false],
    [event('rtf-pipeline-error', 1, { error: 'no call', fatal: true }), null, true],
    [event('extraction_failed', 1, { reason: 'no JSON' }), 'extraction', false],
  ])('shows what failed', (fault, where, isFatal) => {
    expect(readScript([fault]).items).toMatchObject([{ kind: 'fault', where, isFatal }]);
  });

  test('a tool that failed or never answered says so', () => {
    const start = (id: string) =>
      event('rtf-function-call-start', 1, { function_name: 'f', tool_call_id: id });
    const end = event('rtf-function-call-end', 2, {
      tool_call_id: 'one',
      result: { status: 'error', error: 'timeout' },
    });
    expect(readScript([start('one'), start('two'), end]).items).toMatchObject([
      { isDone: true, hasFailed: true },
      { isDone: false, hasFailed: false, ms: null },
    ]);
  });

  test.each([
    [null],
    [{}],
    [{ realtime_feedback_events: 'none' }],
    [{ realtime_feedback_events: [1, null] }],
  ])('nothing is read from %j', (logs) => {
    expect(readScript(eventsIn(logs))).toEqual({
      items: [],
      beganAt: null,
      lengthMs: 0,
      path: [],
      isSpoken: false,
    });
  });
});
