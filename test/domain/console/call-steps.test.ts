import { describe, expect, test } from '@jest/globals';
import { stepsOf } from '../../../console/src/screens/telephony/steps.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, second)).toISOString();
const dialed = { status: 'initiated', timestamp: at(0) };
const rings = { status: 'ringing', timestamp: at(1) };
const answered = { status: 'in-progress', timestamp: at(4) };
const hungUp = (cause: string, sip?: string) => ({
  status: 'completed',
  timestamp: at(9),
  payload: { hangup_cause: cause, ...(sip === undefined ? {} : { sip_hangup_cause: sip }) },
});

describe('the steps of a call by phone', () => {
  test.each([
    ['before the carrier has it', 'initialized', null, 'dial: now, answer: later, talk: later, end: later'],
    ['while it is dialed', 'initialized', [dialed], 'dial: now, answer: later, talk: later, end: later'],
    [
      'while it rings, if the carrier says so',
      'initialized',
      [dialed, rings],
      'dial: done, ring: now, answer: later, talk: later, end: later',
    ],
    [
      'once it is answered',
      'initialized',
      [dialed, answered],
      'dial: done, answer: now, talk: later, end: later',
    ],
    ['while they talk', 'running', [dialed, answered], 'dial: done, answer: done, talk: now, end: later'],
    [
      'after a conversation',
      'completed',
      [dialed, answered, hungUp('normal_clearing')],
      'dial: done, answer: done, talk: done, end: done',
    ],
    [
      'as soon as the carrier says that nobody answered',
      'initialized',
      [dialed, hungUp('user_busy', '486')],
      'dial: done, answer: skipped, talk: skipped, end: done',
    ],
    [
      'after nobody answered',
      'completed',
      [dialed, hungUp('user_busy', '486')],
      'dial: done, answer: skipped, talk: skipped, end: done',
    ],
  ] as const)('are known %s', (_title, state, callbacks, expected) => {
    const { steps } = stepsOf({
      state,
      logs: callbacks === null ? null : { telephony_status_callbacks: callbacks },
      gathered_context: null,
    });
    expect(steps.map(({ id, is }) => `${id}: ${is}`).join(', ')).toBe(expected);
  });

  test("have the carrier's moments and words, and why a call could not be placed", () => {
    const over = (callbacks: readonly object[], gathered: Record<string, unknown> | null = null) =>
      stepsOf({
        state: 'completed',
        logs: { telephony_status_callbacks: callbacks },
        gathered_context: gathered,
      });
    const busy = over([dialed, hungUp('user_busy', '486')]);
    expect(busy.carrierWords).toBe('user_busy · SIP 486');
    expect(busy.steps.map((step) => step.at)).toEqual([at(0), null, null, at(9)]);
    expect(over([dialed, answered, hungUp('normal_clearing')]).carrierWords).toBe('normal_clearing');
    expect(over([], { error: 'Failed to initiate call: no credit' }).carrierWords).toBe(
      'Failed to initiate call: no credit',
    );
    expect(over([]).carrierWords).toBeNull();
  });
});
