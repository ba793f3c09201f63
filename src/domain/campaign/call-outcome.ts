import type { RetryClass } from '../telephony/retry-class.ts';
import type { NotDialed } from './not-dialed.ts';
import type { TargetOutcome } from './outcome.ts';
import type { WaitReason } from './wait-reason.ts';

/** What is known of an attempt that is over. */
export interface CallFacts {
  /** Contract 8.4, or the agent's own words. */
  disposition: string;
  /** `call_tags` (contract 8.6). */
  tags: readonly string[];
  /** Null where the end of the call was not told to its campaign: then the disposition decides. */
  retryClass: RetryClass | null;
  /** Why nothing was dialed: null = something was, as far as this goes. */
  notDialed: NotDialed | null;
  /** A dial was sent, and nobody knows what became of it. */
  isInDoubt: boolean;
  wasAnswered: boolean;
  talkedSeconds: number;
  /** The call never began: it was refused before anything of it ran. */
  wasRefused: boolean;
  /** It was canceled: its campaign was stopped, all dialing was, or an operator ended it. */
  wasStopped: boolean;
  /**
   * Extracted variables: `do_not_call`, `wrong_number`, `voicemail_message_left` (yes or no), `callback_at`
   * (src/domain/campaign/callback-time.ts).
   */
  gathered: Readonly<Record<string, unknown>>;
}

/** Whoever hangs up earlier has not been talked to. */
const shortAnswerSeconds = 5;

/**
 * What an attempt came to. What a person asked for goes before how the call ended: a wish stays a wish when the
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

/** What a row waits for whose call could not be made; null = for the plan's time alone. */
export function waitReasonOf({
  notDialed,
  disposition,
  retryClass,
  wasAnswered,
}: CallFacts): WaitReason | null {
  if (notDialed === 'carrier_down' || notDialed === 'capped') return notDialed;
  if (notDialed === 'fewer_lines') return 'no_line';
  return disposition === 'system_connect_error' && retryClass === 'capacity' && !wasAnswered
    ? 'no_media_host'
    : null;
}

/** A yes, however a model or a form writes it. */
export function isYes(value: unknown): boolean {
  return (
    value === true ||
    value === 1 ||
    (typeof value === 'string' && ['true', 'yes', '1', 'y'].includes(value.trim().toLowerCase()))
  );
}

function notDialedOutcome(reason: NotDialed): TargetOutcome {
  return reason === 'suppressed' ? 'suppressed' : 'not_dialed';
}

/** Only of a call that a person answered: nobody else can have said it. */
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
      // Somebody was on the line: it rang, and it is no want of lines.
      return wasAnswered ? 'provider' : retryClass;
  }
}

/** Contract 8.4, read backwards. Words of an agent's own were said of a conversation. */
function classOf({ disposition, tags }: CallFacts): RetryClass {
  switch (disposition) {
    case 'busy':
      return 'busy';
    case 'no-answer':
      return 'no_answer';
    case 'voicemail_detected':
      return 'voicemail';
    case 'failed':
      if (tags.includes('telephony_rejected')) return 'declined';
      return tags.includes('telephony_invalid_number') || tags.includes('telephony_fax')
        ? 'never'
        : 'provider';
    case 'error':
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
