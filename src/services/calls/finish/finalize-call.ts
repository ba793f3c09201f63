import type { EntityManager } from 'typeorm';
import { findRow, findRows, updateRows } from '../../../db/rows.ts';
import { callSummaries } from '../../../db/tables/call-summaries.ts';
import { failedTurns, type FailedTurnRow } from '../../../db/tables/failed-turns.ts';
import { wastedUsage } from '../../../db/tables/wasted-usage.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { textSessions } from '../../../db/tables/text-sessions.ts';
import type { TurnRow } from '../../../db/tables/turns.ts';
import { agentVersions, type AgentVersionRow } from '../../../db/tables/agent-versions.ts';
import { readAgentSettings, type AgentSettings } from '../../../domain/agents/settings.ts';
import type { Checkpoint } from '../../../domain/call/checkpoint.ts';
import { costOf } from '../../../domain/call/cost.ts';
import { decideDisposition, type Disposition } from '../../../domain/call/dispositions.ts';
import { externalPbxFields } from '../../../domain/call/external-pbx.ts';
import { callTags, gatheredContext } from '../../../domain/call/gathered-context.ts';
import { keepOptOuts } from '../../../domain/call/opt-out.ts';
import type { ExtractionRequest } from '../../../domain/call/turn.ts';
import type { TargetOutcome } from '../../../domain/campaign/outcome.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { addToday } from '../../identity/index.ts';
import { ownText } from '../../../domain/graph/definition.ts';
import { sendableWebhooks } from '../../../domain/graph/model.ts';
import { liveResults, mergeExtractions, type ExtractionResult } from '../../../domain/extraction/merge.ts';
import { percentile95 } from '../../../domain/usage/percentile.ts';
import { withoutJudgments } from '../../../domain/qa/annotation.ts';
import { judgingNodes } from '../../../domain/qa/node.ts';
import type { ReportCallEnd } from './call-end.ts';
import { eventsOfCall, waitsIn } from './call-log.ts';
import { renderWithin, prepareWithin, type PrepareDeps } from './prepare-deliveries.ts';
import { committingDeliveries } from '../../webhooks/index.ts';
import { lockSession } from '../turns/commit-turn.ts';
import type { CallRef } from '../../kernel/index.ts';
import type { ConversationDeps } from '../turns/deps.ts';
import type { FeedbackEvent } from '../turns/feedback-events.ts';
import { growDispositionCodes } from '../records/grow-disposition-codes.ts';
import { honorOptOut } from '../turns/opt-out.ts';
import { loadAllTurns, sortTurns } from '../turns/scene.ts';
import { closeSpoken, secondsBetween, type ClosedSpoken, type SpokenEnd } from './close-spoken.ts';
import {
  addAmounts,
  addTokens,
  amountsIn,
  isTokens,
  tokensOf,
  type ModelUsage,
  type TokensByModel,
} from '../turns/usage.ts';

export interface FinalizeCallInput extends CallRef {
  /** Why the conversation ended. */
  reason: Disposition;
  /**
   * The model's own reason, when a tool that asks for one ended the conversation; it becomes the disposition
   * (contract 8.4).
   */
  endReason?: string;
  /** The checkpoint at the end; its revision is the last one of the session. */
  checkpoint: Checkpoint;
  extractions: FoundExtraction[];
  failedExtractions: FailedExtraction[];
  /** For a spoken call; absent for a text call. */
  spoken?: SpokenEnd;
}

export interface FoundExtraction extends ExtractionResult {
  usage: ModelUsage | null;
}

export interface FailedExtraction extends ExtractionRequest {
  /** Why it failed; contains no text of the conversation. */
  failed: string;
  usage: ModelUsage | null;
}

