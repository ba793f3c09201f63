import { expect, test } from '@jest/globals';
import type { LiveRun } from '../../../src/contract/calls.ts';
import { withNews } from '../../../console/src/live/with-news.ts';

const run = (events: number[]): LiveRun => ({
  id: 5,
  workflow_id: 1,
  state: 'running',
  is_completed: false,
  current_node: 'Start',
  gathered_context: {},
  events: events.map((number) => ({ number })),
  running: [],
  interventions: [],
  moves: [],
});
const news = (from: number, events: number[]) => ({ ...run(events), from });
const numbers = (known: LiveRun | null) => known?.events.map(({ number }) => number) ?? null;

test.each<[string, number[], ReturnType<typeof news>, number[] | null]>([
  ['all of it', [], news(0, [1, 2]), [1, 2]],
  ['what follows', [1, 2], news(2, [3]), [1, 2, 3]],
  ['nothing but words that are being said', [1, 2], news(2, []), [1, 2]],
  ['what follows, again', [1, 2, 3], news(2, [3]), [1, 2, 3]],
  ['another end, after a rewind', [1, 2, 3], news(1, [4]), [1, 4]],
  ['something after a gap', [1], news(3, [4]), null],
])('the stream of a call tells %s', (_what, known, told, expected) => {
  expect(numbers(withNews(run(known), told))).toEqual(expected);
});
