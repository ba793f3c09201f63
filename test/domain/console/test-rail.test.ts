import { describe, expect, test } from '@jest/globals';
import type { TextSession, TextTurn } from '../../../src/contract/text-sessions.ts';
import { levelOf } from '../../../console/src/live/level.ts';
import {
  branchesOf,
  createTextSession,
  tokensOf,
  type TextRequests,
} from '../../../console/src/live/text-session.ts';
import { readScript } from '../../../console/src/screens/call/script.ts';
import { behaviorOf } from '../../../console/src/screens/editor/rail/behavior.ts';
import { foundIn } from '../../../console/src/screens/editor/rail/found.ts';
import { litOf } from '../../../console/src/screens/editor/rail/lit.ts';
import {
  isDialable,
  missedBecause,
  refusedNumber,
} from '../../../console/src/screens/editor/rail/phone-facts.ts';
import { valuesOfRow } from '../../../console/src/screens/editor/rail/row-values.ts';
import { rowsOf, saidBy } from '../../../console/src/screens/editor/rail/rows.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 23, 12, 0, 0) + second * 1000).toISOString();
const event = (type: string, second: number, payload: object = {}) => ({
  type,
  payload,
  timestamp: at(second),
});
const user = (second: number, text: string) =>
  event('rtf-user-transcription', second, { text, final: true, timestamp: at(second) });
const bot = (second: number, text: string) => event('rtf-bot-text', second, { text, timestamp: at(second) });
const enter = (second: number, id: string, from: string | null) =>
  event('rtf-node-transition', second, { node_id: id, node_name: id.toUpperCase(), previous_node_id: from });
const think = (second: number, seconds: number) =>
  event('rtf-ttfb-metric', second, { ttfb_seconds: seconds, processor: 'llm' });

const typed = [
  enter(0, 'a', null),
  bot(0, 'Hello.'),
  user(2, 'Yes.'),
  enter(2.5, 'b', 'a'),
  think(2.8, 0.3),
  bot(3, 'Good.'),
  bot(3, 'Which day?'),
  user(5, 'Thursday.'),
  think(5.4, 0.4),
  bot(5.5, 'Noted.'),
];

describe('the rows of a test', () => {
  test('join the clauses of an answer, with its node, its wait and the tokens of its turn', () => {
    const rows = rowsOf(readScript(typed), [null, 14, 9]);
    expect(rows.map(({ kind }) => kind)).toEqual([
      'hop',
      'agent',
      'caller',
      'hop',
      'agent',
      'caller',
      'agent',
    ]);
    expect(rows[4]).toEqual({
      kind: 'agent',
      at: 3000,
      text: 'Good. Which day?',
      node: 'B',
      waitMs: 1000,
      split: { model: 300, voice: null, rest: 700 },
      tokens: 14,
      isCut: false,
    });
    expect(rows.flatMap((row) => (row.kind === 'caller' ? [[row.turn, row.text]] : []))).toEqual([
      [1, 'Yes.'],
      [2, 'Thursday.'],
    ]);
    expect(saidBy(rows)).toEqual(['Yes.', 'Thursday.']);
  });

  test('of a call that goes on know how long the model took before its words were heard', () => {
    const live = [
      bot(0, 'Hello.'),
      event('rtf-bot-started-speaking', 0),
      event('rtf-bot-stopped-speaking', 1),
      user(2, 'Yes.'),
      think(2.3, 0.3),
      bot(2.5, 'Good.'),
      event('rtf-bot-started-speaking', 2.5),
      event('rtf-latency-measured', 2.5, { latency_seconds: 0.6 }),
    ];
    expect(rowsOf(readScript(live)).at(-1)).toMatchObject({
      waitMs: 600,
      split: { model: 300, voice: null, rest: 300 },
    });
  });
});

describe('the light of a test', () => {
  const edge = (id: string, source: string, target: string) => ({ id, source, target, data: {} });
  const edges = [edge('ab', 'a', 'b'), edge('ba', 'b', 'a'), edge('bc1', 'b', 'c'), edge('bc2', 'b', 'c')];

  test('numbers every visit, and lights the transitions that were taken', () => {
    const lit = litOf(['a', 'b', 'a'], edges, false);
    expect(lit?.visits).toEqual(
      new Map([
        ['a', [1, 3]],
        ['b', [2]],
      ]),
    );
    expect(lit).toMatchObject({ now: 'a', taken: new Set(['ab', 'ba']), last: 'ba' });
  });

  test('lights no transition if two lead the same way, and no present node after the end', () => {
    expect(litOf(['b', 'c'], edges, true)).toMatchObject({ now: null, taken: new Set(), last: null });
    expect(litOf([], edges, false)).toBeNull();
  });
});