export interface Finalized {
  disposition: string;
  durationSec: number;
  /** Number of webhooks to send. */
  webhooks: number;
  /** Whether the webhooks are rendered already: nothing comes between the record and them. */
  areWebhooksPrepared?: true;
  /** The outcome for the campaign; absent for a call without one. */
  targetOutcome?: TargetOutcome;
  /** QA nodes that will judge the call, in graph order; absent when there are none. */
  qaNodes?: QaNodeRef[];
}

export interface QaNodeRef {
  nodeId: string;
  name: string;
}

export interface FinalizeDeps extends Pick<ConversationDeps, 'db' | 'clock' | 'ids' | 'prices'> {
  reportCallEnd: ReportCallEnd;
}

/**
 * Completes the record of an ended call in one transaction (contract 6.5, 6.6, 8.4–8.6): gathered context,
 * disposition, tags, usage, log, the agent's list of dispositions, and the public token when webhooks or QA
 * nodes follow, or for a campaign (6.9). The webhooks of a call that is neither recorded nor judged are
 * rendered in the same transaction.
 */
export async function finalizeCall({
  deps,
  input,
}: {
  deps: FinalizeDeps & PrepareDeps & Pick<ConversationDeps, 'pump'>;
  input: FinalizeCallInput;
}): Promise<Finalized> {
  return await committingDeliveries(deps, async (tx, handover): Promise<Finalized> => {
    // As the Workflow knows for certain: nothing was said, and no model was asked.
    const isUnanswered = input.spoken?.answeredAt === null;
    const { finalized, ended } = await completeWithin(tx, { deps, input, isUnanswered });
    // An answered call stores its recording first, and QA nodes judge before the webhooks (contract 9.1).
    if (finalized.webhooks === 0 || finalized.qaNodes !== undefined || isRecorded(input)) return finalized;
    const { callId, organizationId } = input;
    if (ended === null) await prepareWithin(tx, { deps, input: { callId, organizationId }, handover });
    else await renderWithin(tx, { deps, ...ended, handover });
    return { ...finalized, areWebhooksPrepared: true };
  });
}

/** Media began, so there may be a recording. */
const isRecorded = ({ spoken }: FinalizeCallInput) => spoken !== undefined && spoken.answeredAt !== null;

/** `finalizeCall` inside the caller's transaction. */
export async function finalizeWithin(
  db: EntityManager,
  { deps, input }: { deps: FinalizeDeps; input: FinalizeCallInput },
): Promise<Finalized> {
  return (await completeWithin(db, { deps, input, isUnanswered: false })).finalized;
}

interface Completed {
  finalized: Finalized;
  /** The call as it is now and its graph; null for a call that had ended before. */
  ended: { call: CallRow; definition: AgentVersionRow['definition'] } | null;
}

async function completeWithin(
  db: EntityManager,
  { deps, input, isUnanswered }: { deps: FinalizeDeps; input: FinalizeCallInput; isUnanswered: boolean },
): Promise<Completed> {
  const call = await lockCall(db, input);
  const version = await findRow(db, agentVersions, {
    id: call.versionId,
    organizationId: input.organizationId,
  });
  if (version === null) throw new NotFoundError('The version does not exist');
  const qaNodes = judgingNodes(version.definition).map(({ id: nodeId, name }) => ({ nodeId, name }));
  const followUp = {
    webhooks: sendableWebhooks(version.definition).length,
    ...(qaNodes.length === 0 ? {} : { qaNodes }),
  };
  // guarantee: call-record-completed-once
  if (call.state === 'ended')
    return {
      finalized: { disposition: call.disposition ?? '', durationSec: call.durationSeconds ?? 0, ...followUp },
      ended: null,
    };

  const said = isUnanswered ? nothingSaid : await loadSaid(db, input);
  const spokenPart =
    input.spoken === undefined
      ? null
      : await closeSpoken(db, { call, spoken: input.spoken, endedAt: deps.clock.now() });
  const record = recordOf({
    deps,
    call,
    settings: readAgentSettings(version.settings),
    input,
    ...said,
    followUp,
    spokenPart,
  });
  await updateRows(db, calls, {
    where: { id: call.id, organizationId: call.organizationId },
    change: record,
  });
  if (call.channel === 'text') await closeSession({ db, deps, input });
  await growDispositionCodes(db, call, record.disposition);
  // guarantee: opt-out-read-from-transcript
  await honorOptOut(db, { deps, call: { ...call, gatheredContext: record.gatheredContext } });
  const targetOutcome = await deps.reportCallEnd(db, {
    call: { ...call, ...record },
    workflow: input.spoken,
    at: record.endedAt,
  });
  // guarantee: talked-minutes-count-once
  if (spokenPart !== null && spokenPart.talkedSeconds > 0)
    await addToday(
      { db, organizationId: call.organizationId, now: record.endedAt },
      { talkedSeconds: spokenPart.talkedSeconds },
    );
  return {
    finalized: {
      disposition: record.disposition,
      durationSec: record.durationSeconds ?? 0,
      ...followUp,
      ...(targetOutcome === null ? {} : { targetOutcome }),
    },
    ended: { call: { ...call, ...record }, definition: version.definition },
  };
}

