import { ownText, type JsonObject } from '../graph/definition.ts';

/**
 * The numbers and the connection of a call, which are columns of its row. `initial_context` repeats them for
 * templates and clients (contract 5.3, 6.4); the service never reads them from there.
 */
export interface CallNumbers {
  /** The carrier connection; null outside phone calls. */
  configurationId: number | null;
  /**
   * The organization's number: the one that the callee sees, or that was called. Null outside phone calls.
   */
  phoneNumberId: number | null;
  /**
   * The caller's number. For an outbound call, the number that the callee sees, in E.164; null until it is
   * dialed.
   */
  callerNumber: string | null;
  /** The callee's number, as the client or the carrier wrote it. */
  calledNumber: string | null;
}

/**
 * The numbers of a test conversation, from test values or the request. They are shown and searched, never
 * dialed.
 */
export function rehearsedNumbers(initialContext: JsonObject): CallNumbers {
  return {
    configurationId: null,
    phoneNumberId: null,
    callerNumber: ownText(initialContext, 'caller_number') ?? null,
    calledNumber: ownText(initialContext, 'called_number') ?? null,
  };
}
