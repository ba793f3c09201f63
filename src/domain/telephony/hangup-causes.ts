import type { Disposition } from '../call/dispositions.ts';
import type { RetryClass } from './retry-class.ts';

/** The outcome of a call whose leg was not ended by this service (contract 8.4). */
export interface LegOutcome {
  disposition: Disposition;
  /**
   * The word in the tag `telephony_<word>`, which accompanies `not_connected` (contract 8.6); null for a
   * connected call.
   */
  word: Disposition | 'rejected' | 'invalid_number' | 'fax' | null;
  retryClass: RetryClass;
}

interface Row {
  unanswered: LegOutcome;
  answered: LegOutcome;
}

const noAnswer: LegOutcome = { disposition: 'no-answer', word: 'no-answer', retryClass: 'no_answer' };
const busy: LegOutcome = { disposition: 'busy', word: 'busy', retryClass: 'busy' };
const failed: LegOutcome = { disposition: 'failed', word: 'failed', retryClass: 'provider' };
const invalidNumber: LegOutcome = { disposition: 'failed', word: 'invalid_number', retryClass: 'never' };
/** A cause that makes no sense for an answered call does not say who ended it. */
const unknown: LegOutcome = { disposition: 'unknown', word: null, retryClass: 'provider' };

/** Every cause: one row each. The adapter of a carrier translates its words into these. */
export const hangupCauses = {
  user_busy: { unanswered: busy, answered: unknown },
  busy: { unanswered: busy, answered: unknown },
  no_answer: { unanswered: noAnswer, answered: unknown },
  timeout: { unanswered: noAnswer, answered: unknown },
  call_rejected: {
    unanswered: { disposition: 'failed', word: 'rejected', retryClass: 'declined' },
    answered: unknown,
  },
  not_found: { unanswered: invalidNumber, answered: unknown },
  unallocated_number: { unanswered: invalidNumber, answered: unknown },
  originator_cancel: {
    unanswered: { disposition: 'canceled', word: 'canceled', retryClass: 'none' },
    answered: unknown,
  },
  normal_clearing: {
    unanswered: noAnswer,
    answered: { disposition: 'user_hangup', word: null, retryClass: 'none' },
  },
  time_limit: {
    unanswered: failed,
    answered: { disposition: 'call_duration_exceeded', word: null, retryClass: 'none' },
  },
  unspecified: { unanswered: failed, answered: unknown },
} as const satisfies Record<string, Row>;

export type HangupCause = keyof typeof hangupCauses;

/**
 * The outcome of an ended leg. An unknown cause counts as `unspecified`; then `isKnown` is false, and the
 * caller logs it.
 */
export function hangupOutcome({
  cause,
  wasAnswered,
}: {
  cause: string;
  wasAnswered: boolean;
}): LegOutcome & { isKnown: boolean } {
  const isKnown = isHangupCause(cause);
  const row: Row = hangupCauses[isKnown ? cause : 'unspecified'];
  // guarantee: hangup-cause-has-one-outcome
  return { ...(wasAnswered ? row.answered : row.unanswered), isKnown };
}

function isHangupCause(cause: string): cause is HangupCause {
  return Object.hasOwn(hangupCauses, cause);
}
