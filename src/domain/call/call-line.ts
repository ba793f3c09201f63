import { ownText, type JsonObject } from '../graph/definition.ts';

/**
 * Between which numbers a call is held and over which connection: columns of the call. `initial_context`
 * repeats them for templates and for clients (contract 5.3, 6.4); the service never reads them back from
 * there.
 */
export interface CallLine {
  /** The carrier connection; null outside phone calls. */
  configurationId: number | null;
  /** The organization's number: the one that the person sees, or that was called. Null outside phone calls. */
  phoneNumberId: number | null;
  /** Who calls. Of an outbound call the number that the person sees, in E.164; null until it is dialed. */
  callerNumber: string | null;
  /** Who is called, as the client or the carrier wrote it. */
  calledNumber: string | null;
}

/**
 * The line of a conversation that has none yet: numbers that test values or the request name for a rehearsal.
 * They are shown and searched, never dialed.
 */
export function rehearsedLine(initialContext: JsonObject): CallLine {
  return {
    configurationId: null,
    phoneNumberId: null,
    callerNumber: ownText(initialContext, 'caller_number') ?? null,
    calledNumber: ownText(initialContext, 'called_number') ?? null,
  };
}
