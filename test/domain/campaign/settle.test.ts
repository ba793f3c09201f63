import { describe, expect, test } from '@jest/globals';
import {
  processedOutcomes,
  targetOutcomes,
  type TargetOutcome,
} from '../../../src/domain/campaign/outcome.ts';
import { rulesOf } from '../../../src/domain/campaign/rules.ts';
import { countsEarlier, postpone, settle, type SettleInput } from '../../../src/domain/campaign/settle.ts';
import type { CampaignRulesInput, CampaignSettings } from '../../../src/domain/campaign/settings.ts';

const zone = 'Europe/Berlin';
const everyDay = (start_time: string, end_time: string) =>
  Array.from({ length: 7 }, (_, day_of_week) => ({ day_of_week, start_time, end_time }));
const office = { timezone: zone, slots: everyDay('09:00', '20:00') };
const settings = (given: Partial<CampaignSettings> = {}): CampaignSettings => ({
  retry_config: null,
  max_concurrency: null,
  schedule_config: null,
  circuit_breaker: null,
  rules: null,
  ...given,
});
const own = (rules: CampaignRulesInput = {}, given: Partial<CampaignSettings> = {}) =>
  rulesOf(settings({ schedule_config: office, ...given, rules }), {});

/** 10:00 in Berlin, on a Friday. */
const friday = new Date('2026-11-20T09:00:00Z');

function after(
  outcome: TargetOutcome,
  {
    rules = own(),
    spentAttempts = 0,
    sameBefore = 0,
    now = friday,
    callbackAt = null,
    zones = [zone],
    jitter = 0,
    ...besides
  }: Partial<Omit<SettleInput, 'outcome' | 'target'>> & { spentAttempts?: number; sameBefore?: number } = {},
): string {
  const { state, dueAt, waitReason, isSpent } = settle({
    rules,
    target: { spentAttempts, sameBefore },
    outcome,
    now,
    callbackAt,
    zones,
    jitter,
    ...besides,
  });
  return [
    state,
    ...(dueAt === null ? [] : [dueAt.toISOString().slice(0, 19)]),
    ...(waitReason === null ? [] : [waitReason]),
    isSpent ? 'spent' : 'free',
  ].join(' ');
}

describe('a campaign of a published client', () => {
  const published = (retry_config: CampaignSettings['retry_config'] = null) =>
    rulesOf(settings({ retry_config }), {});

  test.each<[TargetOutcome, string]>([
    ['busy', 'waiting 2026-11-20T09:02:00 retry spent'],
    ['no_answer', 'waiting 2026-11-20T09:02:00 retry spent'],
    ['voicemail', 'processed spent'],
    ['reached', 'processed spent'],
    ['short_answer', 'processed spent'],
    ['callback', 'processed spent'],
    ['declined', 'processed spent'],
    ['provider', 'failed free'],
    ['invalid_number', 'failed spent'],
    ['unknown', 'failed spent'],
    ['opted_out', 'processed spent'],
    ['capacity', 'waiting 2026-11-20T09:01:00 no_line free'],
    ['own_fault', 'waiting 2026-11-20T09:01:00 retry free'],
    ['not_dialed', 'waiting 2026-11-20T09:00:05 retry free'],
    ['suppressed', 'failed free'],
    ['canceled', 'waiting 2026-11-20T09:01:00 retry free'],
  ])('follows only the contract after %s', (outcome, expected) => {
    expect(after(outcome, { rules: published() })).toBe(expected);
  });

  test('retries as often as its settings say, and after a voicemail if they say so', () => {
    expect(after('busy', { rules: published(), spentAttempts: 1 })).toBe('processed spent');
    expect(after('busy', { rules: published({ max_retries: 3 }), spentAttempts: 2 })).toBe(
      'waiting 2026-11-20T09:02:00 retry spent',
    );
    expect(after('voicemail', { rules: published({ retry_delay_seconds: 45 }) })).toBe(
      'waiting 2026-11-20T09:00:45 retry spent',
    );
  });
});

