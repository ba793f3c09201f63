import { ProviderError, type ProviderFailureReason } from '../errors.ts';

/**
 * What a failed carrier command means for its caller (contract 8.4, the last rows):
 *  - `capacity`: nothing happened; a limit of the account is reached, and the same command may succeed after
 *    `retryAfterMs`.
 *  - `ended`: the leg is over. Commands whose port says `'over'` return that instead of throwing it.
 *  - `not_answered`: the leg is still ringing; wait for the answer.
 *  - `bad_leg`: the leg does not exist and never will.
 *  - `stream_busy`, `not_streaming`: the leg's one media stream is in use, or there is none.
 *  - `setup`: the account at the carrier is not set up for this; `carrierMessage` says what is missing.
 *  - `bad_number`: nothing happened; the number that was to be dialed is not a number.
 *  - `refused`: nothing happened; `carrierMessage` says why.
 *  - `unknown`: no answer, or an inconclusive one. The command may have been carried out: find out before
 *    sending it again.
 */
export type CarrierOutcome =
  | 'capacity'
  | 'ended'
  | 'not_answered'
  | 'bad_leg'
  | 'stream_busy'
  | 'not_streaming'
  | 'setup'
  | 'bad_number'
  | 'refused'
  | 'unknown';

/**
 * A failed carrier command. `message` consists of fixed words, a status and a code, and may go into logs and
 * histories. `carrierMessage` is the carrier's own text, only for the API's answer and the call's record,
 * because it may contain a phone number.
 */
export class CarrierError extends ProviderError {
  readonly outcome: CarrierOutcome;
  /** The carrier's code of the decisive error, such as `90018` or `D38`; null if it gave none. */
  readonly carrierCode: string | null;
  readonly carrierMessage: string | null;
  /** Null without an answer. */
  readonly httpStatus: number | null;
  /** True if no connection could be made, so that nothing can have happened. */
  readonly neverSent: boolean;

  constructor(
    message: string,
    options: {
      outcome: CarrierOutcome;
      reason: ProviderFailureReason;
      carrierCode?: string | null;
      carrierMessage?: string | null;
      httpStatus?: number | null;
      neverSent?: boolean;
      retryAfterMs?: number | null;
      cause?: unknown;
    },
  ) {
    const { outcome, reason, retryAfterMs = null, cause } = options;
    super(message, {
      provider: 'carrier',
      retryable: isRetryable[outcome],
      reason,
      retryAfterMs,
      ...(cause === undefined ? {} : { cause }),
    });
    this.outcome = outcome;
    this.carrierCode = options.carrierCode ?? null;
    this.carrierMessage = options.carrierMessage ?? null;
    this.httpStatus = options.httpStatus ?? null;
    this.neverSent = options.neverSent ?? false;
  }
}

/**
 * Whether the same command may succeed later. A dial is not simply sent again after `unknown`: its caller
 * looks the leg up first.
 */
const isRetryable: Record<CarrierOutcome, boolean> = {
  capacity: true,
  ended: false,
  not_answered: true,
  bad_leg: false,
  stream_busy: true,
  not_streaming: false,
  setup: false,
  bad_number: false,
  refused: false,
  unknown: true,
};