async function lockCall(db: EntityManager, { callId: id, organizationId }: CallRef): Promise<CallRow> {
  const call = await findRow(db, calls, { id, organizationId }, { isLocked: true });
  if (call === null) throw new NotFoundError('The call does not exist');
  return call;
}

interface Ending extends Said {
  deps: FinalizeDeps;
  call: CallRow;
  /** Of the pinned version. */
  settings: AgentSettings;
  input: FinalizeCallInput;
  followUp: Pick<Finalized, 'webhooks' | 'qaNodes'>;
  /** For a spoken call; null for a text call. */
  spokenPart: ClosedSpoken | null;
}

interface Said {
  said: readonly TurnRow[];
  /** Turns that failed. */
  failures: readonly FailedTurnRow[];
  /**
   * Turns that rewinds discarded, summaries, and requests whose answers were unusable: their tokens cost
   * money, too.
   */
  spentBesides: readonly Pick<TurnRow, 'usage'>[];
}

const nothingSaid: Said = { said: [], failures: [], spentBesides: [] };

async function loadSaid(db: EntityManager, input: FinalizeCallInput): Promise<Said> {
  const { callId, organizationId, checkpoint } = input;
  const { live, discarded } = sortTurns(await loadAllTurns({ db }, input), checkpoint);
  const summaries = await findRows(db, callSummaries, { callId, organizationId });
  const wasted = await findRows(db, wastedUsage, { callId, organizationId });
  const failures = await findRows(db, failedTurns, { callId, organizationId });
  return { said: live, failures, spentBesides: [...discarded, ...summaries, ...wasted] };
}

function recordOf(ending: Ending) {
  const { deps, call, settings, input, said, spentBesides, followUp, spokenPart } = ending;
  const { webhooks, qaNodes = [] } = followUp;
  const { checkpoint, reason, endReason } = input;
  const extracted = mergeExtractions(liveResults(checkpoint, input.extractions));
  const disposition = decideDisposition({
    reason: endReason ?? reason,
    extracted,
    recorded: call.disposition,
  });
  const { extracted_variables: _, nodes_visited: __, ...base } = call.gatheredContext;
  const parts = { base, extracted, nodesVisited: checkpoint.nodesVisited };
  const userSpoke = said.some(({ userText }) => userText !== null);
  const tags = callTags({
    disposition,
    userSpoke,
    endCallToolReason: endReason !== undefined,
    notConnected: input.spoken?.word ?? null,
    retryReason: retryReasonOf(call),
    gathered: gatheredContext({ ...parts, outcome: null }),
  });
  const endedAt = deps.clock.now();
  const events = eventsOfCall({ turns: said, failures: ending.failures, checkpoint });
  const isFollowed = webhooks + qaNodes.length > 0 || call.campaignId !== null;
  const durationSeconds =
    spokenPart === null ? secondsBetween(call.startedAt, endedAt) : spokenPart.talkedSeconds;
  const usage = {
    ...usageOf(input, [...said, ...spentBesides]),
    call_duration_seconds: durationSeconds,
  };
  return {
    state: 'ended' as const,
    endedAt,
    disposition,
    tags,
    // guarantee: opt-out-survives-later-extraction
    gatheredContext: keepOptOuts(
      base,
      withPbxFields(settings, gatheredContext({ ...parts, outcome: { disposition, tags } })),
    ),
    usage,
    durationSeconds,
    latencyP95Ms: percentile95(waitsIn(events)),
    costUsd: costOf(usage.llm, deps.prices),
    ...(spokenPart === null ? {} : { answeredAt: spokenPart.answeredAt }),
    logs: logsOf(ending, { events, endedAt }),
    annotations: withoutJudgments(
      call.annotations,
      qaNodes.map(({ nodeId }) => nodeId),
    ),
    publicToken: call.publicToken ?? (isFollowed ? deps.ids.uuid() : null),
  };
}

