import type { AnswerOf } from '../../../../src/contract/client-types.ts';
import type { CampaignStanding } from '../../../../src/contract/data/campaigns.ts';

/** What the room makes of the answers of the API: states, sentences, reasons and parts of bars. */

export type Campaign = AnswerOf<'get', '/campaign/{campaign_id}'>;
export type Progress = AnswerOf<'get', '/campaign/{campaign_id}/progress'>;
export type RowState = AnswerOf<'get', '/campaign/{campaign_id}/rows'>['rows'][number];

/** How a campaign stands, as people say it: the state of the API with how it came about. */
export type Standing =
  | 'created'
  | 'syncing'
  | 'running'
  | 'stopping'
  | 'paused'
  | 'tripped'
  | 'stopped'
  | 'completed'
  | 'failed';

export function standingOf({
  state,
  stop_mode: stopMode,
  wait_reason: reason,
}: Pick<Campaign, 'state' | 'stop_mode' | 'wait_reason'>): Standing {
  if (stopMode !== null && state !== 'failed') return state === 'completed' ? 'stopped' : 'stopping';
  return state === 'paused' && reason === 'breaker' ? 'tripped' : state;
}

/** The filter of the list under which a campaign is found. */
export function filterOf(standing: Standing): CampaignStanding {
  if (standing === 'syncing' || standing === 'stopping') return 'running';
  return standing === 'tripped' ? 'paused' : standing;
}

export type Verb = 'start' | 'pause' | 'resume' | 'stop' | 'redial' | 'change';

/** What may be done with a campaign now. */
export function verbsOf(
  campaign: Pick<Campaign, 'state' | 'stop_mode' | 'wait_reason' | 'redialed_campaign_id'>,
): readonly Verb[] {
  switch (standingOf(campaign)) {
    case 'created':
      return ['start', 'change'];
    case 'syncing':
    case 'running':
      return ['pause', 'stop', 'change'];
    case 'paused':
    case 'tripped':
      return ['resume', 'stop', 'change'];
    case 'completed':
    case 'stopped':
      return campaign.redialed_campaign_id === null ? ['redial'] : [];
    default:
      return [];
  }
}

/** Words of the catalog with their values. `until` is a moment, null if it is not known. */
export interface Said {
  id: string;
  values?: Readonly<Record<string, number>>;
  /** Values that are words already. */
  names?: Readonly<Record<string, string>>;
  until?: string | null;
  /** The time zone by whose clock the moment is said; absent: the reader's. */
  zone?: string;
}

/** What is true of a campaign now, in one to three sentences. */
export function truthOf(progress: Progress): readonly Said[] {
  const { rows, total_rows: total, wait_reason: reason, wait_until: until } = progress;
  const standing = standingOf(progress);
  const calls = rows.processing;
  const left: Said = {
    id: 'campaigns.truth.left',
    values: { queued: rows.queued, waiting: rows.waiting, all: rows.queued + rows.waiting },
  };
  const over = { done: rows.processed, failed: rows.failed };
  switch (standing) {
    case 'created':
      return [
        total === null
          ? { id: 'campaigns.truth.unread' }
          : { id: 'campaigns.truth.created', values: { rows: total } },
      ];
    case 'stopping':
      return [{ id: `campaigns.truth.stopping.${progress.stop_mode ?? 'finish'}`, values: { calls } }];
    case 'paused':
    case 'tripped':
      return [
        { id: `campaigns.truth.${standing}`, values: { calls } },
        ...(isHeldByHours(progress) ? [{ id: `campaigns.because.${heldByHours}` }] : []),
        left,
      ];
    case 'completed':
    case 'stopped':
      return [{ id: `campaigns.truth.${standing}`, values: over }];
    case 'failed':
      return [{ id: 'campaigns.truth.failed', values: over }];
    default:
      if (areRowsRead(progress)) return [{ id: 'campaigns.because.rows_are_read' }];
      return [
        { id: 'campaigns.truth.calls', values: { calls } },
        ...(reason === null ? [] : [{ id: `campaigns.because.${reason}`, until }]),
        left,
        ...closedOf(progress).slice(0, saidZones),
      ];
  }
}

/** Zones that the sentence names; the reasons name all. */
const saidZones = 2;

/** Who waits for which hour of which zone, most rows first: `3,120 wait for 9:00 in America/Chicago`. */
export const closedOf = ({ closed_zones: closed }: Pick<Progress, 'closed_zones'>): readonly Said[] =>
  closed.map(({ time_zones: zones, rows, opens_at: until }) => {
    const [zone = 'UTC', ...others] = zones;
    return {
      id: 'campaigns.truth.zone',
      values: { rows, others: others.length },
      names: { zone: zone.replaceAll('_', ' ') },
      until,
      zone,
    };
  });

const heldByHours = 'window_never_opens';

/** Whether a campaign has paused by itself, because its hours open for nobody. */
export const isHeldByHours = ({
  state,
  wait_reason: reason,
}: Pick<Campaign, 'state' | 'wait_reason'>): boolean => state === 'paused' && reason === heldByHours;

export type Part = 'reached' | 'calls' | 'queued' | 'waiting' | 'ended' | 'failed';

