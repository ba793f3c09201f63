import { expect, test } from '@jest/globals';
import { spentByLine } from '../../../tools/bench/provider-time.ts';

const system = { role: 'system', content: 'You are Ava.' };

test('the time of the model is summed up by the last line of the user, with attempts and steps of one turn together', () => {
  const entry = (line: string, receivedAt: string, finishedAt: string | null) => ({
    request: {
      messages: [
        system,
        { role: 'user', content: 'Earlier.' },
        { role: 'assistant', content: 'Yes?' },
        { role: 'user', content: line },
        { role: 'system', content: 'Answer now.' },
      ],
    },
    receivedAt: `2026-11-21T10:00:${receivedAt}Z`,
    finishedAt: finishedAt === null ? null : `2026-11-21T10:00:${finishedAt}Z`,
  });
  const entries = [
    entry('One.', '00.000', '00.350'),
    entry('Two.', '01.000', '01.020'),
    entry('One.', '02.000', '02.100'),
    entry('Three.', '03.000', null),
  ];
  expect([...spentByLine({ entries })]).toEqual([
    ['One.', 450],
    ['Two.', 20],
  ]);
});

test('a request that was refused before it was read counts for no line', () => {
  expect(
    spentByLine({
      entries: [{ request: null, receivedAt: '2026-11-21T10:00:00Z', finishedAt: '2026-11-21T10:00:01Z' }],
    }).size,
  ).toBe(0);
});
