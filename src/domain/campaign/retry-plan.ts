import type { TargetOutcome } from './outcome.ts';
import type { CampaignRulesInput, PublishedRetry } from './settings.ts';

/** What follows an outcome that counts as an attempt of the contact. */
export interface RetryRule {
  /** Before the first further dial, the second …; behind the last one that one counts again. */
  waitsMs: readonly number[];
  /** A contact is dialed again when it was so few times dialed again before; 0 = never. */
  maxRetries: number;
  /** Not before the next day, at the same hour. */
  isNextDay: boolean;
  /** When the waits are used up: in another part of the day than this time. */
  isOtherPartOfDay: boolean;
}

/** What follows a fault of the carrier: it is nobody's attempt. */
export interface FaultRule {
  waitsMs: readonly number[];
  /** Of the same fault at one contact; then it fails. */
  maxRetries: number;
}

/** An outcome that is not in it ends the row. */
export type RetryPlan = Partial<Record<TargetOutcome, RetryRule>>;

/**
 * Outcomes that a plan may have a rule for, besides `provider`. Nobody is dialed again who asked for that,
 * where there is nobody, or where nobody knows whether it rang.
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

/** Of campaigns with rules of their own (docs/campaigns.md). */
export const defaultPlan = {
  no_answer: { waitsMs: [2 * hourMs], maxRetries: 3, isNextDay: false, isOtherPartOfDay: true },
  busy: { waitsMs: [10 * minuteMs, 30 * minuteMs], maxRetries: 3, isNextDay: false, isOtherPartOfDay: false },
  declined: { waitsMs: [], maxRetries: 1, isNextDay: true, isOtherPartOfDay: false },
  voicemail: { waitsMs: [4 * hourMs], maxRetries: 2, isNextDay: false, isOtherPartOfDay: false },
  short_answer: { waitsMs: [], maxRetries: 1, isNextDay: true, isOtherPartOfDay: false },
  // At the time that was asked for; these words are for a time that could not be understood.
  callback: { waitsMs: [], maxRetries: 1, isNextDay: true, isOtherPartOfDay: false },
} as const satisfies RetryPlan;

/** Of what was not the contact's doing: 1, 5, then every 15 minutes. */
const faultWaitsMs = [minuteMs, 5 * minuteMs, 15 * minuteMs];
const providerFaults: FaultRule = { waitsMs: faultWaitsMs, maxRetries: 10 };
/**
 * Somebody was talked to, and the call broke: they are rung again when they were so few times dialed again
 * before.
 */
export const maxAfterAnsweredFault = 3;
/** About a day: what of ours fails so long does not mend by waiting. */
export const ownFaults: FaultRule = { waitsMs: faultWaitsMs, maxRetries: 96 };
/** The carrier has no line now; it is waited for (contract 11.6). */
export const fullCarrier: FaultRule = { waitsMs: faultWaitsMs, maxRetries: Infinity };

/** The plan of contract 11.5. An object that is given has other defaults than one that is not. */
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

/** The defaults, each replaced by what was given for its outcome. */
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

/** The same of faults of the carrier. */
export function ownFaultRule(given: CampaignRulesInput['retry_plan']): FaultRule {
  const rule = given?.['provider'];
  return rule === undefined
    ? providerFaults
    : { waitsMs: rule.waits_seconds.map((seconds) => seconds * 1000), maxRetries: rule.max_retries };
}
