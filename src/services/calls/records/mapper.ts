import type { CreatedWorkflowRun, WebCallOffer, WorkflowRun } from '../../../contract/calls.ts';
import type { CallRow, CallState } from '../../../db/tables/calls.ts';
import { dograhTokens } from '../../../domain/call/cost.ts';
import { own, ownObject } from '../../../domain/graph/definition.ts';
import { recordingKey, type RecordingTrack } from '../../../domain/files/key.ts';
import { callWorkflowId } from '../../../domain/temporal-ids.ts';
import { wireTimestamp } from '../../kernel/index.ts';
import { publicLink, type PublicArtifact } from './public-link.ts';

/** Our states as contract 6.3 names them. */
export const wireCallState = {
  created: 'initialized',
  pending: 'initialized',
  admitted: 'initialized',
  talking: 'running',
  ending: 'running',
  ended: 'completed',
  refused: 'completed',
} as const satisfies Record<CallState, WorkflowRun['state']>;

/** Storage key of a transcript (contract 6.7). Its text is rendered from the turns. */
function transcriptKey(callId: number): string {
  return `transcripts/${callId}.txt`;
}

/**
 * The run record of contract 6.1. A link exists only when its artifact does (6.9). Erased values are null,
 * not empty. A list has no `judgedAgain`.
 */
export function toWorkflowRun(
  call: CallRow,
  publicUrl: string,
  judgedAgain: WorkflowRun['judged_again'] = null,
): WorkflowRun {
  const token = call.publicToken;
  const seconds = wholeSeconds(call);
  const recording = (track: RecordingTrack) =>
    call.recordedAt === null ? null : recordingKey(call.id, track);
  const link = (artifact: PublicArtifact, isThere: boolean) =>
    isThere && token !== null ? publicLink({ publicUrl, token, artifact }) : null;
  const isRecorded = call.recordedAt !== null;
  const kept = (values: Record<string, unknown>) => (call.variablesErasedAt === null ? values : null);
  return {
    id: call.id,
    workflow_id: call.agentId,
    campaign_id: call.campaignId,
    name: call.name,
    mode: call.mode,
    created_at: wireTimestamp(call.createdAt),
    is_completed: wireCallState[call.state] === 'completed',
    state: wireCallState[call.state],
    transcript_url: call.transcriptAvailable ? transcriptKey(call.id) : null,
    recording_url: recording('mix'),
    user_recording_url: recording('user'),
    bot_recording_url: recording('bot'),
    transcript_public_url: link('transcript', call.transcriptAvailable),
    recording_public_url: link('recording', isRecorded),
    user_recording_public_url: link('user_recording', isRecorded),
    bot_recording_public_url: link('bot_recording', isRecorded),
    public_access_token: token,
    cost_info:
      seconds === null
        ? {}
        : {
            dograh_token_usage: dograhTokens(call.costUsd),
            call_duration_seconds: seconds,
            ...(call.costUsd === null ? {} : { charge_usd: call.costUsd }),
          },
    usage_info: call.usage,
    definition_id: call.versionId,
    initial_context: kept(call.initialContext),
    gathered_context: kept(call.gatheredContext),
    call_type: call.direction,
    logs: call.logs,
    annotations: kept(call.annotations),
    judged_again: judgedAgain,
    caller_number: call.callerNumber,
    called_number: call.calledNumber,
    phone_number: textIn(call, 'phone_number'),
    disposition: call.disposition,
    call_duration_seconds: seconds,
    call_id: call.uuid,
    temporal_workflow_id: callWorkflowId(call.uuid),
    transcript_erased_at: call.transcriptErasedAt === null ? null : wireTimestamp(call.transcriptErasedAt),
    variables_erased_at: call.variablesErasedAt === null ? null : wireTimestamp(call.variablesErasedAt),
  };
}

/** The short record of a call that was made ahead (contract 6.2). */
export function toCreatedRun(call: CallRow, webCall: WebCallOffer | null): CreatedWorkflowRun {
  return {
    id: call.id,
    workflow_id: call.agentId,
    name: call.name,
    mode: call.mode,
    created_at: wireTimestamp(call.createdAt),
    definition_id: call.versionId,
    initial_context: call.initialContext,
    web_call: webCall,
  };
}

/** The columns of contract 11.8; `variables` are names of extracted values. */
export function reportHeader(variables: readonly string[]): string[] {
  return [
    'Run ID',
    'Campaign ID',
    'Agent ID',
    'Agent Definition ID',
    'Created At',
    'Phone Number',
    'Call Disposition',
    'Call Duration (s)',
    ...variables,
    'Call Tags',
    'Transcript URL',
    'Recording URL',
  ];
}

/** One row of a report, in the order of `reportHeader`. Missing values are empty. */
export function toReportRow(
  call: CallRow,
  { variables, publicUrl }: { variables: readonly string[]; publicUrl: string },
): string[] {
  const run = toWorkflowRun(call, publicUrl);
  const extracted = ownObject(call.gatheredContext, 'extracted_variables');
  const shown = [
    run.id,
    call.campaignId,
    run.workflow_id,
    run.definition_id,
    run.created_at,
    run.phone_number,
    run.disposition,
    run.call_duration_seconds,
  ];
  return [
    ...shown,
    ...variables.map((name) => own(extracted, name)),
    call.tags.join(', '),
    run.transcript_public_url,
    run.recording_public_url,
  ].map(cellText);
}

/** A value as a cell of a table. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function textIn({ initialContext }: CallRow, key: string): string | null {
  const value = own(initialContext, key);
  return typeof value === 'string' ? value : null;
}

/** Whole seconds (contract 6.1); null until the call has ended. */
const wholeSeconds = ({ durationSeconds }: CallRow): number | null =>
  durationSeconds === null ? null : Math.round(durationSeconds);
