import { EntitySchema } from 'typeorm';
import type { CallNumbers } from '../../domain/call/call-numbers.ts';
import type { CallChannel } from '../../domain/call/channel.ts';
import type { Judging } from '../../domain/qa/judging.ts';
import {
  amount,
  flag,
  id,
  integer,
  json,
  longText,
  nullable,
  reference,
  seconds,
  timestamp,
  uuid,
  word,
} from './columns.ts';

/** `created`: prepared, but not started (contract 6.2). */
export type CallState = 'created' | 'pending' | 'admitted' | 'talking' | 'ending' | 'ended' | 'refused';
export type CallSource = 'editor' | 'api_prod' | 'api_test' | 'inbound' | 'campaign';
export type CallDirection = 'inbound' | 'outbound';

/** One conversation on any channel. Its utterances are in turns. */
export interface CallRow extends CallNumbers {
  id: number;
  uuid: string;
  organizationId: number;
  agentId: number;
  versionId: number;
  /** Null for a call outside campaigns. */
  campaignId: number | null;
  name: string;
  mode: string;
  channel: CallChannel;
  direction: CallDirection;
  source: CallSource;
  state: CallState;
  isTest: boolean;
  initialContext: Record<string, unknown>;
  gatheredContext: Record<string, unknown>;
  usage: Record<string, unknown>;
  logs: Record<string, unknown>;
  annotations: Record<string, unknown>;
  /** The judgments that were asked for after the call's own; null if none was. */
  judging: Judging | null;
  disposition: string | null;
  tags: string[];
  publicToken: string | null;
  transcriptAvailable: boolean;
  createdAt: Date;
  startedAt: Date | null;
  /** When the callee answered; null in text and before the answer. */
  answeredAt: Date | null;
  endedAt: Date | null;
  /**
   * `call_duration_seconds` of `usage`, for filters, order and sums (contract 6.2): without ringing. Null until
   * the call has ended.
   */
  durationSeconds: number | null;
  /**
   * The 95th percentile of the time between the end of a person's words and the agent's reply, in milliseconds. Null
   * without a spoken reply, and until the call has ended.
   */
  latencyP95Ms: number | null;
  /** When the recording's files were complete (contract 6.7); null without a recording. */
  recordedAt: Date | null;
  /** Known once the call has ended and every model that it used has a price. */
  costUsd: number | null;
  /** When the transcript was removed; null while it is stored. */
  transcriptErasedAt: Date | null;
  /** When the values of the call were removed, including webhook bodies; null while they are stored. */
  variablesErasedAt: Date | null;
}

export const calls = new EntitySchema<CallRow>({
  name: 'calls',
  columns: {
    id: id('calls'),
    uuid: uuid(),
    organizationId: reference('organization_id'),
    agentId: reference('agent_id'),
    versionId: reference('version_id'),
    campaignId: nullable(reference('campaign_id')),
    name: longText('name'),
    mode: word('mode', 32),
    channel: word('channel', 16),
    direction: word('direction', 16),
    source: word('source', 16),
    state: word('state', 16),
    isTest: flag('is_test'),
    configurationId: nullable(reference('configuration_id')),
    phoneNumberId: nullable(reference('phone_number_id')),
    callerNumber: nullable(longText('caller_number')),
    calledNumber: nullable(longText('called_number')),
    initialContext: json('initial_context'),
    gatheredContext: json('gathered_context'),
    usage: json('usage_info'),
    logs: json('logs'),
    annotations: json('annotations'),
    judging: nullable(json('judging')),
    disposition: nullable(longText('disposition')),
    tags: json('tags'),
    publicToken: nullable(uuid('public_token')),
    transcriptAvailable: flag('transcript_available'),
    createdAt: timestamp('created_at'),
    startedAt: nullable(timestamp('started_at')),
    answeredAt: nullable(timestamp('answered_at')),
    endedAt: nullable(timestamp('ended_at')),
    durationSeconds: nullable(seconds('duration_seconds')),
    latencyP95Ms: nullable(integer('latency_p95_ms')),
    recordedAt: nullable(timestamp('recorded_at')),
    costUsd: nullable(amount('cost_usd')),
    transcriptErasedAt: nullable(timestamp('transcript_erased_at')),
    variablesErasedAt: nullable(timestamp('variables_erased_at')),
  },
  indices: [
    { name: 'uq_calls_uuid', columns: ['uuid'], unique: true },
    { name: 'uq_calls_public_token', columns: ['publicToken'], unique: true },
    // Lists and sums of an organization: the index has the order of the list and all summed columns.
    {
      name: 'ix_calls_usage',
      columns: ['organizationId', 'createdAt', 'id', 'durationSeconds', 'costUsd'],
    },
    { name: 'ix_calls_agent', columns: ['organizationId', 'agentId', 'createdAt'] },
    { name: 'ix_calls_campaign', columns: ['organizationId', 'campaignId', 'createdAt'] },
    { name: 'ix_calls_state', columns: ['state', 'createdAt'] },
    { name: 'ix_calls_ended', columns: ['state', 'endedAt'] },
    { name: 'ix_calls_transcript_age', columns: ['organizationId', 'transcriptErasedAt', 'endedAt'] },
    { name: 'ix_calls_recorded', columns: ['organizationId', 'recordedAt'] },
    { name: 'ix_calls_variables_age', columns: ['organizationId', 'variablesErasedAt', 'endedAt'] },
  ],
  foreignKeys: [
    {
      name: 'fk_calls_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    { name: 'fk_calls_agent', target: 'agents', columnNames: ['agentId'], referencedColumnNames: ['id'] },
    {
      name: 'fk_calls_campaign',
      target: 'campaigns',
      columnNames: ['campaignId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_calls_version',
      target: 'agent_versions',
      columnNames: ['versionId'],
      referencedColumnNames: ['id'],
    },
  ],
});
