import type { AnswerOf } from '../../../../src/contract/client-types.ts';
export { dayOf } from '../../app/days.ts';
import { standingOf } from '../campaigns/facts.ts';

/** What the home page makes of the answers of the API. */

type Endpoint = AnswerOf<'get', '/webhook-endpoints'>[number];
type Warnings = AnswerOf<'get', '/organizations/telephony-config-warnings'>;
type Dialing = AnswerOf<'get', '/organizations/dialing'>;
type Campaign = Pick<
  AnswerOf<'get', '/campaign/'>['campaigns'][number],
  'id' | 'name' | 'state' | 'stop_mode' | 'wait_reason'
>;
type Connection = Pick<
  AnswerOf<'get', '/organizations/telephony-configs'>['configurations'][number],
  'id' | 'name' | 'inactive' | 'inactive_since'
>;
type Overview = AnswerOf<'get', '/workflow/overview'>['items'][number];
type Report = AnswerOf<'get', '/organizations/reports/daily'>;
type DailyRun = AnswerOf<'get', '/organizations/reports/daily/runs'>[number];

/** Something that waits for a person. Those on which most depends come first. */
export type Need =
  | { kind: 'dialing'; is: 'bad'; at: string | null; isByOperator: boolean }
  | { kind: 'endpoint'; is: 'bad'; at: string | null; endpointId: string; host: string; agentId: number }
  | { kind: 'tripped'; is: 'bad'; at: null; campaignId: number; name: string }
  | { kind: 'blocked'; is: 'bad'; at: string | null; connectionId: number; name: string }
  | { kind: 'failed'; is: 'bad'; at: null; calls: number }
  | { kind: 'unsigned'; is: 'warn'; at: null; provider: 'telnyx' | 'vonage'; connections: number }
  | { kind: 'draft'; is: 'warn'; at: string; agentId: number; name: string; changes: number };

const oldDraftMs = 7 * 86_400_000;

export function needsOf({
  dialing,
  endpoints = [],
  campaigns = [],
  connections = [],
  failedCalls = 0,
  warnings,
  agents = [],
  now,
}: {
  dialing?: Dialing | undefined;
  endpoints?: readonly Endpoint[] | undefined;
  campaigns?: readonly Campaign[] | undefined;
  connections?: readonly Connection[] | undefined;
  failedCalls?: number | undefined;
  warnings?: Warnings | undefined;
  agents?: readonly Overview[] | undefined;
  now: Date;
}): readonly Need[] {
  const stopped: Need[] =
    dialing === undefined || !dialing.is_stopped
      ? []
      : [
          {
            kind: 'dialing',
            is: 'bad',
            at: dialing.operator_stopped_at ?? dialing.stopped_at,
            isByOperator: dialing.operator_stopped_at !== null,
          },
        ];
  const off = endpoints.map<Need>(({ id, address, switched_off_at: at, workflow_id: agentId }) => ({
    kind: 'endpoint',
    is: 'bad',
    at,
    endpointId: id,
    host: address,
    agentId,
  }));
  const tripped = campaigns
    .filter((each) => standingOf(each) === 'tripped')
    .map<Need>(({ id, name }) => ({ kind: 'tripped', is: 'bad', at: null, campaignId: id, name }));
  const blocked = connections
    .filter(({ inactive }) => inactive)
    .map<Need>(({ id, name, inactive_since: at }) => ({
      kind: 'blocked',
      is: 'bad',
      at,
      connectionId: id,
      name,
    }));
  const failed: Need[] = failedCalls > 0 ? [{ kind: 'failed', is: 'bad', at: null, calls: failedCalls }] : [];
  const unsigned = (
    [
      ['telnyx', warnings?.telnyx_missing_webhook_public_key_count ?? 0],
      ['vonage', warnings?.vonage_missing_signature_secret_count ?? 0],
    ] as const
  )
    .filter(([, connections]) => connections > 0)
    .map<Need>(([provider, connections]) => ({
      kind: 'unsigned',
      is: 'warn',
      at: null,
      provider,
      connections,
    }));
  const drafts = agents.flatMap<Need>(({ id, name, draft, published }) =>
    draft !== null && published !== null && now.getTime() - Date.parse(draft.at) > oldDraftMs
      ? [{ kind: 'draft', is: 'warn', at: draft.at, agentId: id, name, changes: draft.changes }]
      : [],
  );
  return [
    ...stopped,
    ...off,
    ...blocked,
    ...tripped,
    ...failed,
    ...unsigned,
    ...drafts.toSorted(oldestFirst),
  ];
}

const oldestFirst = (a: Need, b: Need): number => (a.at ?? '').localeCompare(b.at ?? '');

/** Dispositions of calls that failed by a fault, not by the person. */
export const faultDispositions = [
  'pipeline_error',
  'unexpected_error',
  'system_connect_error',
  'failed',
  'error',
];

const unreached = new Set([
  'no-answer',
  'busy',
  'canceled',
  'voicemail_detected',
  'system_cancelled',
  'unknown',
  '',
  ...faultDispositions,
]);

export interface Hour {
  reached: number;
  notReached: number;
}

/** Calls of a day by the hour of their creation, in a time zone. */
export function hoursOf(runs: readonly DailyRun[], timeZone: string): readonly Hour[] {
  const hours = Array.from({ length: 24 }, (): Hour => ({ reached: 0, notReached: 0 }));
  const clock = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone });
  for (const { created_at: at, disposition } of runs) {
    const hour = hours[Number(clock.format(new Date(at)))];
    if (hour === undefined) continue;
    if (unreached.has(disposition)) hour.notReached += 1;
    else hour.reached += 1;
  }
  return hours;
}

/** Where a scale of calls ends: the first even round number that is not below the most. */
export function niceTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 4)));
  const round = [1, 2, 4, 6, 8, 10].map((step) => step * power);
  return round.find((each) => each >= Math.max(most, 4)) ?? most;
}

export interface Outcome {
  disposition: string;
  calls: number;
  /** Percentage points more or less than the day before. Null without calls on that day. */
  change: number | null;
}

/** Outcomes of a day beside those of the day before. */
export function outcomesOf(today: Report, yesterday: Report | undefined): readonly Outcome[] {
  const before = yesterday?.disposition_distribution ?? [];
  return today.disposition_distribution.map(({ disposition, count: calls, percentage }) => ({
    disposition,
    calls,
    change:
      before.length === 0
        ? null
        : Math.round(percentage - (before.find((each) => each.disposition === disposition)?.percentage ?? 0)),
  }));
}

/** The 95th percentile of the latency by agent in the last 7 days, most used agents first. */
export const latenciesOf = (
  agents: readonly Overview[],
): readonly { id: number; name: string; p95Ms: number }[] =>
  agents
    .toSorted((a, b) => b.last_7_days.calls - a.last_7_days.calls)
    .flatMap(({ id, name, last_7_days: { latency_p95_ms: p95Ms } }) =>
      p95Ms === null ? [] : [{ id, name, p95Ms }],
    );
