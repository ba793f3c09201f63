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
    /**
     * Earlier attempts of the row that ended with this same outcome. Only `countsEarlier` outcomes look at it.
     */
    sameBefore: number;
  };
  outcome: TargetOutcome;
  /** When the attempt ended. */
  now: Date;
  /**
   * The time that was asked for (src/domain/campaign/callback-time.ts); null = none, or none that can be
   * promised.
   */
  callbackAt: Date | null;
  /** Somebody was talked to: a fault that ends such a call is an attempt all the same. */
  wasAnswered?: boolean;
  /** What it waits for, where nobody could be called; null = what its outcome says. */
  because?: WaitReason | null;
  /** Nobody of its row is called again where this attempt was canceled: its campaign was stopped. */
  isLast?: boolean;
  /** That the contact may be in; none = unknown. */
  zones: readonly string[];
  /** 0 to 1: spreads what failed together over a fifth of its wait. */
  jitter: number;
}

/**
 * What becomes of a target. What waits has a moment and a reason, what does not has neither moment; a
 * `failed` one may have the reason.
 */
export interface Settled {
  state: 'waiting' | 'processed' | 'failed';
  dueAt: Date | null;
  waitReason: WaitReason | null;
  /**
   * What the plan, or the promise, says without the hours, also where these never open. Null where neither
   * has a further dial.
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

/** Share of a wait that jitter may add. */
const jitterShare = 0.2;
/** What was not dialed is looked at again so late, so that nothing turns around at once. */
const notDialedWaitMs = 5000;

/**
 * The next state of a target whose attempt ended. Never dialed again: who asked for it, a wrong number, one that
 * is none.
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

/** A promise: it counts for itself alone, whatever else was tried. */
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
  // guarantee: campaign-published-client-retries
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
 * A row that is not dialed now, because of its plan, a cap or its window: due at the moment, or when the
 * window opens next. One that never opens again is said at once: nobody waits for it. `reason` is why it
 * waits until `at`.
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
  // guarantee: nobody-dialed-outside-their
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