describe('extracted values', () => {
  const extracting = (id: string, ...names: string[]) => ({
    id,
    type: 'agentNode',
    position: { x: 0, y: 0 },
    data: { extraction_enabled: true, extraction_variables: names.map((name) => ({ name, type: 'string' })) },
  });

  test('come from the last words before the conversation left their node, and stay open until they are read', () => {
    const rows = rowsOf(readScript(typed));
    const nodes = [extracting('a', 'consent'), extracting('b', 'day', 'hour'), extracting('c', 'mood')];
    expect(foundIn(nodes, rows, { consent: true, day: 'Thursday', hour: '' })).toEqual([
      { name: 'consent', value: true, turn: 1, at: 2000 },
      { name: 'day', value: 'Thursday', turn: 2, at: 5000 },
      { name: 'hour', value: undefined, turn: 2, at: 5000 },
      { name: 'mood', value: undefined, turn: null, at: null },
    ]);
    expect(foundIn(nodes, rows, null).every(({ value }) => value === undefined)).toBe(true);
  });
});

test('a row of a file gives the values that its call begins with', () => {
  const use = { phone: 'Tel', identifier: 'Nr', opening_line: null, skipped: ['Notes'] };
  const row = { row_number: 3, phone_number: '4930', identifier: 'K7', cells: ['4930', 'K7', 'x', 'Maria'] };
  expect(valuesOfRow(['Tel', 'Nr', 'Notes', 'First'], use, row)).toEqual({
    First: 'Maria',
    first: 'Maria',
    ext_customer_id: 'K7',
    phone_number: '4930',
  });
});

test('a draft behaves the same wherever its nodes lie', () => {
  const draft = (x: number, prompt: string) => ({
    name: 'Agent',
    nodes: [{ id: 'a', type: 'agentNode', position: { x, y: 0 }, data: { prompt } }],
    edges: [],
    rest: {},
    settings: {},
    values: {},
  });
  expect(behaviorOf(draft(0, 'Ask.'))).toEqual(behaviorOf(draft(90, 'Ask.')));
  expect(behaviorOf(draft(0, 'Ask.'))).not.toEqual(behaviorOf(draft(0, 'Tell.')));
});

test('the level of a microphone is 0 in silence and 1 at full sound', () => {
  expect(levelOf(new Int16Array(320))).toBe(0);
  expect(levelOf(new Int16Array(320).fill(32_767))).toBe(1);
  const speech = levelOf(new Int16Array(320).fill(1000));
  expect(speech).toBeGreaterThan(0.3);
  expect(speech).toBeLessThan(0.8);
});

const turn = (id: string, index: number, revision: number): TextTurn => ({
  id,
  status: 'completed',
  created_at: at(index),
  user_message: index === 0 ? null : { text: id, created_at: at(index) },
  assistant_message: { text: 'Well.', created_at: at(index) },
  events: [{ ...bot(index, 'Well.'), turn: index }],
  usage: { llm: { 'simulated|||m': { completion_tokens: 4 }, 'simulated|||n': { completion_tokens: 3 } } },
  checkpoint_after_turn: { revision },
});

const sessionOf = (revision: number, turns: readonly TextTurn[]): TextSession => ({
  workflow_run_id: 7,
  workflow_id: 1,
  name: 'Test',
  mode: 'textchat',
  state: 'running',
  is_completed: false,
  revision,
  initial_context: {},
  gathered_context: {},
  annotations: {},
  session_data: {
    version: 1,
    status: 'idle',
    cursor_turn_id: turns.at(-1)?.id ?? null,
    turns: [...turns],
    discarded_future: [],
    simulator: {},
  },
  checkpoint: {
    version: 1,
    anchor_turn_id: null,
    current_node_id: null,
    messages: [],
    gathered_context: {},
    tool_state: {},
  },
  created_at: at(0),
  updated_at: at(0),
  transcript_erased_at: null,
  variables_erased_at: null,
});

