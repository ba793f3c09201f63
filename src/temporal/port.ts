import type { CallInput, CallStateAnswer } from '../workflows/call/messages.ts';

export type { CallInput } from '../workflows/call/messages.ts';

/** What became of a request to a running call. Expected outcomes are values; Temporal being away is an UnavailableError. */
export type SessionOutcome =
  /** Done; MySQL holds the session at this revision. */
  | { kind: 'answered'; revision: number }
  /** Somebody else was first; nothing was changed. */
  | { kind: 'conflict'; actualRevision: number }
  /** The call has ended, or was never admitted. */
  | { kind: 'closed' }
  /** The turn failed (`code` of the error family); nothing was changed and the session stays usable. */
  | { kind: 'failed'; code: string; message: string }
  /** No answer within the wait. The request may still be carried out: the same one, sent again, gets its answer. */
  | { kind: 'slow' };

export interface SessionMessage {
  callUuid: string;
  /** The revision that the caller saw. */
  expectedRevision: number;
  /** The same id is carried out once, however often it is sent. At most 100 characters. */
  updateId: string;
  /** Of a request with an idempotency key: what is carried out under this id is not carried out again under another update id. */
  requestId?: string | undefined;
}

/** The running calls, as services see them. Each method throws UnavailableError('temporal') when Temporal cannot be reached. */
export interface CallStarter {
  /**
   * Starts the call's Workflow and waits for its opening turn. Sent again, it finds the same call; after a failed turn (`failures` of
   * the session) the opening is tried anew.
   */
  openTextSession(input: CallInput, failures?: number): Promise<SessionOutcome>;
  /** One message of the user, and the turn that answers it. */
  sendMessage(message: SessionMessage & { text: string }): Promise<SessionOutcome>;
  /** Back to the turn of that uuid, or before the first turn. */
  rewind(message: SessionMessage & { cursorTurnUuid: string | null }): Promise<SessionOutcome>;
  /** Ends the call and waits until its record is complete. */
  endSession(message: SessionMessage): Promise<SessionOutcome>;
  /** Asks the Workflow (needs a living worker); null when there is none of that call. */
  describeState(callUuid: string): Promise<CallStateAnswer | null>;
  /** Link to the call in Temporal UI; null when no UI is configured. */
  uiLink(callUuid: string): string | null;
}