/** Outcomes after which a person was spoken to. */
const reachedOutcomes = ['reached', 'callback', 'short_answer', 'opted_out', 'wrong_number'];

export const isReached = (outcome: string | null): boolean =>
  outcome !== null && reachedOutcomes.includes(outcome);

/** Rows by what became of them; they add up to the rows that are called. */
export function partsOf({ rows, outcomes }: Pick<Progress, 'rows' | 'outcomes'>): readonly {
  part: Part;
  rows: number;
}[] {
  const reached = Math.min(
    rows.processed,
    reachedOutcomes.reduce((sum, each) => sum + (outcomes[each] ?? 0), 0),
  );
  return [
    { part: 'reached', rows: reached },
    { part: 'calls', rows: rows.processing },
    { part: 'queued', rows: rows.queued },
    { part: 'waiting', rows: rows.waiting },
    { part: 'ended', rows: rows.processed - reached },
    { part: 'failed', rows: rows.failed },
  ];
}

/** The rows that a campaign calls: those of the file without those that are left out, as far as known. */
export const calledRows = ({ rows }: Pick<Progress, 'rows'>): number =>
  rows.queued + rows.waiting + rows.processing + rows.processed + rows.failed;

/** Whether a campaign that runs has no row yet, because the first ones are still read. */
export const areRowsRead = (progress: Pick<Progress, 'state' | 'rows'>): boolean =>
  (progress.state === 'syncing' || progress.state === 'running') && calledRows(progress) === 0;

/** The rows of a listed campaign, which may not have been read. */
export const listedRows = (campaign: Pick<Campaign, 'state' | 'total_rows' | 'total_queued_count'>): number =>
  campaign.state === 'created' || campaign.state === 'syncing'
    ? Math.max(campaign.total_rows ?? 0, campaign.total_queued_count)
    : campaign.total_queued_count;

/** What ends a wait sooner. */
export type Remedy =
  | 'hours'
  | 'plan'
  | 'caps'
  | 'lines'
  | 'numbers'
  | 'pace'
  | 'telephony'
  | 'resume'
  | 'dialing';

const remedies: Readonly<Record<string, Remedy>> = {
  outside_window: 'hours',
  window_never_opens: 'hours',
  retry: 'plan',
  capped: 'caps',
  lines_busy: 'lines',
  pace: 'pace',
  no_number: 'numbers',
  no_line: 'telephony',
  carrier_down: 'telephony',
  paused: 'resume',
  breaker: 'resume',
  stopped: 'dialing',
};

/** What a person can do about a reason; null if only time or the operator can. */
export const remedyOf = (reason: string): Remedy | null => remedies[reason] ?? null;

export interface Wait {
  /** `next`: nothing but its turn. */
  reason: string;
  rows: number;
  /** When the first of these rows may be called. */
  nextAt: string | null;
}

/** Rows that wait, by reason, most first. Those whose turn is yet to come are `next`. */
export function waitsOf({ rows, reasons }: Pick<Progress, 'rows' | 'reasons'>): readonly Wait[] {
  const waits = Object.entries(reasons).map(([reason, { rows: waiting, next_at: nextAt }]) => ({
    reason,
    rows: waiting,
    nextAt,
  }));
  const next = rows.queued + rows.waiting - waits.reduce((sum, each) => sum + each.rows, 0);
  return [...waits, ...(next > 0 ? [{ reason: 'next', rows: next, nextAt: null }] : [])].toSorted(
    (one, other) => other.rows - one.rows,
  );
}

export interface OutcomeCount {
  outcome: string;
  rows: number;
  isReached: boolean;
}

/** Outcomes of finished rows, most first. */
export const outcomesOf = ({ outcomes }: Pick<Progress, 'outcomes'>): readonly OutcomeCount[] =>
  Object.entries(outcomes)
    .map(([outcome, rows]) => ({ outcome, rows, isReached: isReached(outcome) }))
    .toSorted((one, other) => other.rows - one.rows);

/** Outcomes after which a redial may call again, of those that the campaign has. */
export const redialable: readonly string[] = [
  'no_answer',
  'busy',
  'voicemail',
  'voicemail_message',
  'declined',
  'short_answer',
  'callback',
  'reached',
  'provider',
  'capacity',
  'own_fault',
  'not_dialed',
  'unknown',
  'canceled',
];

/** With the age of the counts, a pause or a call is shown within a second. */
const activeMs = 600;
/** What the stream of events does not tell, as the pace, is read this often. */
const toldMs = 2000;
const restMs = 5000;
const hiddenMs = 15_000;

/** How often progress is read: more than once a second while something may change, less often otherwise. */
export function pollMs(
  progress: Progress | undefined,
  { isHidden, isTold = false }: { isHidden: boolean; isTold?: boolean },
): number {
  if (isHidden) return hiddenMs;
  if (progress === undefined || !mayChange(progress)) return restMs;
  return isTold ? toldMs : activeMs;
}

/** Whether rows may change without a person. */
export const mayChange = (progress: Progress): boolean =>
  ['syncing', 'running', 'stopping'].includes(standingOf(progress)) || progress.rows.processing > 0;