describe('a typed test', () => {
  const opening = turn('opening', 0, 1);
  const first = turn('first', 1, 2);

  function world(answers: Partial<TextRequests>) {
    const asked: unknown[][] = [];
    const note =
      (name: string, answer: () => TextSession) =>
      async (...given: unknown[]) => {
        asked.push([name, ...given]);
        return await Promise.resolve(answer());
      };
    let keys = 0;
    const requests: TextRequests = {
      create: note('create', () => sessionOf(1, [opening])),
      read: note('read', () => sessionOf(5, [opening])),
      say: note('say', () => sessionOf(2, [opening, first])),
      rewind: note('rewind', () => sessionOf(3, [opening])),
      end: note('end', () => ({ ...sessionOf(3, [opening]), is_completed: true })),
      isStale: (fault) => fault instanceof Error && fault.message === 'conflict',
      ...answers,
    };
    const conversation = createTextSession(requests, {
      values: { first_name: 'Maria' },
      newKey: () => `key ${(keys += 1)}`,
    });
    return { asked, conversation };
  }

  test('goes back to before a turn and says the new words on the new revision', async () => {
    const { asked, conversation } = world({});
    await conversation.begin();
    await conversation.say(' Yes. ');
    await conversation.sayInstead('first', 'No.');
    expect(asked.map(([name, ...given]) => [name, ...given])).toMatchObject([
      ['create', { first_name: 'Maria' }, 'key 1'],
      ['say', 7, 'Yes.', { key: 'key 2', revision: 1 }],
      ['rewind', 7, 'opening', { key: 'key 3-rewind', revision: 2 }],
      ['say', 7, 'No.', { key: 'key 3', revision: 3 }],
    ]);
    expect(conversation.get()).toMatchObject({ asked: null, isBusy: false });
  });

  test('keeps words without an answer, and the same words again are the same request', async () => {
    const failures = [new Error('down')];
    const { asked, conversation } = world({
      say: async (...given) => {
        asked.push(['say', ...given]);
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        return await Promise.resolve(sessionOf(2, [opening, first]));
      },
    });
    await conversation.begin();
    await conversation.say('Yes.');
    expect(conversation.get().asked).toMatchObject({ text: 'Yes.', fault: new Error('down') });
    await conversation.say('Yes.');
    expect(conversation.get().asked).toBeNull();
    const said = asked.filter(([name]) => name === 'say');
    expect(said[1]?.[3]).toMatchObject({ key: 'key 2', revision: 1 });
    failures.push(new Error('down'));
    await conversation.say('Again.');
    await conversation.say('Other.');
    expect(asked.at(-1)?.[3]).toMatchObject({ key: 'key 4' });
  });

  test('goes on from the revision of somebody who was faster', async () => {
    const failures = [new Error('conflict')];
    const { asked, conversation } = world({
      say: async (...given) => {
        asked.push(['say', ...given]);
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        return await Promise.resolve(sessionOf(6, [opening]));
      },
    });
    await conversation.begin();
    await conversation.say('Yes.');
    expect(conversation.get().session?.revision).toBe(5);
    await conversation.say('Yes.');
    expect(asked.at(-1)?.[3]).toMatchObject({ key: 'key 3', revision: 5 });
  });

  test('that did not begin can be begun again with the same request', async () => {
    const keys: string[] = [];
    const { conversation } = world({
      create: async (_, key) => {
        keys.push(key);
        if (keys.length === 1) throw new Error('down');
        return await Promise.resolve(sessionOf(1, [opening]));
      },
    });
    await conversation.begin();
    expect(conversation.get().fault).toEqual(new Error('down'));
    await conversation.begin();
    expect(conversation.get()).toMatchObject({ fault: null, session: { workflow_run_id: 7 } });
    expect(keys).toEqual(['key 1', 'key 1']);
  });

  test('shows turns that were taken back as they followed one another', () => {
    const discarded = [turn('b', 2, 3), turn('c', 3, 4), turn('d', 3, 9)];
    expect(branchesOf(discarded).map(({ at: place, turns }) => [place, turns.map(({ id }) => id)])).toEqual([
      [2, ['b', 'c']],
      [3, ['d']],
    ]);
  });

  test("counts the tokens of a turn's answers", () => {
    expect(tokensOf(opening)).toBe(7);
    expect(tokensOf({ usage: {} })).toBeNull();
  });
});

test.each([
  ['+1 202 555 0145', true],
  ['+49 (30) 123-456', true],
  ['12025550145', true],
  ['0301234567', false],
  ['12', false],
  ['my phone', false],
  ['', false],
])('the number %j can be dialed: %s', (number, can) => {
  expect(isDialable(number)).toBe(can);
});

test.each([
  ['busy', ['busy', 'not_connected'], true, 'busy'],
  ['no-answer', ['not_connected'], true, 'noAnswer'],
  ['failed', ['not_connected'], true, 'other'],
  ['user_hangup', ['user_hangup'], true, null],
  [null, ['not_connected'], false, null],
] as const)(
  'a phone test that ended with %s and the tags %j says why it was missed',
  (disposition, tags, isOver, why) => {
    const run = { is_completed: isOver, disposition, gathered_context: { call_tags: [...tags] } };
    expect(missedBecause(run)).toBe(why);
  },
);

test.each([
  [[{ loc: ['body', 'phone_number'], type: 'value_error' }], 'blocked'],
  [[{ loc: ['body', 'phone_number'], type: 'string_pattern_mismatch' }], 'form'],
  [[{ loc: ['body', 'workflow_id'], type: 'missing' }], null],
  ['telephony_not_configured', null],
])('the refusal %j says what is wrong with the number: %s', (detail, wrong) => {
  expect(refusedNumber(detail)).toBe(wrong);
});
