import type {
  Campaign,
  CampaignProgress,
  CampaignRowHistory,
  CampaignRowState,
} from '../../../contract/campaigns.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import type { CampaignAttemptRow } from '../../../db/tables/campaign-attempts.ts';
import type { CampaignTargetRow, TargetState } from '../../../db/tables/campaign-targets.ts';
import type { ContactRow } from '../../../db/tables/contacts.ts';
import type { CampaignLogRow } from '../../../db/tables/campaign-logs.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import type {
  CampaignSettings,
  PublishedBreaker,
  PublishedRetry,
  PublishedSchedule,
} from '../../../domain/campaign/settings.ts';
import { rowWait } from '../../../domain/campaign/row-wait.ts';
import type { CampaignRules } from '../../../domain/campaign/rules.ts';
import type { ClosedZone, WaitCount } from '../../../domain/campaign/wait-counts.ts';
import { zonesOf } from '../../../domain/phone/zones.ts';
import { campaignWorkflowId } from '../../../domain/temporal-ids.ts';
import { toWorkflowRun } from '../../calls/index.ts';
import { wireTimestamp } from '../../kernel/index.ts';
import type { OutcomeCounts, StateCounts } from '../records/counts.ts';
import { detailsOf } from '../records/log.ts';

/** A campaign, with what its answer shows in addition. */
export interface ShownCampaign {
  row: CampaignRow;
  agentName: string;
  /** Null if it names no connection. */
  configurationName: string | null;
  fileKey: string;
  directoryName: string;
  counts: StateCounts;
  /** Oldest first. */
  logs: readonly CampaignLogRow[];
  /** Who did what an entry says. */
  authorOf: (entry: CampaignLogRow) => string | null;
}

/** Contract 11.5: the retry settings of a campaign that was given none. */
export const usualRetry = {
  enabled: true,
  max_retries: 1,
  retry_delay_seconds: 120,
  retry_on_busy: true,
  retry_on_no_answer: true,
  retry_on_voicemail: false,
};
const usualBreaker = { enabled: true, failure_threshold: 0.5, window_seconds: 120, min_calls_in_window: 5 };

/**
 * The settings of contract 11.5 as answers show them: complete objects. A breaker that was never set is shown
 * as on, because it runs with its defaults.
 */
export function shownSettings({
  retry_config,
  max_concurrency,
  schedule_config,
  circuit_breaker,
  rules,
}: CampaignSettings) {
  return {
    retry_config: shownRetry(retry_config),
    max_concurrency,
    schedule_config: shownSchedule(schedule_config),
    circuit_breaker: { ...usualBreaker, ...given(circuit_breaker) },
    rules: rules === null ? null : { ...rules },
  };
}

const shownRetry = (retry: PublishedRetry | null) =>
  retry === null ? usualRetry : { ...usualRetry, max_retries: 2, retry_on_voicemail: true, ...given(retry) };
const shownSchedule = (schedule: PublishedSchedule | null) =>
  schedule === null ? null : { enabled: true, timezone: 'UTC', ...given(schedule), slots: schedule.slots };

function given<T extends PublishedRetry | PublishedBreaker | PublishedSchedule>(
  values: T | null,
): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the entries of T that are not undefined
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}

const timestampOrNull = (timestamp: Date | null) => (timestamp === null ? null : wireTimestamp(timestamp));

/** The fields of a campaign record that people edit, in the order of the record. */
export const editedFields = ({ name, settings }: CampaignRow) => ({ name, ...shownSettings(settings) });

/** The campaign of contract 11.5 in its order, followed by our own fields. */
export function toCampaign({
  row,
  agentName,
  configurationName,
  fileKey,
  directoryName,
  counts,
  logs,
  authorOf,
}: ShownCampaign): Campaign {
  const { name, rules, ...published } = editedFields(row);
  return {
    id: row.id,
    name,
    workflow_id: row.agentId,
    workflow_name: agentName,
    state: row.state,
    source_type: 'csv',
    source_id: fileKey,
    total_rows: row.totalRows,
    processed_rows: counts.processed,
    failed_rows: counts.failed,
    created_at: wireTimestamp(row.createdAt),
    started_at: timestampOrNull(row.startedAt),
    completed_at: timestampOrNull(row.completedAt),
    ...published,
    executed_count: counts.processed + counts.failed,
    total_queued_count: allOf(counts),
    parent_campaign_id: row.parentCampaignId,
    redialed_campaign_id: row.redialedCampaignId,
    telephony_configuration_id: row.configurationId,
    telephony_configuration_name: configurationName,
    logs: logs.map((entry) => ({
      ts: wireTimestamp(entry.at),
      level: entry.level,
      event: entry.event,
      message: entry.message,
      details: detailsOf(entry),
      by: authorOf(entry),
    })),
    directory_id: row.directoryId,
    directory_name: directoryName,
    rules,
    ...waits(row),
    temporal_workflow_id: campaignWorkflowId(row.uuid),
  };
}

interface ShownProgress {
  row: CampaignRow;
  counts: StateCounts;
  outcomes: OutcomeCounts;
  waits: ReadonlyMap<string, WaitCount>;
  closedZones: readonly ClosedZone[];
  dialsLastMinute: number;
  startsPerSecond: number;
  /** When it will be over; null = unknown. */
  estimatedAt: Date | null;
}