describe('the plan of a campaign with rules', () => {
  test.each<[string, TargetOutcome, number, [string, string]]>([
    [
      'no answer: after two hours',
      'no_answer',
      0,
      ['2026-11-20T09:00:00Z', 'waiting 2026-11-20T11:00:00 retry spent'],
    ],
    [
      'then in another part of the day',
      'no_answer',
      1,
      ['2026-11-20T09:00:00Z', 'waiting 2026-11-20T11:00:00 retry spent'],
    ],
    [
      'and again in another part',
      'no_answer',
      2,
      ['2026-11-20T11:30:00Z', 'waiting 2026-11-20T16:00:00 retry spent'],
    ],
    [
      'after the evening, the next morning',
      'no_answer',
      2,
      ['2026-11-20T16:30:00Z', 'waiting 2026-11-21T08:00:00 retry spent'],
    ],
    ['the fourth time without an answer', 'no_answer', 3, ['2026-11-20T09:00:00Z', 'processed spent']],
    [
      'busy: after ten minutes',
      'busy',
      0,
      ['2026-11-20T09:00:00Z', 'waiting 2026-11-20T09:10:00 retry spent'],
    ],
    [
      'busy again: after thirty',
      'busy',
      1,
      ['2026-11-20T09:00:00Z', 'waiting 2026-11-20T09:30:00 retry spent'],
    ],
    ['and so on', 'busy', 2, ['2026-11-20T09:00:00Z', 'waiting 2026-11-20T09:30:00 retry spent']],
    [
      'declined: the next day at the same hour',
      'declined',
      0,
      ['2026-11-20T09:00:00Z', 'waiting 2026-11-21T09:00:00 retry spent'],
    ],
    [
      'also over the night when clocks go back',
      'declined',
      0,
      ['2026-10-24T08:00:00Z', 'waiting 2026-10-25T09:00:00 retry spent'],
    ],
    [
      'and over the night when they go forward',
      'short_answer',
      0,
      ['2026-03-28T09:00:00Z', 'waiting 2026-03-29T08:00:00 retry spent'],
    ],
    ['declined twice', 'declined', 1, ['2026-11-20T09:00:00Z', 'processed spent']],
    [
      'a voicemail: after four hours',
      'voicemail',
      1,
      ['2026-11-20T09:00:00Z', 'waiting 2026-11-20T13:00:00 retry spent'],
    ],
    ['a voicemail with a message', 'voicemail_message', 0, ['2026-11-20T09:00:00Z', 'processed spent']],
    ['reached', 'reached', 0, ['2026-11-20T09:00:00Z', 'processed spent']],
    ['in doubt: never dialed again', 'unknown', 0, ['2026-11-20T09:00:00Z', 'failed spent']],
  ])('%s', (_title, outcome, spentAttempts, [now, expected]) => {
    expect(after(outcome, { spentAttempts, now: new Date(now) })).toBe(expected);
  });

  test('an attempt that falls outside the window is postponed to its next opening, with that reason', () => {
    expect(after('busy', { now: new Date('2026-11-20T18:55:00Z') })).toBe(
      'waiting 2026-11-21T08:00:00 outside_window spent',
    );
  });

  test.each([
    ['11:59:59 is morning, the afternoon is next', 'no_answer', '2026-11-20T10:59:59Z', '11:00:00'],
    ['12:00:00 is afternoon, the evening is next', 'no_answer', '2026-11-20T11:00:00Z', '16:00:00'],
    ['16:59:59 is afternoon, the evening is next', 'no_answer', '2026-11-20T15:59:59Z', '16:00:00'],
  ] as const)('parts of the day: %s', (_title, outcome, now, due) => {
    const rules = own({
      retry_plan: {
        no_answer: { waits_seconds: [0], max_retries: 9, other_part_of_day: true },
      },
    });
    expect(after(outcome, { rules, spentAttempts: 1, now: new Date(now) })).toBe(
      `waiting 2026-11-20T${due} retry spent`,
    );
  });

  test('a window within one part of the day has no other, so only the wait counts', () => {
    const rules = own({}, { schedule_config: { timezone: zone, slots: everyDay('09:00', '11:00') } });
    expect(after('no_answer', { rules, spentAttempts: 1 })).toBe(
      'waiting 2026-11-21T08:00:00 outside_window spent',
    );
  });

  test('the maximum of attempts goes before the plan', () => {
    expect(after('busy', { rules: own({ max_attempts: 2 }), spentAttempts: 1 })).toBe('processed spent');
    expect(after('busy', { rules: own({ max_attempts: 2 }), spentAttempts: 0 })).toBe(
      'waiting 2026-11-20T09:10:00 retry spent',
    );
  });

  test('a window that never opens ends the row at once', () => {
    const rules = own({}, { schedule_config: { timezone: zone, slots: [] } });
    expect(after('busy', { rules })).toBe('failed window_never_opens spent');
    expect(after('not_dialed', { rules })).toBe('failed window_never_opens free');
  });
});

