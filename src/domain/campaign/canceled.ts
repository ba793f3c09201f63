import type { TargetOutcome } from './outcome.ts';

/** What is known of an attempt that was canceled before it was answered. */
export interface CanceledAttempt {
  /** The row ends with this attempt: the campaign was stopped, or the person erased. */
  isLast: boolean;
  /** The attempt had taken the right to dial the number. */
  wasDialed: boolean;
  /** The number was dialed, and the result is unknown. */
  isInDoubt: boolean;
}

/**
 * The outcome of a canceled attempt. If all dialing was stopped while the campaign goes on, contacts that
 * were not reached are called later, but never if they may have been reached.
 */
export function outcomeOfCanceled({ isLast, wasDialed, isInDoubt }: CanceledAttempt): TargetOutcome {
  if (isLast) return 'canceled';
  // guarantee: stopped-ringing-call-spends-no-attempt
  if (!wasDialed) return 'not_dialed';
  return isInDoubt ? 'unknown' : 'canceled';
}
