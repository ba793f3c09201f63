import { expect, test } from '@jest/globals';
import { measureReply } from '../../../src/media/speaking/measure-reply.ts';
import { StepClock, type Mark } from '../../../src/media/speaking/step-clock.ts';
import { noMetrics } from '../../../src/runtime/metrics.ts';

const names = [
  'speechEnd',
  'turnDecided',
  'llmSent',
  'llmFirstToken',
  'claimed',
  'ttsSent',
  'ttsFirstByte',
  'firstFrameSent',
] as const satisfies readonly Mark[];

/** Milliseconds of overhead that are measured for a step with these marks. */
function overheadOf(marks: Partial<Record<(typeof names)[number], number>>): number[] {
  const measured: number[] = [];
  const clock = new StepClock({ nowMs: () => 0, clock: { now: () => new Date() } }, 0);
  for (const name of names) if (marks[name] !== undefined) clock.mark(name, marks[name]);
  measureReply(
    {
      ...noMetrics,
      observe: (name, _labels, value) =>
        void (name === 'parlance_reply_overhead_seconds' && measured.push(Math.round(value * 1000))),
    },
    clock,
  );
  return measured;
}

const asked = { speechEnd: 0, turnDecided: 800, llmSent: 200, llmFirstToken: 560, claimed: 850 };

test.each([
  [
    'model and voice answered after the decision excludes the wait for both',
    { ...asked, llmSent: 700, llmFirstToken: 1060, ttsSent: 1065, ttsFirstByte: 1215, firstFrameSent: 1220 },
    [10],
  ],
  [
    'the sound came after the claim is almost zero',
    { ...asked, ttsSent: 801, ttsFirstByte: 951, firstFrameSent: 953 },
    [3],
  ],
  [
    'the sound waited for the claim is that wait',
    { ...asked, claimed: 1000, ttsSent: 801, ttsFirstByte: 951, firstFrameSent: 1002 },
    [52],
  ],
  [
    'the sound was made before the call is the whole time',
    { ...asked, ttsFirstByte: 851, firstFrameSent: 852 },
    [52],
  ],
  [
    'the caller had not spoken is not measured',
    { claimed: 850, ttsSent: 851, ttsFirstByte: 951, firstFrameSent: 953 },
    [],
  ],
])('the overhead of a reply when %s', (_when, marks, expected) => {
  expect(overheadOf(marks)).toEqual(expected);
});
