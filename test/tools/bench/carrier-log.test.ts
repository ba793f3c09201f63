import { describe, expect, test } from '@jest/globals';
import type { LogEntry } from '../../support/phone-service.ts';
import {
  acknowledgements,
  answeredLegs,
  interruptions,
  endedLegs,
  greetings,
  hungUpLegs,
  openings,
  silencesAfter,
} from '../../../tools/bench/phone/carrier-log.ts';

let n = 0;
const entry = (at: number, type: string, fields: Record<string, unknown> = {}, legId = 'one'): LogEntry => ({
  n: (n += 1),
  at,
  type,
  legId,
  ...fields,
});

test('a webhook counts as acknowledged when its first attempt is answered, apart from later attempts and other answers', () => {
  const occurredAt = '1970-01-01T00:00:01.000Z';
  const entries = [
    entry(1012, 'webhook', { attempt: 1, outcome: 200, occurredAt }),
    entry(1020, 'webhook', { attempt: 1, outcome: 503, occurredAt }),
    entry(3020, 'webhook', { attempt: 2, outcome: 200, occurredAt }),
    entry(3000, 'webhook', { attempt: 1, outcome: 'timeout', occurredAt }),
  ];
  expect(acknowledgements(entries)).toEqual({ ms: [12, 20, 2000], refused: 2 });
});

test('a greeting is the first sound of each leg', () => {
  const entries = [
    entry(100, 'sound_began', { sinceAnswerMs: 120 }),
    entry(5000, 'sound_began', { sinceAnswerMs: 5020 }),
    entry(300, 'sound_began', { sinceAnswerMs: 140 }, 'two'),
  ];
  expect(greetings(entries)).toEqual([120, 140]);
});

test('an opening lasts from the first stream of a leg to its first sound', () => {
  const started = (at: number, legId = 'one') => entry(at, 'stream', { what: 'started' }, legId);
  const entries = [
    started(100),
    entry(400, 'sound_began'),
    started(2000),
    entry(2100, 'sound_began'),
    started(300, 'two'),
    entry(350, 'sound_began', {}, 'two'),
    started(300, 'three'),
  ];
  expect(openings(entries)).toEqual([300, 50]);
});

describe('an interruption', () => {
  const cleared = (at: number, legId = 'one') => entry(at, 'stream', { what: 'cleared' }, legId);

  test('lasts from what the person says to the `clear` that follows', () => {
    expect(
      interruptions([entry(1000, 'said'), cleared(1180), entry(5000, 'said'), cleared(5210)], { after: 0 }),
    ).toEqual({ ms: [180, 210], missed: 0 });
  });

  test('without a `clear` before the person speaks again counts as missed', () => {
    expect(interruptions([entry(1000, 'said'), entry(5000, 'said'), cleared(5210)], { after: 0 })).toEqual({
      ms: [210],
      missed: 1,
    });
  });

  test('is counted for each leg, and not as part of the words before', () => {
    expect(
      interruptions(
        [
          entry(900, 'said'),
          entry(1000, 'said', {}, 'two'),
          cleared(1100),
          entry(2000, 'said'),
          cleared(2150),
        ],
        { after: 1 },
      ),
    ).toEqual({ ms: [150], missed: 0 });
  });
});

test('the silence after a death ends with the next sound, and buffered sound does not count as the agent speaking again', () => {
  const entries = [
    entry(900, 'sound_began'),
    entry(1100, 'sound_began'),
    entry(2600, 'sound_began'),
    entry(2700, 'sound_began', {}, 'two'),
    entry(1050, 'sound_began', {}, 'three'),
  ];
  expect([...silencesAfter(entries, 1000, ['one', 'two', 'three'])]).toEqual([
    ['one', 1600],
    ['two', 1700],
    ['three', null],
  ]);
});

test('legs are answered and ended by their own entries, and marked as hung up when the person hung up', () => {
  const hungUp = [
    entry(5, 'leg', { state: 'ended', source: 'caller' }),
    entry(6, 'leg', { state: 'ended', source: 'callee' }, 'two'),
    entry(7, 'leg', { state: 'ringing' }, 'three'),
  ];
  expect([[...endedLegs(hungUp)], [...hungUpLegs(hungUp)]]).toEqual([['one', 'two'], ['two']]);
  const entries = [
    entry(1, 'leg', { state: 'ringing' }),
    entry(2, 'leg', { state: 'answered' }),
    entry(3, 'leg', { state: 'answered' }, 'two'),
    entry(4, 'leg', { state: 'ended' }, 'two'),
  ];
  expect([answeredLegs(entries), [...endedLegs(entries)]]).toEqual([['one', 'two'], ['two']]);
});
