import type { CallReport, CallReportFigures, ReportGrouping } from '../../../contract/call-reports.ts';
import type { DailyReport, DailyRun } from '../../../contract/daily-reports.ts';
import type { CurrentUsage, DailyUsage, UsageRun, UsageRunPage } from '../../../contract/usage.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import { dograhTokens } from '../../../domain/call/cost.ts';
import { scoreIn } from '../../../domain/qa/annotation.ts';
import type { Day } from '../../../domain/usage/days.ts';
import type { DurationShare, OutcomeShare } from '../../../domain/usage/distribution.ts';
import { toWorkflowRun } from '../records/mapper.ts';
import { wireTimestamp } from '../../kernel/index.ts';
import type { Usage } from './totals.ts';

/** A run of contract 6.9. */
export function toUsageRun(
  call: CallRow,
  {
    agentName,
    versionNumber,
    turnCount,
    wasInterrupted,
    currentNode,
    publicUrl,
  }: {
    agentName: string | null;
    versionNumber: number | null;
    turnCount: number;
    wasInterrupted: boolean;
    currentNode: string | null;
    publicUrl: string;
  },
): UsageRun {
  const run = toWorkflowRun(call, publicUrl);
  return {
    id: run.id,
    workflow_id: run.workflow_id,
    workflow_name: agentName,
    name: run.name,
    created_at: run.created_at,
    dograh_token_usage: dograhTokens(call.costUsd),
    call_duration_seconds: run.call_duration_seconds ?? 0,
    recording_url: run.recording_url,
    transcript_url: run.transcript_url,
    user_recording_url: run.user_recording_url,
    bot_recording_url: run.bot_recording_url,
    recording_public_url: run.recording_public_url,
    transcript_public_url: run.transcript_public_url,
    user_recording_public_url: run.user_recording_public_url,
    bot_recording_public_url: run.bot_recording_public_url,
    public_access_token: run.public_access_token,
    phone_number: run.phone_number,
    caller_number: run.caller_number,
    called_number: run.called_number,
    call_type: run.call_type,
    mode: run.mode,
    disposition: run.disposition,
    initial_context: run.initial_context,
    gathered_context: run.gathered_context,
    charge_usd: call.costUsd,
    latency_p95_ms: call.latencyP95Ms,
    definition_id: call.versionId,
    version_number: versionNumber,
    turn_count: call.transcriptErasedAt === null ? turnCount : null,
    qa_score: call.variablesErasedAt === null ? scoreIn(call.annotations) : null,
    was_interrupted: wasInterrupted,
    current_node: currentNode,
  };
}

/** Contract 6.9. */
export function toUsageRunPage({
  runs,
  used,
  page,
  limit,
}: {
  runs: UsageRun[];
  used: Usage;
  page: number;
  limit: number;
}): UsageRunPage {
  const { callCount, durationSeconds, costUsd } = used;
  return {
    runs,
    total_dograh_tokens: dograhTokens(costUsd),
    total_duration_seconds: durationSeconds,
    total_count: callCount,
    page,
    limit,
    total_pages: Math.ceil(callCount / limit),
  };
}

/** Contract 15.2. */
export function toCurrentUsage({
  period,
  zone,
  used,
}: {
  period: Pick<Day, 'from' | 'until'>;
  zone: string;
  used: Usage;
}): CurrentUsage {
  return {
    period_start: wireTimestamp(period.from),
    period_end: wireTimestamp(period.until),
    timezone: zone,
    call_count: used.callCount,
    total_duration_seconds: used.durationSeconds,
    used_dograh_tokens: dograhTokens(used.costUsd),
    used_amount_usd: used.costUsd,
    currency: currencyOf(used),
    price_per_second_usd: null,
  };
}

/** Contract 15.2. */
export function toDailyUsage({
  days,
  total,
  zone,
}: {
  days: readonly { date: string; used: Usage }[];
  total: Usage;
  zone: string;
}): DailyUsage {
  return {
    timezone: zone,
    breakdown: days.map(({ date, used }) => ({
      date,
      call_count: used.callCount,
      duration_seconds: used.durationSeconds,
      minutes: minutesOf(used),
      dograh_tokens: dograhTokens(used.costUsd),
      cost_usd: used.costUsd,
    })),
    total_minutes: minutesOf(total),
    total_dograh_tokens: dograhTokens(total.costUsd),
    total_cost_usd: total.costUsd,
    currency: currencyOf(total),
  };
}