function logsOf(
  { call, input, spokenPart }: Ending,
  { events, endedAt }: { events: Record<string, unknown>[]; endedAt: Date },
) {
  const { checkpoint, failedExtractions } = input;
  return {
    ...call.logs,
    ...spokenPart?.logs,
    realtime_feedback_events: [
      ...(spokenPart?.events ?? []),
      ...events,
      ...liveResults(checkpoint, failedExtractions).map((each) => failureEvent(each, endedAt)),
    ],
  };
}

/** The retry reason of a campaign's further attempt (contract 8.6). */
function retryReasonOf({ source, initialContext }: CallRow): string | null {
  return source === 'campaign' ? (ownText(initialContext, 'retry_reason') ?? null) : null;
}

/** Adds the fields of an own PBX, whichever carrier the call used (contract 3.2). */
function withPbxFields(
  { externalPbxFieldMappings }: AgentSettings,
  gathered: Record<string, unknown>,
): Record<string, unknown> {
  const fields = externalPbxFields(externalPbxFieldMappings, gathered);
  return fields === null ? gathered : { ...gathered, external_pbx_fields: fields };
}

function usageOf(
  { extractions, failedExtractions }: FinalizeCallInput,
  said: readonly Pick<TurnRow, 'usage'>[],
) {
  const spoken = said.map(({ usage }) => tokensIn(usage));
  const llm = addTokens([
    ...spoken,
    tokensOf([...extractions, ...failedExtractions].map(({ usage }) => usage)),
  ]);
  return {
    llm,
    tts: addAmounts(said.map(({ usage }) => amountsIn(usage, 'tts'))),
    stt: addAmounts(said.map(({ usage }) => amountsIn(usage, 'stt'))),
  };
}

function tokensIn(usage: TurnRow['usage']): TokensByModel {
  return isTokens(usage['llm']) ? usage['llm'] : {};
}

function failureEvent(
  { nodeId, point, throughTurnIndex, failed }: FailedExtraction,
  at: Date,
): FeedbackEvent {
  return {
    type: 'extraction_failed',
    payload: { point, reason: failed },
    timestamp: at.toISOString(),
    turn: throughTurnIndex,
    node_id: nodeId,
  };
}

async function closeSession({
  db,
  deps,
  input,
}: {
  db: EntityManager;
  deps: Pick<FinalizeDeps, 'clock'>;
  input: FinalizeCallInput;
}): Promise<void> {
  const session = await lockSession(db, input);
  const { callId, organizationId, checkpoint } = input;
  await updateRows(db, textSessions, {
    where: { callId, organizationId },
    change: {
      status: 'completed',
      revision: Math.max(session.revision, checkpoint.revision),
      checkpoint,
      updatedAt: deps.clock.now(),
    },
  });
}