/** The progress of contract 11.5, followed by our own fields. */
export function toProgress({
  row,
  counts,
  outcomes,
  waits: waiting,
  closedZones,
  dialsLastMinute,
  startsPerSecond,
  estimatedAt,
}: ShownProgress): CampaignProgress {
  const leftOut = leftOutOf(row, counts);
  return {
    campaign_id: row.id,
    state: row.state,
    total_rows: row.totalRows,
    processed_rows: counts.processed,
    failed_calls: counts.failed,
    progress_percentage: percentage(row, { over: counts.processed + counts.failed, leftOut }),
    source_sync: {
      status: syncState(row),
      last_synced_at: timestampOrNull(row.plannedAt),
      error: row.syncFault,
    },
    rate_limit: startsPerSecond,
    started_at: timestampOrNull(row.startedAt),
    completed_at: timestampOrNull(row.completedAt),
    rows: { ...counts, left_out: leftOut },
    outcomes: { ...outcomes },
    reasons: Object.fromEntries(
      [...waiting].map(([reason, { rows, nextAt }]) => [reason, { rows, next_at: timestampOrNull(nextAt) }]),
    ),
    closed_zones: closedZones.map(({ zones, rows, opensAt }) => ({
      time_zones: [...zones],
      rows,
      opens_at: timestampOrNull(opensAt),
    })),
    dials_last_minute: dialsLastMinute,
    ...waits(row),
    estimated_completion_at: timestampOrNull(estimatedAt),
  };
}

/** Why nothing is dialed now, and until when. */
function waits({ stopMode, waitReason, waitUntil }: CampaignRow) {
  return { stop_mode: stopMode, wait_reason: waitReason, wait_until: timestampOrNull(waitUntil) };
}

const allOf = ({ queued, waiting, processing, processed, failed }: StateCounts): number =>
  queued + waiting + processing + processed + failed;

/** Rows of the file that are not called. Known once all rows are read. */
function leftOutOf({ totalRows, plannedAt }: CampaignRow, counts: StateCounts): number {
  return totalRows === null || plannedAt === null ? 0 : Math.max(0, totalRows - allOf(counts));
}

/** Share of the rows that are called, to one decimal. Rows that are left out do not count. */
function percentage(
  { state, totalRows }: CampaignRow,
  { over, leftOut }: { over: number; leftOut: number },
): number {
  if (state === 'completed') return 100;
  const called = (totalRows ?? 0) - leftOut;
  // guarantee: left-out-rows-are-not-progress
  return called <= 0 ? 0 : Math.min(100, Math.floor((over * 1000) / called) / 10);
}

function syncState({ state, syncFault, plannedAt }: CampaignRow): CampaignProgress['source_sync']['status'] {
  if (syncFault !== null) return 'failed';
  if (plannedAt !== null) return 'completed';
  return state === 'created' ? 'pending' : 'in_progress';
}

/** A campaign as the audit log compares it. */
export function auditedCampaign({
  name,
  state,
  stopMode,
  settings,
}: Pick<CampaignRow, 'name' | 'state' | 'stopMode' | 'settings'>): object {
  return { name, state, stop_mode: stopMode, ...shownSettings(settings) };
}

/** The states of contract 11.6. */
export const wireTargetState = {
  queued: 'queued',
  waiting: 'queued',
  processing: 'processing',
  processed: 'processed',
  failed: 'failed',
} as const satisfies Record<TargetState, CampaignRowState['state']>;

interface ShownRow {
  campaign: CampaignRow;
  window: CampaignRules['window'];
  now: Date;
  /** Calls whose carrier has not reported on their dial. */
  inDoubt: ReadonlySet<number>;
}

/** The state of a row; for a waiting row also why, and until when. */
export function toRowState(
  target: CampaignTargetRow,
  { campaign, window, now, inDoubt }: ShownRow,
): CampaignRowState {
  const { state } = target;
  const isInDoubt = target.callId !== null && inDoubt.has(target.callId);
  const wait = rowWait(
    { ...target, isInDoubt, zones: zonesOf(target.zoneKey) },
    { ...campaign, window },
    now,
  );
  return {
    row: target.rowNumber,
    phone_number: target.phone,
    state: wireTargetState[state],
    reason: wait.reason,
    due_at: wait.until === null ? null : wireTimestamp(wait.until),
    spent_attempts: target.spentAttempts,
    attempts: target.attempts,
    outcome: target.outcome,
    workflow_run_id: target.callId,
    settled_at: target.settledAt === null ? null : wireTimestamp(target.settledAt),
  };
}

/** A contact without a target: it is left out, or not planned yet. Its state says why. */
export function toLeftOut(
  { rowNumber, phone, state }: ContactRow,
  campaign: Pick<CampaignRow, 'state'>,
): CampaignRowState {
  const isFailed = campaign.state === 'failed';
  return {
    row: rowNumber,
    phone_number: phone,
    state: state === 'ok' ? 'queued' : 'left_out',
    reason: state !== 'ok' ? state : isFailed ? 'campaign_failed' : 'rows_are_read',
    due_at: null,
    spent_attempts: 0,
    attempts: 0,
    outcome: null,
    workflow_run_id: null,
    settled_at: null,
  };
}

/** One attempt of a row, with its call. */
export function toAttempt(
  { attemptNumber, because, begunAt, outcome, isSpent, settledAt }: CampaignAttemptRow,
  call: CallRow,
  publicUrl: string,
): CampaignRowHistory['history'][number] {
  const { id, name, disposition, call_duration_seconds } = toWorkflowRun(call, publicUrl);
  return {
    attempt: attemptNumber,
    workflow_run_id: id,
    workflow_run_name: name,
    because,
    begun_at: wireTimestamp(begunAt),
    outcome,
    is_spent: isSpent,
    settled_at: settledAt === null ? null : wireTimestamp(settledAt),
    disposition,
    call_duration_seconds,
  };
}
