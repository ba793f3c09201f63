import type { Intervention } from '../domain/call/intervention.ts';
import type { CarrierEvent } from '../domain/telephony/carrier-event.ts';
import type { CallInput, CallStateAnswer, DialAnswer, TakeAnswer } from '../workflows/call/messages.ts';
import type { CampaignInput } from '../workflows/campaign/messages.ts';

export type { CallInput, DialAnswer, TakeAnswer } from '../workflows/call/messages.ts';
export type { CampaignInput } from '../workflows/campaign/messages.ts';

/**
 * Outcome of a request to a running call. Expected outcomes are values; an unavailable Temporal is an
 * UnavailableError.
 */
export type SessionOutcome =
  /** Done; MySQL holds the session at this revision. */
  | { kind: 'answered'; revision: number }
  /** Another request was first; nothing was changed. */
  | { kind: 'conflict'; actualRevision: number }
  /** The call has ended or was never admitted. */
  | { kind: 'closed' }
  /** The turn failed (`code` of the error family); nothing was changed and the session stays usable. */
  | { kind: 'failed'; code: string; message: string }
  /** No answer within the wait. The request may still be carried out; repeating it returns its answer. */
  | { kind: 'slow' };

export interface SessionMessage {
  callUuid: string;
  /** The revision that the caller saw. */
  expectedRevision: number;
  /** An id is carried out once, even if it is sent repeatedly. At most 100 characters. */
  updateId: string;
  /**
   * From a request with an idempotency key. A request that was carried out under this id is not repeated
   * under another update id.
   */
  requestId?: string | undefined;
}

/**
 * Starts and controls calls. Each method throws UnavailableError('temporal') when Temporal cannot be reached.
 */
export interface CallStarter {
  /**
   * Starts the call's Workflow and waits for its opening turn. A repeated request finds the same call; after
   * a failed turn (`failures` of the session) the opening is retried.
   */
  openTextSession(input: CallInput, failures?: number): Promise<SessionOutcome>;
  /** One message of the user and the turn that answers it. */
  sendMessage(message: SessionMessage & { text: string }): Promise<SessionOutcome>;
  /** Back to the turn of that uuid, or before the first turn. */
  rewind(message: SessionMessage & { cursorTurnUuid: string | null }): Promise<SessionOutcome>;
  /** Ends the call and waits until its record is complete. */
  endSession(message: SessionMessage): Promise<SessionOutcome>;
  /**
   * Asks a live spoken call to do something, once per `updateId`. Resolves when the call has accepted it; `gone` if it
   * is over or does not exist.
   */
  intervene(request: {
    callUuid: string;
    intervention: Intervention;
    updateId: string;
  }): Promise<'delivered' | 'gone'>;
  /**
   * Starts the Workflow of a phone call, which dials at once, and waits up to 3 s for the carrier's answer
   * (contract 5.1); `unknown` when there is none by then, while the call continues. A repeated request finds
   * the same call. After an UnavailableError the call may still have been started; it dials only if its row
   * can still be admitted.
   */
  startPhoneCall(input: CallInput): Promise<DialAnswer>;
  /**
   * Starts the Workflow of a call whose row is committed, without waiting for it: a browser call whose host
   * is known (`channel.host`), or a call of a campaign. A repeated request finds the same call.
   */
  startCall(input: CallInput): Promise<void>;
  /**
   * Ends a live call in order: its leg is hung up and its record is completed. `gone` if it has ended or
   * does not exist.
   */
  cancelCall(callUuid: string): Promise<'delivered' | 'gone'>;
  /** Starts the Workflow of an incoming call, which answers it; once per `eventId` of the carrier. */
  takeInbound(input: CallInput, eventId: string): Promise<TakeAnswer>;
  /** Delivers a carrier event to a call; `gone` if the call has ended or does not exist. */
  signalCarrierEvent(callUuid: string, event: CarrierEvent): Promise<'delivered' | 'gone'>;
  /** Tells a call that its stream has begun, which proves that it was answered. `at`: ISO 8601. */
  mediaBegan(callUuid: string, media: { at: string }): Promise<'delivered' | 'gone'>;
  /** Reports to a call that its media host is lost; an older generation changes nothing. */
  seatLost(callUuid: string, seat: { generation: number }): Promise<'delivered' | 'gone'>;
  /** Queries the Workflow (needs a running worker); null when the call has none. */
  describeState(callUuid: string): Promise<CallStateAnswer | null>;
  /** Link to the call in Temporal UI; null when no UI is configured. */
  uiLink(callUuid: string): string | null;
}

/**
 * Runs the pacers of campaigns. Each method throws UnavailableError('temporal') when Temporal cannot be
 * reached.
 */
export interface CampaignRuns {
  /** Starts the campaign's Workflow, or wakes it if it is already running. */
  start(input: CampaignInput): Promise<void>;
  /** Makes the Workflow read changes from MySQL; `gone` when the campaign has no running Workflow. */
  wake(campaignUuid: string): Promise<'delivered' | 'gone'>;
}
