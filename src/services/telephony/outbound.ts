import type { CallRow } from '../../db/tables/calls.ts';
import type { ModelQuotas } from '../models/index.ts';

/** Dials through one provider. */
export interface OutboundCarrier {
  /**
   * Starts the durable call of a committed, `pending` row, whose initial context names the connection and the
   * callee. Answers once the provider has taken the dial, or after 3 s (contract 5.1). A repeated start of
   * the same row answers for the same call.
   *
   * Throws PreconditionError (400) if the provider refused, UnavailableError if the call could not be
   * started; then it is never dialed.
   */
  startCall: (call: CallRow) => Promise<void>;
}

/** By provider (contract 12.1); a missing provider cannot be dialed with. */
export type OutboundCarriers = ReadonlyMap<string, OutboundCarrier>;

export interface TelephonyDeps {
  carriers: OutboundCarriers;
  /** Replaces `usualCallLimits`. */
  limits?: CallLimits | undefined;
}

/** The maximum number of concurrent phone and web calls of an organization. */
export interface CallLimits {
  /** For calls that requests start (contract 5.2). */
  calls: number;
  /** Extra places that only incoming calls may take; incoming calls may also take free places of `calls`. */
  inboundShare: number;
  /** Dials of an organization per day, unless its dial policy says otherwise; absent = the usual maximum. */
  callsPerDay?: number;
  /** Minutes of its spoken calls per day, likewise. */
  callMinutesPerDay?: number;
  /** How much of the installation's models it may use per day; absent = the usual quotas. */
  quotas?: ModelQuotas;
}

export const usualCallLimits = {
  calls: 10,
  inboundShare: 2,
  callsPerDay: 10_000,
  callMinutesPerDay: 20_000,
} as const satisfies CallLimits;
