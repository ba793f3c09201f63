import type { CarrierEvent } from '../domain/telephony/carrier-event.ts';
import type { CallInput, CallStateAnswer, DialAnswer, TakeAnswer } from '../workflows/call/messages.ts';
import type { CampaignInput } from '../workflows/campaign/messages.ts';

export type { CallInput, DialAnswer, TakeAnswer } from '../workflows/call/messages.ts';
export type { CampaignInput } from '../workflows/campaign/messages.ts';

/**
 * What became of a request to a running call. Expected outcomes are values; Temporal being away is an
 * UnavailableError.
 */
export type SessionOutcome =
  /** Done; MySQL holds the session at this revision. */
  | { kind: 'answered'; revision: number }
  /** Somebody else was first; nothing was changed. */
  | { kind: 'conflict'; actualRevision: number }
  /** The call has ended, or was never admitted. */
  | { kind: 'closed' }
  /** The turn failed (`code` of the error family); nothing was changed and the session stays usable. */
  | { kind: 'failed'; code: string; message: string }
  /**
   * No answer within the wait. The request may still be carried out: the same one, sent again, gets its
   * answer.
   */
  | { kind: 'slow' };

export interface SessionMessage {
  callUuid: string;
  /** The revision that the caller saw. */
  expectedRevision: number;
  /** The same id is carried out once, however often it is sent. At most 100 characters. */
  updateId: string;
  /**
   * Of a request with an idempotency key: what is carried out under this id is not carried out again under
   * another update id.
   */
  requestId?: string | undefined;
}

/**
 * The running calls, as services see them. Each method throws UnavailableError('temporal') when Temporal
 * cannot be reached.
 */
export interface CallStarter {
  /**
   * Starts the call's Workflow and waits for its opening turn. Sent again, it finds the same call; after a
   * failed turn (`failures` of the session) the opening is tried anew.
   */
  openTextSession(input: CallInput, failures?: number): Promise<SessionOutcome>;
  /** One message of the user, and the turn that answers it. */
  sendMessage(message: SessionMessage & { text: string }): Promise<SessionOutcome>;
  /** Back to the turn of that uuid, or before the first turn. */
  rewind(message: SessionMessage & { cursorTurnUuid: string | null }): Promise<SessionOutcome>;
  /** Ends the call and waits until its record is complete. */
  endSession(message: SessionMessage): Promise<SessionOutcome>;
  /**
   * Starts the Workflow of a call by phone, which dials at once, and waits up to 3 s for what the carrier
   * said of it (contract 5.1); `unknown` when that is not known by then: the call goes on. Sent again, it
   * finds the same call. When it throws UnavailableError the call may have been started all the same: it
   * dials only if its row can still be admitted.
   */
  startPhoneCall(input: CallInput): Promise<DialAnswer>;
  /**
   * Starts the Workflow of a call whose row is committed, and waits for nothing of it: in a browser whose
   * host is there (`channel.host`), or of a campaign. Sent again, it finds the same call.
   */
  startCall(input: CallInput): Promise<void>;
  /**
   * Ends a call that goes on, in order: whoever is on its line is hung up, its record is completed. `gone`
   * when it is over or nobody knows it.
   */
  cancelCall(callUuid: string): Promise<'told' | 'gone'>;
  /**
   * Starts the Workflow of an incoming call, which answers it; once for the carrier's `eventId`, however
   * often it comes.
   */
  takeInbound(input: CallInput, eventId: string): Promise<TakeAnswer>;
  /** Tells a call what the carrier told; `gone` when the call is over or nobody knows it. */
  signalCarrierEvent(callUuid: string, event: CarrierEvent): Promise<'told' | 'gone'>;
  /** Tells a call that its media host is lost; of an older generation it changes nothing. */
  seatLost(callUuid: string, seat: { generation: number }): Promise<'told' | 'gone'>;
  /** Asks the Workflow (needs a living worker); null when there is none of that call. */
  describeState(callUuid: string): Promise<CallStateAnswer | null>;
  /** Link to the call in Temporal UI; null when no UI is configured. */
  uiLink(callUuid: string): string | null;
}

/**
 * The campaigns that are paced, as services see them. Each method throws UnavailableError('temporal') when
 * Temporal cannot be reached.
 */
export interface CampaignRuns {
  /** Starts what paces the campaign; one that runs already is woken. */
  start(input: CampaignInput): Promise<void>;
  /** Makes it look at what was changed in MySQL; `gone` when nothing paces the campaign. */
  wake(campaignUuid: string): Promise<'told' | 'gone'>;
}
