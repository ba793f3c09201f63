import { describe, expect, test } from '@jest/globals';
import { replan, type PlannedTarget } from '../../../src/domain/campaign/replan.ts';
import { rulesOf } from '../../../src/domain/campaign/rules.ts';
import type { CampaignSettings } from '../../../src/domain/campaign/settings.ts';

const settledAt = new Date('2026-11-23T10:00:00Z');
const minutes = (count: number) => new Date(settledAt.getTime() + count * 60_000);
const rules = (change: Partial<CampaignSettings>) =>
  rulesOf(
    {
      retry_config: null,
      max_concurrency: null,
      schedule_config: null,
      circuit_breaker: null,
      rules: null,
      ...change,
    },
    {},
  );
/** Busy once, by the plan of a published campaign with default settings: again two minutes later. */
const row = (given: Partial<PlannedTarget> = {}): PlannedTarget => ({
  outcome: 'busy',
  spent: 'busy',
  spentAttempts: 1,
  notBefore: minutes(2),
  settledAt,
  zones: [],
  ...given,
});
const said = (given: Partial<PlannedTarget>, change: Partial<CampaignSettings>) => {
  const answer = replan(row(given), rules(change));
  return answer === null
    ? null
    : answer.kind === 'over'
      ? `${answer.state} ${answer.outcome}`
      : answer.notBefore.toISOString().slice(11, 16);
};

describe('after its retry plan has changed, a row', () => {
  test.each<[string, Partial<PlannedTarget>, Partial<CampaignSettings>, string | null]>([
    [
      'is due by the edited plan, counted from the end of its call',
      {},
      { retry_config: { retry_delay_seconds: 600 } },
      '10:10',
    ],
    [
      'stays as it was if the plan says the same',
      {},
      { retry_config: { max_retries: 5, retry_delay_seconds: 120 } },
      null,
    ],
    [
      'is due by the edited plan while the hours never open',
      {},
      {
        retry_config: { retry_delay_seconds: 600 },
        schedule_config: { timezone: 'UTC', slots: [] },
      },
      '10:10',
    ],
    ['is over when there are no retries', {}, { retry_config: { enabled: false } }, 'processed busy'],
    [
      'is over when its outcome is no longer retried',
      {},
      { retry_config: { retry_on_busy: false } },
      'processed busy',
    ],
    [
      'is over when it had as many dials as the edited plan allows',
      { spentAttempts: 2 },
      { retry_config: { max_retries: 1 } },
      'processed busy',
    ],
    [
      'is over when it has spent its maximum of attempts',
      { spentAttempts: 2 },
      { rules: { max_attempts: 2 } },
      'processed busy',
    ],
    [
      'is over by its last spent attempt when a later attempt was held back',
      { outcome: 'not_dialed' },
      { retry_config: { enabled: false } },
      'processed busy',
    ],
    [
      'keeps the wait of an attempt that was held back while the spent one is retried',
      { outcome: 'not_dialed', notBefore: minutes(1) },
      { retry_config: { retry_delay_seconds: 600 } },
      null,
    ],
    [
      'keeps a promised callback',
      { outcome: 'callback', spent: 'callback' },
      { retry_config: { enabled: false } },
      null,
    ],
    [
      'keeps the wait after a fault without an earlier spent attempt',
      { outcome: 'provider', spent: null, spentAttempts: 0 },
      { retry_config: { enabled: false } },
      null,
    ],
    [
      'that was never dialed is not affected',
      { outcome: null, spent: null, spentAttempts: 0, settledAt: null, notBefore: null },
      { retry_config: { enabled: false } },
      null,
    ],
  ])('%s', (_, given, change, expected) => {
    expect(said(given, change)).toBe(expected);
  });
});
