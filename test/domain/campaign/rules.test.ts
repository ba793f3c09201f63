import { describe, expect, test } from '@jest/globals';
import { rulesOf } from '../../../src/domain/campaign/rules.ts';
import type { CampaignSettings } from '../../../src/domain/campaign/settings.ts';

const nothing: CampaignSettings = {
  retry_config: null,
  max_concurrency: null,
  schedule_config: null,
  circuit_breaker: null,
  rules: null,
};
const rule = (seconds: number, maxRetries: number) => ({
  waitsMs: [seconds * 1000],
  maxRetries,
  isNextDay: false,
  isOtherPartOfDay: false,
});

describe('a campaign of a published client', () => {
  test('has the defaults of the contract without settings: one retry after two minutes, none after a voicemail, and an active breaker', () => {
    const rules = rulesOf(nothing, {});
    expect(rules.plan).toEqual({ busy: rule(120, 1), no_answer: rule(120, 1) });
    expect(rules.breaker).toEqual({ isOn: true, threshold: 0.5, windowMs: 120_000, minCalls: 5 });
    expect(rules).toMatchObject({
      maxAttempts: null,
      areFaultsRetried: false,
      lines: null,
      reservedLines: 0,
      organizationStartsPerSecond: 1,
      startsPerSecond: null,
      weight: 1,
      ramp: null,
      startOrder: 'file',
      fromNumberIds: null,
      agentVersion: 'published',
    });
    expect(rules.caps).toEqual({ perHour: null, perDay: null, perWeek: null });
    expect(rules.window).toEqual({
      campaign: null,
      isInContactZone: false,
      campaignZone: 'UTC',
      policy: null,
      isByContact: false,
    });
  });

  test('has other defaults within a given object: two retries, also after a voicemail', () => {
    expect(rulesOf({ ...nothing, retry_config: {} }, {}).plan).toEqual({
      busy: rule(120, 2),
      no_answer: rule(120, 2),
      voicemail: rule(120, 2),
      voicemail_message: rule(120, 2),
    });
  });

  test.each([
    [{ enabled: false }, {}],
    [
      { retry_on_busy: false, retry_on_voicemail: false, max_retries: 0, retry_delay_seconds: 30 },
      { no_answer: rule(30, 0) },
    ],
    [
      { retry_on_no_answer: false, retry_on_busy: false },
      { voicemail: rule(120, 2), voicemail_message: rule(120, 2) },
    ],
  ])('retries as %j says', (retry_config, plan) => {
    expect(rulesOf({ ...nothing, retry_config }, {}).plan).toEqual(plan);
  });

  test('dials by its schedule in its zone, and at any hour when the schedule is off', () => {
    const schedule_config = {
      timezone: 'Asia/Kolkata',
      slots: [{ day_of_week: 0, start_time: '09:00', end_time: '10:30' }],
    };
    expect(rulesOf({ ...nothing, schedule_config }, {}).window).toEqual({
      campaign: { ranges: [{ from: 540, until: 630 }] },
      isInContactZone: false,
      campaignZone: 'Asia/Kolkata',
      policy: null,
      isByContact: false,
    });
    expect(
      rulesOf({ ...nothing, schedule_config: { ...schedule_config, enabled: false } }, {}).window.campaign,
    ).toBeNull();
  });

  test("keeps to its organization's caps, hours, pace and reserve", () => {
    const rules = rulesOf(nothing, {
      caps: { perHour: 2, perDay: null, perWeek: 9 },
      window: { slots: [{ day: 6, start: '08:00', end: '21:00' }] },
      startsPerSecond: 5,
      reservedLines: 3,
    });
    expect(rules).toMatchObject({
      caps: { perHour: 2, perDay: null, perWeek: 9 },
      organizationStartsPerSecond: 5,
      reservedLines: 3,
    });
    expect(rules.window).toMatchObject({
      policy: { ranges: [{ from: 6 * 1440 + 480, until: 6 * 1440 + 1260 }] },
      isByContact: true,
    });
  });
});

describe('a campaign with rules of its own', () => {
  test('has a plan for each outcome, and caps, unless it sets its own', () => {
    const rules = rulesOf({ ...nothing, rules: {} }, {});
    expect(Object.keys(rules.plan)).toEqual([
      'no_answer',
      'busy',
      'declined',
      'voicemail',
      'short_answer',
      'callback',
    ]);
    expect(rules.caps).toEqual({ perHour: 1, perDay: 3, perWeek: 7 });
    expect(rules.areFaultsRetried).toBe(true);
  });

  test('replaces the plan outcome by outcome; outcomes that are never retried have none', () => {
    const { plan } = rulesOf(
      {
        ...nothing,
        rules: {
          retry_plan: {
            busy: { waits_seconds: [60], max_retries: 5, next_day: true },
            unknown: { waits_seconds: [1], max_retries: 9 },
            opted_out: { waits_seconds: [1], max_retries: 9 },
            invalid_number: { waits_seconds: [1], max_retries: 9 },
          },
        },
      },
      {},
    );
    expect(plan.busy).toEqual({ waitsMs: [60_000], maxRetries: 5, isNextDay: true, isOtherPartOfDay: false });
    expect([plan.unknown, plan.opted_out, plan.invalid_number, plan.no_answer?.maxRetries]).toEqual([
      undefined,
      undefined,
      undefined,
      3,
    ]);
  });

  test('follows a retry_config next to its rules while it has no plan', () => {
    expect(rulesOf({ ...nothing, retry_config: { enabled: false }, rules: { weight: 2 } }, {})).toMatchObject(
      { plan: {}, weight: 2 },
    );
  });

  test("has the stricter of its caps and its organization's", () => {
    expect(
      rulesOf(
        { ...nothing, rules: { caps: { per_hour: null, per_day: 1 } } },
        { caps: { perHour: 4, perDay: 2, perWeek: null } },
      ).caps,
    ).toEqual({ perHour: 4, perDay: 1, perWeek: 7 });
  });

  test("dials in the contact's zone if it says so", () => {
    const schedule_config = { slots: [{ day_of_week: 0, start_time: '09:00', end_time: '10:00' }] };
    expect(
      rulesOf({ ...nothing, schedule_config, rules: { window_zone: 'contact' } }, {}).window,
    ).toMatchObject({ isInContactZone: true, isByContact: true });
    expect(rulesOf({ ...nothing, rules: { window_zone: 'contact' } }, {}).window.isByContact).toBe(false);
  });
});