/** Minutes, rounded to two decimals. */
function minutesOf({ durationSeconds }: Usage): number {
  return Math.round((durationSeconds * 100) / 60) / 100;
}

function currencyOf({ costUsd }: Usage): 'USD' | null {
  return costUsd === null ? null : 'USD';
}

export interface DayFigures {
  day: Day;
  zone: string;
  agentId: number | undefined;
  used: Usage;
  /** Calls that have begun and ended. */
  timedCount: number;
  completedCount: number;
  transferCount: number;
  outcomes: readonly OutcomeShare[];
  durations: readonly DurationShare[];
}

/** Contract 15.2. */
export function toDailyReport({
  day,
  zone,
  agentId,
  used,
  timedCount,
  completedCount,
  transferCount,
  outcomes,
  durations,
}: DayFigures): DailyReport {
  return {
    date: day.date,
    timezone: zone,
    workflow_id: agentId ?? null,
    metrics: {
      total_runs: used.callCount,
      completed_runs: completedCount,
      xfer_count: transferCount,
      total_duration_seconds: used.durationSeconds,
      average_duration_seconds: timedCount === 0 ? 0 : Math.round(used.durationSeconds / timedCount),
    },
    disposition_distribution: [...outcomes],
    call_duration_distribution: durations.map(({ bucket, startSeconds, endSeconds, count, percentage }) => ({
      bucket,
      range_start: startSeconds,
      range_end: endSeconds,
      count,
      percentage,
    })),
  };
}

/** The figures of a group of calls; `key` is empty for those that have nothing to be grouped by. */
export interface ReportFigures {
  key: string;
  calls: number;
  endedCalls: number;
  /** Calls that have begun and ended. */
  timedCalls: number;
  durationSeconds: number;
  costUsd: number | null;
  latencyP50Ms: number | null;
  latencyP95Ms: number | null;
  outcomes: readonly OutcomeShare[];
}

/** Contract 15.2. */
export function toCallReport({
  days,
  zone,
  groupBy,
  total,
  groups,
  leftOut,
}: {
  days: readonly Day[];
  zone: string;
  groupBy: ReportGrouping;
  total: ReportFigures;
  groups: readonly (ReportFigures & { name: string | null })[];
  leftOut: number;
}): CallReport {
  return {
    from: days[0]?.date ?? '',
    to: days.at(-1)?.date ?? '',
    timezone: zone,
    group_by: groupBy,
    total: figuresOf(total),
    groups: groups.map((each) => ({ key: each.key, name: each.name, ...figuresOf(each) })),
    left_out_groups: leftOut,
  };
}

const figuresOf = (of: ReportFigures): CallReportFigures => ({
  calls: of.calls,
  ended_calls: of.endedCalls,
  duration_seconds: of.durationSeconds,
  average_duration_seconds: of.timedCalls === 0 ? 0 : Math.round(of.durationSeconds / of.timedCalls),
  cost_usd: of.costUsd,
  latency_p50_ms: of.latencyP50Ms,
  latency_p95_ms: of.latencyP95Ms,
  dispositions: of.outcomes.map(({ disposition, count }) => ({ disposition, calls: count })),
});

/** A call of contract 15.2, with the other side's number if it is known. */
export function toDailyRun(
  call: CallRow,
  { agentName, publicUrl }: { agentName: string | null; publicUrl: string },
): DailyRun {
  const run = toWorkflowRun(call, publicUrl);
  const number = run.phone_number ?? (call.direction === 'inbound' ? run.caller_number : run.called_number);
  return {
    phone_number: number ?? '',
    disposition: run.disposition ?? '',
    duration_seconds: run.call_duration_seconds ?? 0,
    workflow_id: run.workflow_id,
    run_id: run.id,
    workflow_name: agentName ?? '',
    created_at: run.created_at,
  };
}
