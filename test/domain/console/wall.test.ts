import { expect, test } from '@jest/globals';
import type { LiveRun } from '../../../src/contract/calls.ts';
import { glanceAt, inOrder, wallSearch } from '../../../console/src/screens/live/signs.ts';

const beganMs = Date.UTC(2026, 10, 23, 12);
const at = (second: number) => new Date(beganMs + second * 1000).toISOString();
const event = (type: string, second: number, payload: object) => ({
  type,
  payload,
  timestamp: at(second),
  turn: 0,
});
const agent = (second: number, end: number | null, text: string) =>
  event('rtf-bot-text', second, {
    text,
    timestamp: at(second),
    ...(end === null ? {} : { end_timestamp: at(end) }),
  });
const node = (second: number, id: string) =>
  event('rtf-node-transition', second, { node_id: id, node_name: id, previous_node_id: null });
const tool = (second: number, status: string) => [
  event('rtf-function-call-start', second, { function_name: 'find_slots', tool_call_id: String(second) }),
  event('rtf-function-call-end', second + 1, {
    function_name: 'find_slots',
    tool_call_id: String(second),
    result: JSON.stringify({ status }),
  }),
];
const run = (events: LiveRun['events'], running: LiveRun['running'] = []): LiveRun => ({
  id: 1,
  workflow_id: 1,
  state: 'running',
  is_completed: false,
  current_node: 'Ask',
  gathered_context: {},
  events,
  running,
  interventions: [],
  moves: [],
});
const kinds = (live: LiveRun, second: number) =>
  glanceAt(live, beganMs + second * 1000).signs.map(({ kind }) => kind);

test('a card has the last words, and whether they are being said', () => {
  const live = run([agent(0, 2, 'Hello.')], [agent(4, null, 'Which day?')]);
  expect(glanceAt(live, beganMs + 5000)).toMatchObject({
    last: { speaker: 'agent', text: 'Which day?' },
    isSpeaking: true,
  });
  expect(glanceAt(undefined, beganMs)).toEqual({ last: null, isSpeaking: false, signs: [] });
});

test.each<[string, LiveRun, number, string[]]>([
  ['that goes well', run([agent(0, 2, 'Hello.')]), 6, []],
  ['in which nobody speaks', run([agent(0, 2, 'Hello.')]), 15, ['silent']],
  ['whose words were never confirmed', run([agent(0, null, 'Hello.')]), 20, ['silent']],
  ['that has not begun', run([]), 60, []],
  [
    'that comes back to a node',
    run([node(0, 'a'), node(1, 'b'), node(2, 'a'), node(3, 'a'), node(4, 'a'), agent(5, 6, 'Again.')]),
    7,
    ['repeats'],
  ],
  ['whose tool failed', run([...tool(0, 'error'), agent(2, 3, 'Sorry.')]), 4, ['toolFailed']],
  ['whose tool failed once', run([...tool(0, 'error'), ...tool(2, 'success'), agent(4, 5, 'Found.')]), 6, []],
])('a call %s has its sign', (_what, live, second, expected) => {
  expect(kinds(live, second)).toEqual(expected);
});

test('the wall puts first what needs a look, and keeps the others in their places', () => {
  const calls = [3, 1, 2].map((id) => ({ id, created_at: at(id) }));
  const ids = (sort: 'look' | 'longest' | 'newest') =>
    inOrder(calls, sort, ({ id }) => id === 2).map(({ id }) => id);
  expect([ids('look'), ids('longest'), ids('newest')]).toEqual([
    [2, 1, 3],
    [1, 2, 3],
    [3, 2, 1],
  ]);
});

test.each([
  [{}, {}],
  [{ sort: 'look', only: 'all', call: 'x' }, {}],
  [
    { sort: 'newest', only: 'look', call: '7' },
    { sort: 'newest', only: 'look', call: 7 },
  ],
])('the address %j says %j', (given, expected) => {
  expect(wallSearch(given)).toEqual(expected);
});
