import type { CallRow } from '../../db/tables/calls.ts';

/** What dials through one provider. */
export interface OutboundCarrier {
  /**
   * Starts the durable call of a row that is committed and `pending`: its initial context names the
   * connection and whom to call. Answers once the provider took the dial, or after 3 s (contract 5.1).
   * Started again for the same row, it answers for the same call.
   *
   * Throws PreconditionError (400) when the provider refused, UnavailableError when the call could not be
   * started: it never rings then.
   */
  startCall: (call: CallRow) => Promise<void>;
}

/** By provider (contract 12.1); a provider that is not there cannot be dialed with. */
export type OutboundCarriers = ReadonlyMap<string, OutboundCarrier>;

export interface TelephonyDeps {
  carriers: OutboundCarriers;
  /** Instead of the usual ones. */
  limits?: CallLimits | undefined;
}

/** Calls that are spoken, by phone or in a browser, that an organization may have at once. */
export interface CallLimits {
  /** Begun by requests (contract 5.2). */
  calls: number;
  /** Places beside these that only incoming calls take; they may take free ones of the others, too. */
  inboundShare: number;
}

export const usualCallLimits: CallLimits = { calls: 10, inboundShare: 2 };
