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

const told = (callbacks: readonly object[], sound?: object) => ({
  telephony_status_callbacks: callbacks,
  sound,
});
const connected = { media_began_at: at(4) };
const heard = { ...connected, first_sound_at: at(5) };

describe('the steps of a call by phone', () => {
  const calling = 'answer: later, media: later, sound: later, talk: later, end: later';
  const unanswered = 'dial: done, answer: skipped, media: skipped, sound: skipped, talk: skipped, end: done';
  test.each([
    ['before the carrier has it', 'initialized', null, `dial: now, ${calling}`],
    ['while it is dialed', 'initialized', told([dialed]), `dial: now, ${calling}`],
    [
      'while it rings, if the carrier says so',
      'initialized',
      told([dialed, rings]),
      `dial: done, ring: now, ${calling}`,
    ],
    [
      'once it is answered',
      'initialized',
      told([dialed, answered]),
      'dial: done, answer: now, media: later, sound: later, talk: later, end: later',
    ],
    [
      'once audio flows, also if the carrier has not yet said that it is answered',
      'running',
      told([dialed], connected),
      'dial: done, answer: done, media: now, sound: later, talk: later, end: later',
    ],
    [
      'while they talk, from the first sound on',
      'running',
      told([dialed, answered], heard),
      'dial: done, answer: done, media: done, sound: done, talk: now, end: later',
    ],
    [
      'after a conversation',
      'completed',
      told([dialed, answered, hungUp('normal_clearing')], heard),
      'dial: done, answer: done, media: done, sound: done, talk: done, end: done',
    ],
    [
      'after a call whose audio never came',
      'completed',
      told([dialed, answered, hungUp('normal_clearing')]),
      'dial: done, answer: done, media: skipped, sound: skipped, talk: skipped, end: done',
    ],
    [
      'after a callee who hung up before the agent was heard',
      'completed',
      told([dialed, answered, hungUp('normal_clearing')], { ...connected, first_sound_at: null }),
      'dial: done, answer: done, media: done, sound: skipped, talk: skipped, end: done',
    ],
    [
      'as soon as the carrier says that nobody answered',
      'initialized',
      told([dialed, hungUp('user_busy', '486')]),
      unanswered,
    ],
    ['after nobody answered', 'completed', told([dialed, hungUp('user_busy', '486')]), unanswered],
  ] as const)('are known %s', (_title, state, logs, expected) => {
    const { steps } = stepsOf({ state, logs, gathered_context: null });
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
    expect(busy.steps.map((step) => step.at)).toEqual([at(0), null, null, null, null, at(9)]);
    const talked = stepsOf({
      state: 'completed',
      logs: { telephony_status_callbacks: [dialed, answered, hungUp('normal_clearing')], sound: heard },
      gathered_context: null,
    });
    expect(talked.carrierWords).toBe('normal_clearing');
    expect(talked.steps.map((step) => step.at)).toEqual([at(0), at(4), at(4), at(5), null, at(9)]);
    expect(over([], { error: 'Failed to initiate call: no credit' }).carrierWords).toBe(
      'Failed to initiate call: no credit',
    );
    expect(over([]).carrierWords).toBeNull();
  });
});
