import type { AnswerOf } from '../../../../src/contract/client-types.ts';
export { dayOf } from '../../app/days.ts';
import { formatFilters, minuteText } from '../calls/filters.ts';
import { campaignStandings, type CampaignStanding } from '../../../../src/contract/data/campaigns.ts';
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
type Figures = AnswerOf<'get', '/organizations/reports/calls'>['total'];
type Run = Pick<
  AnswerOf<'get', '/organizations/usage/runs'>['runs'][number],
  'created_at' | 'disposition' | 'gathered_context'
>;
type DailyRun = AnswerOf<'get', '/organizations/reports/daily/runs'>[number];

/** Something that waits for a person. Those on which most depends come first. */
export type Need =
  | { kind: 'dialing'; is: 'bad'; at: string | null; isByOperator: boolean }
  | { kind: 'endpoint'; is: 'bad'; at: string | null; endpointId: string; host: string; agentId: number }
  | { kind: 'tripped'; is: 'bad'; at: null; campaignId: number; name: string }
  | { kind: 'blocked'; is: 'bad'; at: string | null; connectionId: number; name: string }
  | ({ kind: 'failed'; is: 'bad' } & Failure)
  | { kind: 'deadLetters'; is: 'bad'; at: null; deliveries: number; isMore: boolean }
  | { kind: 'unsigned'; is: 'warn'; at: null; provider: 'telnyx' | 'vonage'; connections: number }
  | { kind: 'draft'; is: 'warn'; at: string; agentId: number; name: string; changes: number };

/** Calls that failed for the same reason. */
export interface Failure {
  /** Null: for several reasons. */
  disposition: string | null;
  calls: number;
  /** When the last one began. */
  at: string | null;
  /** The fault in the words of whatever failed, if the calls say one. */
  said: string | null;
}

const oldDraftMs = 7 * 86_400_000;

export function needsOf({
  dialing,
  endpoints = [],
  campaigns = [],
  connections = [],
  failures = [],
  deadLetters,
  warnings,
  agents = [],
  now,
}: {
  dialing?: Dialing | undefined;
  endpoints?: readonly Endpoint[] | undefined;
  campaigns?: readonly Campaign[] | undefined;
  connections?: readonly Connection[] | undefined;
  failures?: readonly Failure[] | undefined;
  deadLetters?: { count: number; isMore: boolean } | undefined;
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
  const failed = failures.map<Need>((each) => ({ kind: 'failed', is: 'bad', ...each }));
  const undelivered: Need[] =
    deadLetters === undefined || deadLetters.count === 0
      ? []
      : [
          {
            kind: 'deadLetters',
            is: 'bad',
            at: null,
            deliveries: deadLetters.count,
            isMore: deadLetters.isMore,
          },
        ];
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
    ...undelivered,
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

/** Failed calls by what their record says of the reason, most frequent first. Of more than were read, only how many. */
export function failuresOf(runs: readonly Run[], total: number): readonly Failure[] {
  if (total === 0) return [];
  const newest = (of: readonly Run[]) =>
    of
      .map(({ created_at: at }) => at)
      .toSorted()
      .at(-1) ?? null;
  if (total > runs.length) return [{ disposition: null, calls: total, at: newest(runs), said: null }];
  const groups = Map.groupBy(runs, ({ disposition }) => disposition ?? '');
  return [...groups]
    .map(([disposition, of]) => ({ disposition, calls: of.length, at: newest(of), said: saidOf(of) }))
    .toSorted((one, other) => other.calls - one.calls);
}

/** The fault that most of the calls name. */
function saidOf(runs: readonly Run[]): string | null {
  const said = runs.flatMap(({ gathered_context: values }) => {
    const fault = values?.['error'];
    return typeof fault === 'string' && fault !== '' ? [fault] : [];
  });
  const counts = [...Map.groupBy(said, (fault) => fault)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  return counts[0]?.[0] ?? null;
}

/** The filters of the list of calls for failures since a moment; of one disposition, or of all. */
export const failureFilters = (since: Date, disposition: string | null): string =>
  formatFilters([
    ...(disposition === null ? faultDispositions : [disposition]).map((value) => ({
      field: 'outcome' as const,
      value,
    })),
    { field: 'after', value: minuteText(since) },
  ]);

/** The filters for the calls of an hour of a day in a time zone. */
export const hourFilters = (day: string, hour: number, timeZone: string): string =>
  formatFilters([
    { field: 'after', value: minuteText(hourOf(day, hour, timeZone)) },
    { field: 'before', value: minuteText(hourOf(day, hour + 1, timeZone)) },
  ]);

/** When the clocks of a time zone show an hour of a day; 24 is the next day. */
function hourOf(day: string, hour: number, timeZone: string): Date {
  const shown = Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000;
  const clock = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const ahead = (at: number) => Date.parse(`${clock.format(at).replace(' ', 'T')}Z`) - at;
  return new Date(shown - ahead(shown - ahead(shown)));
}

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
  /** Null: the less frequent ones together. */
  disposition: string | null;
  /** The dispositions that are counted. Empty while they are not known. */
  codes: readonly string[];
  calls: number;
  /** Percentage points more or less than the day before. Null without calls on that day. */
  change: number | null;
}

/** What the API calls all but the most frequent dispositions. */
const others = 'Other';

/** Outcomes of a day beside those of the day before. `runs`, the calls of the day, tell which ones are less frequent. */
export function outcomesOf(
  today: Pick<Figures, 'dispositions'>,
  before: Pick<Figures, 'dispositions'> | undefined,
  runs: readonly Pick<DailyRun, 'disposition'>[] = [],
): readonly Outcome[] {
  const sum = (of: Pick<Figures, 'dispositions'> | undefined) =>
    (of?.dispositions ?? []).reduce((total, { calls }) => total + calls, 0);
  const [now, past] = [sum(today), sum(before)];
  const named = new Set(today.dispositions.map(({ disposition }) => disposition));
  const rest = [...new Set(runs.map(({ disposition }) => disposition))].filter(
    (each) => each !== '' && !named.has(each),
  );
  return today.dispositions.map(({ disposition, calls }) => {
    const pastCalls = before?.dispositions.find((each) => each.disposition === disposition)?.calls ?? 0;
    return {
      ...(disposition === others && rest.length > 0
        ? { disposition: null, codes: rest }
        : { disposition, codes: disposition === others ? [] : [disposition] }),
      calls,
      change: past === 0 ? null : Math.round((calls / now - pastCalls / past) * 100),
    };
  });
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

/** How many campaigns are not over, by the filters of their list. */
export const openCampaigns = (
  counts: AnswerOf<'get', '/campaign/'>['standing_counts'] | undefined,
): readonly { state: CampaignStanding; count: number }[] =>
  campaignStandings.flatMap((state) => {
    const count = counts?.[state] ?? 0;
    return state === 'completed' || state === 'stopped' || count === 0 ? [] : [{ state, count }];
  });