describe('a requested callback', () => {
  test.each([
    ['is made at that time', '2026-11-26T14:00:00Z', 'waiting 2026-11-26T14:00:00 callback spent'],
    [
      'at a time outside the window: when it opens next',
      '2026-11-26T21:00:00Z',
      'waiting 2026-11-27T08:00:00 callback spent',
    ],
    ['in the past: now', '2026-11-20T08:00:00Z', 'waiting 2026-11-20T09:00:00 callback spent'],
  ])('%s', (_title, at, expected) => {
    expect(after('callback', { callbackAt: new Date(at), spentAttempts: 5 })).toBe(expected);
  });

  test('at an unreadable time comes the next day', () => {
    expect(after('callback')).toBe('waiting 2026-11-21T09:00:00 callback spent');
  });

  test('is promised once, whatever the maximum of attempts', () => {
    expect(after('callback', { callbackAt: friday, sameBefore: 1 })).toBe('processed spent');
    expect(after('callback', { callbackAt: friday, rules: own({ max_attempts: 1 }) })).toBe(
      'waiting 2026-11-20T09:00:00 callback spent',
    );
  });
});

test('a row without further attempts is processed for exactly the outcomes with which a stop closes it as processed', () => {
  const none = rulesOf(settings({ retry_config: { enabled: false } }), {});
  const processed = targetOutcomes.filter((outcome) =>
    after(outcome, { rules: none, spentAttempts: 99, sameBefore: 1000 }).startsWith('processed'),
  );
  expect(processed.toSorted()).toEqual([...processedOutcomes].toSorted());
});

describe("faults that are not the contact's", () => {
  test.each<[TargetOutcome, number, number, string]>([
    ['provider', 0, 0, 'waiting 2026-11-20T09:01:00 retry free'],
    ['provider', 0, 1, 'waiting 2026-11-20T09:01:12 retry free'],
    ['provider', 1, 0, 'waiting 2026-11-20T09:05:00 retry free'],
    ['provider', 9, 0, 'waiting 2026-11-20T09:15:00 retry free'],
    ['provider', 10, 0, 'failed free'],
    ['own_fault', 95, 0, 'waiting 2026-11-20T09:15:00 retry free'],
    ['own_fault', 96, 0, 'failed free'],
    ['not_dialed', 0, 0, 'waiting 2026-11-20T09:00:05 retry free'],
    ['not_dialed', 0, 1, 'waiting 2026-11-20T09:00:10 retry free'],
    ['canceled', 0, 0, 'waiting 2026-11-20T09:01:00 retry free'],
    ['canceled', 96, 0, 'failed free'],
    ['capacity', 1000, 0, 'waiting 2026-11-20T09:15:00 no_line free'],
  ])('%s after %i of it, jitter %d', (outcome, sameBefore, jitter, expected) => {
    expect(after(outcome, { sameBefore, jitter })).toBe(expected);
  });

  test.each([
    [0, 0, 'waiting 2026-11-20T09:01:00 retry spent'],
    [1, 1, 'waiting 2026-11-20T09:05:00 retry spent'],
    [2, 0, 'waiting 2026-11-20T09:01:00 retry spent'],
    [3, 1, 'failed spent'],
  ])(
    'a call that breaks after an answer spends an attempt: the %i spent before, and %i such faults, decide whether it is repeated',
    (spentAttempts, sameBefore, expected) => {
      expect(after('provider', { spentAttempts, sameBefore, wasAnswered: true })).toBe(expected);
    },
  );

  test('a contact who was talked to is rung no more often than the maximum of attempts, whatever broke', () => {
    expect(after('provider', { rules: own({ max_attempts: 2 }), spentAttempts: 0, wasAnswered: true })).toBe(
      'waiting 2026-11-20T09:01:00 retry spent',
    );
    expect(after('provider', { rules: own({ max_attempts: 2 }), spentAttempts: 1, wasAnswered: true })).toBe(
      'failed spent',
    );
    expect(after('provider', { rules: rulesOf(settings(), {}), wasAnswered: true })).toBe('failed spent');
  });

  test('a plan says when and how often a fault of the carrier is retried; it still spends no attempt', () => {
    const rules = own({ retry_plan: { provider: { waits_seconds: [30, 600], max_retries: 2 } } });
    expect([0, 1, 2].map((sameBefore) => after('provider', { rules, sameBefore }))).toEqual([
      'waiting 2026-11-20T09:00:30 retry free',
      'waiting 2026-11-20T09:10:00 retry free',
      'failed free',
    ]);
    expect(
      after('provider', {
        rules: own({ retry_plan: { provider: { waits_seconds: [30], max_retries: 0 } } }),
        wasAnswered: true,
      }),
    ).toBe('failed spent');
  });

  test('a fault before an answer is retried whatever attempts were spent', () => {
    expect(after('provider', { rules: own({ max_attempts: 2 }), spentAttempts: 1 })).toBe(
      'waiting 2026-11-20T09:01:00 retry free',
    );
    expect(after('provider', { spentAttempts: 3 })).toBe('waiting 2026-11-20T09:01:00 retry free');
  });

  test('a canceled call of a stopped campaign ends its row without spending an attempt', () => {
    expect(after('canceled', { isLast: true })).toBe('failed free');
  });

  test('a fault after an answer is not retried once the plan allows no more of them', () => {
    const rules = own({ retry_plan: { provider: { waits_seconds: [30], max_retries: 2 } } });
    expect(
      [0, 1, 2].map((sameBefore) => after('provider', { rules, sameBefore, wasAnswered: true })),
    ).toEqual([
      'waiting 2026-11-20T09:00:30 retry spent',
      'waiting 2026-11-20T09:00:30 retry spent',
      'failed spent',
    ]);
  });

  test.each([
    ['not_dialed', 'waiting 2026-11-20T09:00:05 capped free'],
    ['capacity', 'waiting 2026-11-20T09:01:00 carrier_down free'],
  ] as const)('waits after %s for the reason that was given', (outcome, expected) => {
    const because = outcome === 'capacity' ? 'carrier_down' : 'capped';
    expect(after(outcome, { because })).toBe(expected);
  });

  test('spends no attempt, so the plan continues where it was', () => {
    for (const outcome of [
      'provider',
      'capacity',
      'own_fault',
      'not_dialed',
      'suppressed',
      'canceled',
    ] as const)
      expect(after(outcome)).toMatch(/free$/);
  });
});

