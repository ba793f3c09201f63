import type { TargetOutcome } from './outcome.ts';
import type { CampaignRulesInput, PublishedRetry } from './settings.ts';

/** What follows an outcome of a spent attempt. */
export interface RetryRule {
  /** Before the first retry, the second and so on. The last wait repeats. */
  waitsMs: readonly number[];
  /** Maximum number of retries; 0 = never. */
  maxRetries: number;
  /** Not before the next day, at the same hour. */
  isNextDay: boolean;
  /** After the last wait: in another part of the day than this time. */
  isOtherPartOfDay: boolean;
}

/** What follows a fault of the carrier, which spends no attempt. */
export interface FaultRule {
  waitsMs: readonly number[];
  /** Of the same fault at one contact; then the row fails. */
  maxRetries: number;
}

/** An outcome without a rule ends the row. */
export type RetryPlan = Partial<Record<TargetOutcome, RetryRule>>;

/**
 * Outcomes that a plan may have a rule for, besides `provider`. There is no rule for contacts who asked not
 * to be called, for numbers that cannot be called, and for attempts that may have rung.
 */
export const plannedOutcomes = [
  'no_answer',
  'busy',
  'declined',
  'voicemail',
  'voicemail_message',
  'short_answer',
  'reached',
] as const satisfies readonly TargetOutcome[];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The plan of campaigns with rules of their own (docs/campaigns.md). */
export const defaultPlan = {
  no_answer: { waitsMs: [2 * hourMs], maxRetries: 3, isNextDay: false, isOtherPartOfDay: true },
  busy: { waitsMs: [10 * minuteMs, 30 * minuteMs], maxRetries: 3, isNextDay: false, isOtherPartOfDay: false },
  declined: { waitsMs: [], maxRetries: 1, isNextDay: true, isOtherPartOfDay: false },
  voicemail: { waitsMs: [4 * hourMs], maxRetries: 2, isNextDay: false, isOtherPartOfDay: false },
  short_answer: { waitsMs: [], maxRetries: 1, isNextDay: true, isOtherPartOfDay: false },
  // A callback comes at the time that the person asked for. This rule applies if that time could not be
  // understood.
  callback: { waitsMs: [], maxRetries: 1, isNextDay: true, isOtherPartOfDay: false },
} as const satisfies RetryPlan;

/** After faults that are not the contact's: 1, 5, then every 15 minutes. */
const faultWaitsMs = [minuteMs, 5 * minuteMs, 15 * minuteMs];
const providerFaults: FaultRule = { waitsMs: faultWaitsMs, maxRetries: 10 };
/** A contact whose answered call broke is not dialed again after this many spent attempts. */
export const maxAfterAnsweredFault = 3;
/** About a day. A failure of ours that lasts longer does not end by waiting. */
export const ownFaults: FaultRule = { waitsMs: faultWaitsMs, maxRetries: 96 };
/** The carrier has no free line; the row waits for one (contract 11.6). */
export const fullCarrier: FaultRule = { waitsMs: faultWaitsMs, maxRetries: Infinity };

/** The plan of contract 11.5. The defaults differ between a missing object and a given one. */
export function publishedPlan(retry: PublishedRetry | null): RetryPlan {
  const {
    enabled = true,
    max_retries: maxRetries = retry === null ? 1 : 2,
    retry_delay_seconds: delay = 120,
    retry_on_busy: busy = true,
    retry_on_no_answer: noAnswer = true,
    retry_on_voicemail: voicemail = retry !== null,
  } = retry ?? {};
  if (!enabled) return {};
  const rule: RetryRule = { waitsMs: [delay * 1000], maxRetries, isNextDay: false, isOtherPartOfDay: false };
  return {
    ...(busy ? { busy: rule } : {}),
    ...(noAnswer ? { no_answer: rule } : {}),
    ...(voicemail ? { voicemail: rule, voicemail_message: rule } : {}),
  };
}

/** The default plan, with each rule that was given in place of the default for its outcome. */
export function ownPlan(given: CampaignRulesInput['retry_plan']): RetryPlan {
  const entries = plannedOutcomes.flatMap((outcome) => {
    const rule = given?.[outcome];
    return rule === undefined
      ? []
      : [
          [
            outcome,
            {
              waitsMs: rule.waits_seconds.map((seconds) => seconds * 1000),
              maxRetries: rule.max_retries,
              isNextDay: rule.next_day ?? false,
              isOtherPartOfDay: rule.other_part_of_day ?? false,
            },
          ] as const,
        ];
  });
  return { ...defaultPlan, ...Object.fromEntries(entries) };
}

/** The default rule for faults of the carrier, with what was given in its place. */
export function ownFaultRule(given: CampaignRulesInput['retry_plan']): FaultRule {
  const rule = given?.['provider'];
  return rule === undefined
    ? providerFaults
    : { waitsMs: rule.waits_seconds.map((seconds) => seconds * 1000), maxRetries: rule.max_retries };
}
