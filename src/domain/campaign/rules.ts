import type { Caps } from './caps.ts';
import type { DialPolicy } from './policy.ts';
import { ownFaultRule, ownPlan, publishedPlan, type FaultRule, type RetryPlan } from './retry-plan.ts';
import type {
  CampaignRulesInput,
  CampaignSettings,
  PublishedBreaker,
  PublishedSchedule,
} from './settings.ts';
import { weeklyHours } from './weekly-hours.ts';
import type { CallingWindow } from './windows.ts';

/** Contract 11.5, `circuit_breaker`: the share of failed calls at which a campaign pauses. */
export interface Breaker {
  isOn: boolean;
  /** 0 to 1; the campaign pauses at this share or above. */
  threshold: number;
  windowMs: number;
  /** Fewer calls in the window are ignored. */
  minCalls: number;
}

/** Lines at the start, and how many are added each minute. */
export interface Ramp {
  lines: number;
  eachMinute: number;
}

/** The complete rules of a campaign, with all defaults filled in. */
export interface CampaignRules {
  window: CallingWindow;
  plan: RetryPlan;
  /**
   * Maximum number of spent attempts of a contact, whatever the plan says. A requested callback is made in
   * any case. Null = as the plan says.
   */
  maxAttempts: number | null;
  /**
   * A fault of the carrier spends no attempt and the contact is dialed again. Otherwise the row fails
   * (contract 11.5 does not retry faults).
   */
  areFaultsRetried: boolean;
  /** When and how often faults are retried. */
  faultRule: FaultRule;
  caps: Caps;
  /** Contacts that another campaign has called within these days are not called; null = they are. */
  skipRecentlyCalledDays: number | null;
  /** Maximum number of lines of this campaign; null = as the organization's limit. */
  lines: number | null;
  /** Lines that campaigns of the organization leave to other calls. */
  reservedLines: number;
  /** Of this campaign; null = as the organization's. */
  startsPerSecond: number | null;
  /** Of all campaigns of the organization together. */
  organizationStartsPerSecond: number;
  weight: number;
  ramp: Ramp | null;
  breaker: Breaker;
  startOrder: 'file' | 'priority' | 'latest_first' | 'closing_window';
  /** Numbers that its calls show; null = all of the connection. */
  fromNumberIds: readonly number[] | null;
  /** `published`: each dial uses the version that is published at that time (contract 11.6). */
  agentVersion: 'published' | 'pinned';
}

/** Contract 11.6: one call per second and organization. */
const defaultStartsPerSecond = 1;
const defaultCaps: Caps = { perHour: 1, perDay: 3, perWeek: 7 };
const noCaps: Caps = { perHour: null, perDay: null, perWeek: null };

/**
 * The rules that a campaign follows. Without `rules` of its own it follows contract 11.5. The organization's
 * caps and hours hold for every campaign.
 */
export function rulesOf(
  {
    retry_config: retry,
    max_concurrency: lines,
    schedule_config: schedule,
    circuit_breaker: breaker,
    rules,
  }: CampaignSettings,
  policy: DialPolicy,
): CampaignRules {
  return {
    window: windowOf(schedule, rules, policy),
    // A retry_config next to rules without a plan expresses what the client wants.
    plan:
      rules === null || (rules.retry_plan === undefined && retry !== null)
        ? publishedPlan(retry)
        : ownPlan(rules.retry_plan),
    maxAttempts: rules?.max_attempts ?? null,
    areFaultsRetried: rules !== null,
    faultRule: ownFaultRule(rules?.retry_plan),
    caps: stricter(policy.caps ?? noCaps, rules === null ? noCaps : capsOf(rules.caps)),
    skipRecentlyCalledDays: rules?.skip_recently_called ?? null,
    lines,
    reservedLines: policy.reservedLines ?? 0,
    startsPerSecond: rules?.starts_per_second ?? null,
    organizationStartsPerSecond: policy.startsPerSecond ?? defaultStartsPerSecond,
    weight: rules?.weight ?? 1,
    ramp: rules?.ramp === undefined ? null : { lines: rules.ramp.lines, eachMinute: rules.ramp.each_minute },
    breaker: breakerOf(breaker),
    startOrder: rules?.start_order ?? 'file',
    fromNumberIds: rules?.from_phone_number_ids ?? null,
    agentVersion: rules?.agent_version ?? 'published',
  };
}

function windowOf(
  schedule: PublishedSchedule | null,
  rules: CampaignRulesInput | null,
  { window }: DialPolicy,
): CallingWindow {
  const isOn = schedule !== null && schedule.enabled !== false;
  const campaign = isOn
    ? weeklyHours(
        schedule.slots.map(({ day_of_week: day, start_time: start, end_time: end }) => ({ day, start, end })),
      )
    : null;
  const policy = window === undefined ? null : weeklyHours(window.slots);
  const isInContactZone = rules?.window_zone === 'contact';
  return {
    campaign,
    isInContactZone,
    campaignZone: schedule?.timezone ?? 'UTC',
    policy,
    isByContact: policy !== null || (isInContactZone && campaign !== null),
  };
}

function breakerOf(given: PublishedBreaker | null): Breaker {
  const {
    enabled = true,
    failure_threshold: threshold = 0.5,
    window_seconds: seconds = 120,
    min_calls_in_window: minCalls = 5,
  } = given ?? {};
  return { isOn: enabled, threshold, windowMs: seconds * 1000, minCalls };
}

/** A missing value means the default, null means unlimited. */
function capsOf(given: CampaignRulesInput['caps']): Caps {
  const {
    per_hour: perHour = defaultCaps.perHour,
    per_day: perDay = defaultCaps.perDay,
    per_week: perWeek = defaultCaps.perWeek,
  } = given ?? {};
  return { perHour, perDay, perWeek };
}

function stricter(one: Caps, other: Caps): Caps {
  const fewer = (first: number | null, second: number | null) =>
    first === null || second === null ? (first ?? second) : Math.min(first, second);
  return {
    perHour: fewer(one.perHour, other.perHour),
    perDay: fewer(one.perDay, other.perDay),
    perWeek: fewer(one.perWeek, other.perWeek),
  };
}