describe('the time that the plan says without the hours', () => {
  const notBefore = (outcome: TargetOutcome, rules = own()) =>
    settle({
      rules,
      target: { spentAttempts: 0, sameBefore: 0 },
      outcome,
      now: new Date('2026-11-20T18:55:00Z'),
      callbackAt: null,
      zones: [zone],
      jitter: 0,
    }).notBefore;

  test('is kept beside the opening to which the window moves the retry', () => {
    expect(notBefore('busy')).toEqual(new Date('2026-11-20T19:05:00Z'));
  });

  test('is kept where the window never opens', () => {
    const never = own({}, { schedule_config: { timezone: zone, slots: [] } });
    expect(notBefore('busy', never)).toEqual(new Date('2026-11-20T19:05:00Z'));
  });

  test('is absent where the plan has no further dial', () => {
    expect([notBefore('reached'), notBefore('suppressed')]).toEqual([null, null]);
  });
});

test('a row whose wait is over keeps its reason when the window is open', () => {
  const at = new Date(friday.getTime() - 1000);
  expect(postpone({ window: own().window, zones: [zone], now: friday, at, reason: 'capped' })).toEqual({
    state: 'waiting',
    dueAt: friday,
    waitReason: 'capped',
  });
});

test('earlier attempts with the same outcome change only outcomes that count them', () => {
  const changed = targetOutcomes.filter(
    (outcome) => new Set([0, 1, 50, 500].map((sameBefore) => after(outcome, { sameBefore }))).size > 1,
  );
  expect(changed.toSorted()).toEqual([...countsEarlier].toSorted());
});

test.each(['opted_out', 'wrong_number', 'invalid_number', 'suppressed', 'canceled', 'unknown'] as const)(
  'after %s the row is never dialed again, whatever the plan says',
  (outcome) => {
    const rule = { waits_seconds: [60], max_retries: 9 };
    const plan = Object.fromEntries(targetOutcomes.map((each) => [each, rule]));
    expect(
      after(outcome, { rules: own({ retry_plan: plan }), callbackAt: friday, isLast: true }),
    ).not.toMatch(/^waiting/);
  },
);
