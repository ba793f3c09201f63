import type { TargetOutcome } from './outcome.ts';
import { fullCarrier, maxAfterAnsweredFault, ownFaults, type FaultRule } from './retry-plan.ts';
import { dueAfter } from './retry-time.ts';
import type { CampaignRules } from './rules.ts';
import type { WaitReason } from './wait-reason.ts';
import { intoWindow, type CallingWindow } from './windows.ts';

export interface SettleInput {
  rules: CampaignRules;
  target: {
    /** Spent before the attempt that ended. */
    spentAttempts: number;
    /** Earlier attempts of the row with this same outcome. Only the outcomes in `countsEarlier` use it. */
    sameBefore: number;
  };
  outcome: TargetOutcome;
  /** When the attempt ended. */
  now: Date;
  /**
   * The time that the person asked for (src/domain/campaign/callback-time.ts); null if there is none, or none
   * that can be promised.
   */
  callbackAt: Date | null;
  /** A person answered. A fault that ends such a call spends the attempt. */
  wasAnswered?: boolean;
  /** What the row waits for if the call could not be made; null = as its outcome says. */
  because?: WaitReason | null;
  /** The row is not dialed again if this attempt was canceled: its campaign was stopped. */
  isLast?: boolean;
  /** Zones that the contact may be in; none = unknown. */
  zones: readonly string[];
  /** 0 to 1. Spreads rows that failed together over a fifth of their wait. */
  jitter: number;
}

/**
 * The next state of a target. A waiting target has a due time and a reason. Others have no due time; a
 * `failed` one may have a reason.
 */
export interface Settled {
  state: 'waiting' | 'processed' | 'failed';
  dueAt: Date | null;
  waitReason: WaitReason | null;
  /**
   * The due time by the plan or the promise, without the hours; also set when the window never opens. Null
   * without a further dial.
   */
  notBefore: Date | null;
  /** The retry plan counts the attempt. */
  isSpent: boolean;
}

/** Outcomes whose rule counts how often the row had them before. */
export const countsEarlier: readonly TargetOutcome[] = [
  'provider',
  'capacity',
  'own_fault',
  'canceled',
  'callback',
];

/** Maximum share of a wait that jitter adds. */
const jitterShare = 0.2;
/** How long a row waits that was not dialed, so that it does not loop. */
const notDialedWaitMs = 5000;

/**
 * The next state of a target whose attempt ended. Opt-outs, wrong numbers and invalid numbers are never
 * dialed again.
 */
export function settle(input: SettleInput): Settled {
  const { outcome, now, jitter } = input;
  switch (outcome) {
    case 'opted_out':
    case 'wrong_number':
      return over('processed', { isSpent: true });
    case 'invalid_number':
      return over('failed', { isSpent: true });
    case 'suppressed':
    case 'not_allowed':
      return over('failed', { isSpent: false });
    case 'canceled':
      return input.isLast === true
        ? over('failed', { isSpent: false })
        : afterFault(input, ownFaults, 'retry');
    case 'not_dialed':
      return waits(input, {
        at: later(now, notDialedWaitMs * (1 + jitter)),
        reason: input.because ?? 'retry',
        isSpent: false,
      });
    case 'capacity':
      return afterFault(input, fullCarrier, input.because ?? 'no_line');
    case 'own_fault':
      return afterFault(input, ownFaults, 'retry');
    case 'provider':
      return afterProvider(input);
    case 'callback':
      return afterCallback(input);
    case 'unknown':
      return afterAttempt(input, 'failed');
    case 'reached':
    case 'short_answer':
    case 'no_answer':
    case 'busy':
    case 'declined':
    case 'voicemail':
    case 'voicemail_message':
      return afterAttempt(input, 'processed');
  }
}

function afterFault(input: SettleInput, { waitsMs, maxRetries }: FaultRule, reason: WaitReason): Settled {
  const { target, now, jitter } = input;
  if (target.sameBefore >= maxRetries) return over('failed', { isSpent: false });
  const waitMs = waitsMs[Math.min(target.sameBefore, waitsMs.length - 1)] ?? 0;
  return waits(input, { at: later(now, waitMs * (1 + jitterShare * jitter)), reason, isSpent: false });
}

function afterProvider(input: SettleInput): Settled {
  const { rules, target, wasAnswered: isSpent = false } = input;
  if (!rules.areFaultsRetried) return over('failed', { isSpent });
  if (!isSpent) return afterFault(input, rules.faultRule, 'retry');
  const isLast = rules.maxAttempts !== null && target.spentAttempts + 1 >= rules.maxAttempts;
  if (isLast || target.spentAttempts >= maxAfterAnsweredFault) return over('failed', { isSpent });
  return { ...afterFault(input, rules.faultRule, 'retry'), isSpent };
}

/** A promised callback has its own count, whatever else was attempted. */
function afterCallback(input: SettleInput): Settled {
  const { rules, target, now, callbackAt, zones } = input;
  const rule = rules.plan.callback;
  if (rule === undefined || target.sameBefore >= rule.maxRetries) return over('processed', { isSpent: true });
  const at =
    callbackAt ?? dueAfter({ rule, spentAttempts: target.sameBefore, now, window: rules.window, zones });
  return waits(input, { at, reason: 'callback', isSpent: true });
}

function afterAttempt(input: SettleInput, end: 'processed' | 'failed'): Settled {
  const { rules, target, outcome, now, zones } = input;
  const rule = rules.plan[outcome];
  const isLast = rules.maxAttempts !== null && target.spentAttempts + 1 >= rules.maxAttempts;
  // guarantee: retry-config-limits-retries
  if (rule === undefined || target.spentAttempts >= rule.maxRetries || isLast)
    return over(end, { isSpent: true });
  return waits(input, {
    at: dueAfter({ rule, spentAttempts: target.spentAttempts, now, window: rules.window, zones }),
    reason: 'retry',
    isSpent: true,
  });
}

function waits(
  { rules, zones, now }: SettleInput,
  { at, reason, isSpent }: { at: Date; reason: WaitReason; isSpent: boolean },
): Settled {
  return { ...postpone({ window: rules.window, zones, now, at, reason }), notBefore: at, isSpent };
}

/**
 * A row that is not dialed now because of its plan, a cap or its window. It is due at `at`, or when the
 * window opens next. If the window never opens again, the row fails at once. `reason` is why it waits until
 * `at`.
 */
export function postpone({
  window,
  zones,
  now,
  at,
  reason,
}: {
  window: CallingWindow;
  zones: readonly string[];
  now: Date;
  at: Date;
  reason: WaitReason;
}): Omit<Settled, 'isSpent' | 'notBefore'> {
  const from = at < now ? now : at;
  const dueAt = intoWindow(window, { zones, at: from });
  // guarantee: never-open-window-fails-target
  if (dueAt === null) return { state: 'failed', dueAt: null, waitReason: 'window_never_opens' };
  const isMoved = dueAt > from && reason !== 'callback';
  return { state: 'waiting', dueAt, waitReason: isMoved ? 'outside_window' : reason };
}

function over(state: 'processed' | 'failed', { isSpent }: { isSpent: boolean }): Settled {
  return { state, dueAt: null, waitReason: null, notBefore: null, isSpent };
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
