import { ProviderError, type ProviderFailureReason } from '../errors.ts';

/**
 * What a failed carrier command means for whoever sent it (contract 8.4, the last rows):
 *  - `capacity`: nothing happened; a limit of the account is reached, the same command may pass after
 *    `retryAfterMs`.
 *  - `ended`: the leg is over. Commands whose port says `'over'` return that instead of throwing it.
 *  - `not_answered`: the leg still rings; wait for the answer.
 *  - `bad_leg`: no such leg, now or ever.
 *  - `stream_busy`, `not_streaming`: the leg's one media stream is in use, or there is none.
 *  - `setup`: the account at the carrier is not set up for this; `carrierMessage` tells the user what is
 *    missing.
 *  - `refused`: nothing happened; the carrier says why in `carrierMessage`.
 *  - `unknown`: no answer, or one that says nothing. The command may have happened: look before sending it
 *    again.
 */
export type CarrierOutcome =
  | 'capacity'
  | 'ended'
  | 'not_answered'
  | 'bad_leg'
  | 'stream_busy'
  | 'not_streaming'
  | 'setup'
  | 'refused'
  | 'unknown';

/**
 * A carrier command that failed. `message` is fixed words, a status and a code, fit for logs and histories;
 * `carrierMessage` are the carrier's words, for the API's answer and the call's own record only: they may
 * name a number.
 */
export class CarrierError extends ProviderError {
  readonly outcome: CarrierOutcome;
  /** The carrier's code of the error that decided, such as `90018` or `D38`; null when it gave none. */
  readonly carrierCode: string | null;
  readonly carrierMessage: string | null;
  /** Null when there was no answer. */
  readonly httpStatus: number | null;
  /** There was no connection to send it over: nothing can have happened. */
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
 * Whether the same command may succeed later. A dial is never sent again on an `unknown`: its caller looks
 * the leg up first.
 */
const isRetryable: Record<CarrierOutcome, boolean> = {
  capacity: true,
  ended: false,
  not_answered: true,
  bad_leg: false,
  stream_busy: true,
  not_streaming: false,
  setup: false,
  refused: false,
  unknown: true,
};
