import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { VoiceChannel } from '../../domain/call/voice.ts';
import type { CarrierEvent } from '../../domain/telephony/carrier-event.ts';
import type { RetryClass } from '../../domain/telephony/retry-class.ts';
import type { Plan } from '../../domain/graph/plan.ts';
import type { CallContinuation } from './state.ts';

/** How the people in a call talk. A channel is a value: only what must differ looks at `kind`. */
export interface TextChannel {
  kind: 'text';
  /** The session ends by itself after this long without a message (contract 6.10). */
  inactivityTimeoutMs: number;
}

/** Times of a spoken call, instead of the declared ones. */
export interface VoiceTiming {
  mediaResumeMs: number;
  dialReconcileMs: number;
  /** A dial of a campaign that its carrier failed to answer: how long the carrier must know nothing of it. */
  dialDoubtMs: number;
  dialDoubtMaxMs: number;
  /** How long a phone rings at most. */
  ringingMs: number;
  /** How often it is looked whether the stream began, which says that somebody answered. */
  answerLookMs: number;
  carrierQuietMs: number;
  carrierPollMs: number;
  /** How long the greeting of an answering machine is waited for. */
  machineGreetingMs: number;
  /** How long the carrier is given to say whether a line lives whose stream stopped. */
  lineAnswerMs: number;
}

/** Everything a call is pinned to. Ids and structure only: no prompt, no secret, nothing about a person. */
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
  /** Wait before the opening; none when absent. */
  delayedStartMs?: number;
  /** Long histories are summarized for later prompts. */
  summarizes?: boolean;
  /** The customer's endpoint is asked for values before the opening. */
  fetchesBeforeCall?: boolean;
  source: 'editor' | 'api_prod' | 'api_test' | 'inbound' | 'campaign';
  /** Which try of which row it is; absent where no campaign makes the call. */
  campaign?: { campaignUuid: string; rowNumber: number; attemptNumber: number };
  /** Task queue of the webhooks' Workflows, instead of the declared one. */
  deliveryTaskQueue?: string;
  /** Task queue of places at media hosts, instead of the declared one. */
  seatTaskQueue?: string;
  voiceTiming?: Partial<VoiceTiming>;
  /** Turns after which the call goes on in a fresh run; Temporal's own suggestion applies besides. */
  turnsPerRun?: number;
  /** Time after which a QA node's judgment is given up, instead of the declared one. */
  judgmentLimitMs?: number;
  /** Set by continue-as-new only. */
  continued?: CallContinuation;
}

/** Where the call stands after an Update was carried out. */
export interface SessionAnswer {
  revision: number;
  closed: boolean;
}

export interface MessageRequest {
  text: string;
  /** The revision that the sender saw; another one is a conflict. */
  expectedRevision: number;
  /** Of a request with an idempotency key: carried out once. */
  requestId?: string | undefined;
}

export interface EndRequest {
  expectedRevision: number;
}

export interface RewindRequest {
  /** Turn that becomes the last one; null = before the first. */
  cursorTurnUuid: string | null;
  expectedRevision: number;
  /** Of a request with an idempotency key: carried out once. */
  requestId?: string | undefined;
}

/** What `callStateQuery` answers. */
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
  /** What a plan of further attempts makes of it (contract 8.4); absent in text. */
  retryClass?: RetryClass;
}

/** What is known of a dial. `message` completes «Failed to initiate call: »; numbers in it are masked. */
export type DialAnswer = { kind: 'accepted' } | { kind: 'refused'; message: string } | { kind: 'unknown' };

/** What became of an incoming call: its Workflow takes it, or it was never to be taken. */
export type TakeAnswer = 'taken' | 'refused';

/** One line of `transcriptQuery`; the whole transcript is in MySQL. */
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

/** Waits until the carrier took or refused the dial. Asked again, it answers the same. */
export const awaitDialUpdate = defineUpdate<DialAnswer>('awaitDial');
/**
 * An incoming call, once for the carrier's notice of it (the id of the Update is the event's): admits it; it
 * is answered beside.
 */
export const takeCallUpdate = defineUpdate<TakeAnswer>('takeCall');
/** What the carrier tells, in any order and repeated. */
export const carrierEventSignal = defineSignal<[CarrierEvent]>('carrierEvent');
/** The host of that generation is lost: its lease is over. */
export const seatLostSignal = defineSignal<[{ generation: number }]>('seatLost');
