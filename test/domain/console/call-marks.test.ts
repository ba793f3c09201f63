import { expect, test } from '@jest/globals';
import { isPaused, withMarks } from '../../../console/src/screens/call/marks.ts';
import { readScript } from '../../../console/src/screens/call/script.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 23, 12, 0, 0) + second * 1000).toISOString();
const by = { type: 'user' as const, id: 1, name: 'Ana' };
const asked = (action: 'say' | 'pause' | 'resume' | 'goto', second = 0) => ({
  id: `${action} at ${second}`,
  action,
  requested_at: at(second),
  requested_by: by,
});

test.each<[string, ('say' | 'pause' | 'resume' | 'goto')[], boolean]>([
  ['nobody has silenced', [], false],
  ['somebody has silenced', ['pause', 'say'], true],
  ['speaks again', ['pause', 'resume'], false],
  ['was moved to a node', ['pause', 'goto'], false],
  ['was silenced twice', ['pause', 'resume', 'pause'], true],
])('an agent whom %s: silent = %3$p', (_what, actions, expected) => {
  expect(isPaused(actions.map((action) => asked(action)))).toBe(expected);
});

test('what people asked of a call, and its moves, stand where they happened', () => {
  const line = (second: number, text: string) => ({
    type: 'rtf-bot-text',
    payload: { text, timestamp: at(second) },
    timestamp: at(second),
    turn: 0,
  });
  const script = readScript([line(10, 'Hello.'), line(14, 'One moment.')]);
  const items = withMarks(script, {
    interventions: [asked('pause', 20), asked('say', 13), asked('say', 5)],
    moves: [at(12)],
  });
  expect(items.map(({ kind, at: ms }) => [kind, ms])).toEqual([
    ['line', 0],
    ['mark', 0],
    ['mark', 2000],
    ['mark', 3000],
    ['line', 4000],
    ['mark', 10_000],
  ]);
  expect(withMarks(readScript([]), { interventions: [asked('say', 5)], moves: [] })).toEqual([]);
});

test('a node that somebody chose was not reached by a transition', () => {
  const node = (second: number, id: string, from: string | null) => ({
    type: 'rtf-node-transition',
    payload: { node_id: id, node_name: id, previous_node_id: from },
    timestamp: at(second),
    turn: 0,
  });
  const transitions = [
    { source: 'a', target: 'b', label: 'Yes' },
    { source: 'b', target: 'c', label: 'No' },
  ];
  const script = readScript([node(0, 'a', null), node(5, 'b', 'a'), node(9, 'c', 'b')], { transitions });
  const by = withMarks(script, { interventions: [asked('goto', 4)], moves: [] }).flatMap((item) =>
    item.kind === 'hop' ? [item.by] : [],
  );
  expect(by).toEqual([null, null, 'No']);
});
