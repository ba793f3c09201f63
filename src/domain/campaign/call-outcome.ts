import type { RetryClass } from '../telephony/retry-class.ts';
import type { NotDialed } from './not-dialed.ts';
import type { TargetOutcome } from './outcome.ts';
import type { WaitReason } from './wait-reason.ts';

/** What is known of an attempt that has ended. */
export interface CallFacts {
  /** Contract 8.4, or the agent's own words. */
  disposition: string;
  /** `call_tags` (contract 8.6). */
  tags: readonly string[];
  /** Null if the call ended without reporting to its campaign; then the disposition decides. */
  retryClass: RetryClass | null;
  /** Why nothing was dialed; null if something was, as far as known here. */
  notDialed: NotDialed | null;
  /** A dial was sent, and its result is unknown. */
  isInDoubt: boolean;
  wasAnswered: boolean;
  talkedSeconds: number;
  /** The call was refused before it began. */
  wasRefused: boolean;
  /** The call was canceled: its campaign or all dialing was stopped, or an operator ended it. */
  wasStopped: boolean;
  /**
   * Extracted variables: `do_not_call`, `wrong_number`, `voicemail_message_left` (yes or no), `callback_at`
   * (src/domain/campaign/callback-time.ts).
   */
  gathered: Readonly<Record<string, unknown>>;
}

/** A shorter call does not count as a conversation. */
const shortAnswerSeconds = 5;

/**
 * The outcome of an attempt. A person's request goes before the way the call ended: it stands even if the
 * line breaks.
 */
export function outcomeOfCall(facts: CallFacts): TargetOutcome {
  if (facts.notDialed !== null) return notDialedOutcome(facts.notDialed);
  const retryClass = facts.retryClass ?? classOf(facts);
  const wish = wishOf(facts, retryClass);
  if (wish !== null) return wish;
  if (facts.wasStopped && !facts.wasAnswered) return 'canceled';
  if (facts.wasRefused) return facts.retryClass === 'capacity' ? 'capacity' : 'own_fault';
  if (facts.isInDoubt) return 'unknown';
  return outcomeOfClass(facts, retryClass);
}

/** Why a row waits after a call that could not be made; null if only its retry plan makes it wait. */
export function waitReasonOf({
  notDialed,
  disposition,
  retryClass,
  wasAnswered,
}: CallFacts): WaitReason | null {
  if (notDialed === 'carrier_down' || notDialed === 'capped' || notDialed === 'daily_limit') return notDialed;
  if (notDialed === 'fewer_lines') return 'no_line';
  return disposition === 'system_connect_error' && retryClass === 'capacity' && !wasAnswered
    ? 'no_media_host'
    : null;
}

/** Whether a value means yes, in any spelling that models and forms use. */
export function isYes(value: unknown): boolean {
  return (
    value === true ||
    value === 1 ||
    (typeof value === 'string' && ['true', 'yes', '1', 'y'].includes(value.trim().toLowerCase()))
  );
}

function notDialedOutcome(reason: NotDialed): TargetOutcome {
  return reason === 'suppressed' || reason === 'not_allowed' ? reason : 'not_dialed';
}

/** What the person asked for. Only an answered call has such a request. */
function wishOf({ wasAnswered, gathered }: CallFacts, retryClass: RetryClass): TargetOutcome | null {
  if (!wasAnswered || retryClass === 'voicemail' || retryClass === 'never') return null;
  if (isYes(own(gathered, 'do_not_call'))) return 'opted_out';
  if (isYes(own(gathered, 'wrong_number'))) return 'wrong_number';
  const callback = own(gathered, 'callback_at');
  return typeof callback === 'string' && callback.trim() !== '' ? 'callback' : null;
}

function outcomeOfClass(
  { disposition, wasAnswered, talkedSeconds, gathered }: CallFacts,
  retryClass: RetryClass,
): TargetOutcome {
  switch (retryClass) {
    case 'none':
      if (!wasAnswered && (disposition === 'canceled' || disposition === 'system_cancelled'))
        return 'canceled';
      return disposition === 'user_hangup' && talkedSeconds < shortAnswerSeconds ? 'short_answer' : 'reached';
    case 'voicemail':
      return isYes(own(gathered, 'voicemail_message_left')) ? 'voicemail_message' : 'voicemail';
    case 'never':
      return 'invalid_number';
    case 'busy':
    case 'no_answer':
    case 'declined':
    case 'provider':
      return retryClass;
    case 'capacity':
      // The call rang and was answered, so lines were not missing.
      return wasAnswered ? 'provider' : retryClass;
  }
}

/**
 * The retry class of a disposition (contract 8.4). An agent's own dispositions mean that there was a
 * conversation.
 */
function classOf({ disposition, tags }: CallFacts): RetryClass {
  switch (disposition) {
    case 'busy':
      return 'busy';
    case 'no-answer':
      return 'no_answer';
    case 'voicemail_detected':
      return 'voicemail';
    case 'failed':
    case 'error':
      if (tags.includes('telephony_rejected')) return 'declined';
      return tags.includes('telephony_invalid_number') || tags.includes('telephony_fax')
        ? 'never'
        : 'provider';
    case 'unknown':
    case 'pipeline_error':
    case 'unexpected_error':
    case 'system_connect_error':
      return 'provider';
    default:
      return 'none';
  }
}

function own(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
