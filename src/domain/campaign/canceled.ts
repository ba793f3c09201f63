import type { TargetOutcome } from './outcome.ts';

/** What is known of an attempt that somebody ended before anybody answered. */
export interface CanceledTry {
  /** Its row is over with it: the campaign itself was stopped, or the person erased. */
  isLast: boolean;
  /** The right to ring the person was taken. */
  wasDialed: boolean;
  /** It was, and nobody knows what became of it. */
  isInDoubt: boolean;
}

/**
 * All dialing may be stopped while a campaign goes on: then whom it did not reach is called later, and nobody
 * blindly.
 */
export function outcomeOfCanceled({ isLast, wasDialed, isInDoubt }: CanceledTry): TargetOutcome {
  if (isLast) return 'canceled';
  // guarantee: whom-such-stop-hung
  if (!wasDialed) return 'not_dialed';
  return isInDoubt ? 'unknown' : 'canceled';
}
