import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Intervention } from '../../domain/call/intervention.ts';
import type { VoiceChannel } from '../../domain/call/voice.ts';
import type { CarrierEvent } from '../../domain/telephony/carrier-event.ts';
import type { RetryClass } from '../../domain/telephony/retry-class.ts';
import type { Plan } from '../../domain/graph/plan.ts';
import type { CallContinuation } from './state.ts';

/** The text channel. Code reads `kind` only where channels must differ. */
export interface TextChannel {
  kind: 'text';
  /** The session ends after this time without a message (contract 6.10). */
  inactivityTimeoutMs: number;
}

/** Times of a spoken call; `CallInput.voiceTiming` replaces the declared ones. */
export interface VoiceTiming {
  /** How long a call waits for its first seat. */
  mediaSeatMs: number;
  /** How long a call whose host was lost waits for the next one. */
  mediaResumeMs: number;
  dialReconcileMs: number;
  /**
   * After a campaign's dial that the carrier failed to answer: how long the carrier must not know the leg
   * before the dial counts as absent.
   */
  dialDoubtMs: number;
  dialDoubtMaxMs: number;
  /** Maximum ringing time. */
  ringingMs: number;
  /** How often to check whether the stream began, which means that the call was answered. */
  answerLookMs: number;
  carrierQuietMs: number;
  carrierPollMs: number;
  /** Maximum wait for the end of an answering machine's greeting. */
  machineGreetingMs: number;
  /** How long the carrier may take to say whether a leg lives after its stream stopped. */
  legStatusTimeoutMs: number;
}

/** Everything that a call is pinned to. Ids and structure only: no prompt, no secret, no personal data. */
export interface CallInput {
  callId: number;
  callUuid: string;
  organizationId: number;
  organizationUuid: string;
  agentUuid: string;
  versionId: number;
  versionNumber: number;
  definitionSha256: string;
  plan: Plan;
  channel: TextChannel | VoiceChannel;
  isTest: boolean;
  /** Wait before the opening; absent = none. */
  delayedStartMs?: number;
  /** Long histories are summarized for later prompts. */
  summarizes?: boolean;
  /** The customer's endpoint supplies values before the opening. */
  fetchesBeforeCall?: boolean;
  source: 'editor' | 'api_prod' | 'api_test' | 'inbound' | 'campaign';
  /** The row and the number of the attempt; absent when no campaign makes the call. */
  campaign?: { campaignUuid: string; rowNumber: number; attemptNumber: number };
  /** Task queue of seats at media hosts; replaces the declared one. */
  seatTaskQueue?: string;
  voiceTiming?: Partial<VoiceTiming>;
  /** Turns after which the call continues in a fresh run, in addition to Temporal's own suggestion. */
  turnsPerRun?: number;
  /** Maximum time for a QA node's judgment; replaces the declared one. */
  judgmentLimitMs?: number;
  /** Set by continue-as-new only. */
  continued?: CallContinuation;
}

/** The state of the call after an Update. */
export interface SessionAnswer {
  revision: number;
  closed: boolean;
}

export interface MessageRequest {
  text: string;
  /** The revision that the sender saw; any other is a conflict. */
  expectedRevision: number;
  /** Of a request with an idempotency key: carried out once. */
  requestId?: string | undefined;
}

export interface EndRequest {
  expectedRevision: number;
}

export interface RewindRequest {
  /** The turn that becomes the last one; null = before the first. */
  cursorTurnUuid: string | null;
  expectedRevision: number;
  /** Of a request with an idempotency key: carried out once. */
  requestId?: string | undefined;
}

/** The answer of `callStateQuery`. */
export interface CallStateAnswer {
  state: 'pending' | 'admitted' | 'talking' | 'ending' | 'ended' | 'refused';
  nodeId: string | null;
  nodeName: string | null;
  revision: number;
  turnCount: number;
  disposition: string | null;
  pendingExtractions: number;
}

/** How a call ended; the result of its Workflow. */
export interface CallResult {
  state: 'ended' | 'refused';
  disposition: string | null;
  turnCount: number;
  revision: number;
  deliveries: number;
  /** Retry class of the disposition (contract 8.4); absent in text. */
  retryClass?: RetryClass;
}

/**
 * The outcome of a dial as far as it is known. `message` completes “Failed to initiate call: ”; numbers in it
 * are masked.
 */
export type DialAnswer = { kind: 'accepted' } | { kind: 'refused'; message: string } | { kind: 'unknown' };

/** The outcome of an incoming call: its Workflow takes it, or it was refused before. */
export type TakeAnswer = 'taken' | 'refused';

/** One transcript line of `transcriptQuery`; the whole transcript is in MySQL. */
export interface TranscriptEntry {
  turnIndex: number;
  speaker: 'user' | 'assistant';
  text: string;
  nodeId: string | null;
  kind: string;
  at: string;
}

export const openSessionUpdate = defineUpdate<SessionAnswer>('openSession');
export const sendMessageUpdate = defineUpdate<SessionAnswer, [MessageRequest]>('sendMessage');
export const rewindUpdate = defineUpdate<SessionAnswer, [RewindRequest]>('rewind');
export const endSessionUpdate = defineUpdate<SessionAnswer, [EndRequest]>('endSession');
export const callStateQuery = defineQuery<CallStateAnswer>('callState');
export const transcriptQuery = defineQuery<TranscriptEntry[]>('transcript');

/** What a supervisor asks of a spoken call. It is accepted at once, and carried out in order. */
export const interveneUpdate = defineUpdate<void, [Intervention]>('intervene');

/** Waits until the carrier has accepted or refused the dial. A repeated Update gets the same answer. */
export const awaitDialUpdate = defineUpdate<DialAnswer>('awaitDial');
/**
 * Takes an incoming call, once per carrier event (the event's id is the Update's id). It returns after the
 * admission; the call is answered independently.
 */
export const takeCallUpdate = defineUpdate<TakeAnswer>('takeCall');
/** A carrier event; events may arrive in any order and repeatedly. */
export const carrierEventSignal = defineSignal<[CarrierEvent]>('carrierEvent');
/** The call's stream has begun, so the call is answered. `at`: ISO 8601. */
export const mediaBeganSignal = defineSignal<[{ at: string }]>('mediaBegan');
/**
 * The host of that generation hangs up the call, because no worker has asked for the next step for a minute.
 */
export const givenUpSignal = defineSignal<[{ generation: number }]>('givenUp');
/** The host of that generation is lost. */
export const seatLostSignal = defineSignal<[{ generation: number }]>('seatLost');
