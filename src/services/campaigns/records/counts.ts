import type { DataSource } from 'typeorm';
import { acrossOrganizations, queryRows, selectFrom } from '../../../db/rows.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import { campaignTargets, type TargetState } from '../../../db/tables/campaign-targets.ts';
import type { WaitGroup } from '../../../domain/campaign/wait-counts.ts';
import type { Clock } from '../../../runtime/clock.ts';

/** Targets of one campaign by state. */
export type StateCounts = Readonly<Record<TargetState, number>>;

/** The same, with ended targets by outcome. */
export type OutcomeCounts = Readonly<Record<string, number>>;

/** Targets of one campaign at one moment, so that the counts agree with each other. */
export interface ProgressCounts {
  at: Date;
  states: StateCounts;
  outcomes: OutcomeCounts;
  /** Rows that wait, by what they wait for. */
  waits: readonly WaitGroup[];
}

/** Counts of targets for answers: at most a fifth of a second old, or ten times as old as the count took. */
export interface CampaignCounts {
  /** By state, for each campaign; all zero for a campaign without targets. */
  states: (campaigns: readonly CampaignRow[]) => Promise<Map<number, StateCounts>>;
  progress: (campaign: CampaignRow) => Promise<ProgressCounts>;
  /** Callable contacts of an import behind a row, by zone. */
  contacts: (part: PartOfImport) => Promise<readonly ZoneCount[]>;
}

export interface PartOfImport {
  organizationId: number;
  directoryId: number;
  importNumber: number;
  /** Rows up to this one do not count. */
  afterRow: number;
}

export interface ZoneCount {
  zoneKey: string;
  rows: number;
}

/** Of a campaign without targets. */
export const noTargets: StateCounts = { queued: 0, waiting: 0, processing: 0, processed: 0, failed: 0 };
const minMs = 200;
/**
 * A count is kept this many times as long as it took, so that counting uses at most a tenth of a processor.
 */
const keptTimes = 10;
const maxKept = 1000;

/**
 * Per process. Counting a campaign of a million rows over an index takes some tenths of a second, so not
 * every request counts.
 */
export function createCampaignCounts(
  db: DataSource,
  clock: Clock,
  now: () => number = () => performance.now(),
): CampaignCounts {
  const states = keeper<StateCounts>(now);
  const progress = keeper<ProgressCounts>(now);
  const contacts = keeper<readonly ZoneCount[], PartOfImport & { id: number }>(
    now,
    ({ id, importNumber, afterRow }) => `${id} ${importNumber} ${afterRow}`,
  );
  return {
    states: async (campaigns) => await states(campaigns, (missing) => countStates(db, missing)),
    progress: async (campaign) => {
      const count = async () => new Map([[campaign.id, await countProgress(db, campaign, clock.now())]]);
      return (
        (await progress([campaign], count)).get(campaign.id) ?? {
          at: clock.now(),
          states: noTargets,
          outcomes: {},
          waits: [],
        }
      );
    },
    contacts: async (part) => {
      const id = part.directoryId;
      const count = async () => new Map([[id, await countContacts(db, part)]]);
      return (await contacts([{ ...part, id }], count)).get(id) ?? [];
    },
  };
}

type Count<T, Of> = (missing: readonly Of[]) => Promise<Map<number, T>>;
type Keep<T, Of = CampaignRow> = (counted: readonly Of[], count: Count<T, Of>) => Promise<Map<number, T>>;

/** A change of state, and the last rows that are read, are visible at once. */
const byState = ({
  id,
  state,
  stopMode,
  plannedAt,
}: Pick<CampaignRow, 'id' | 'state' | 'stopMode' | 'plannedAt'>) =>
  `${id} ${state} ${stopMode} ${plannedAt !== null}`;

function keeper<T>(now: () => number): Keep<T>;
function keeper<T, Of extends { id: number }>(now: () => number, keyOf: (of: Of) => string): Keep<T, Of>;
function keeper<T>(now: () => number, keyOf: (of: CampaignRow) => string = byState): Keep<T> {
  const kept = new Map<string, { until: number; counts: T }>();
  return async (asked, count) => {
    const begun = now();
    const missing = asked.filter((campaign) => (kept.get(keyOf(campaign))?.until ?? 0) <= begun);
    const counted = missing.length === 0 ? new Map<number, T>() : await count(missing);
    const ended = now();
    for (const campaign of missing) {
      const counts = counted.get(campaign.id);
      kept.delete(keyOf(campaign));
      if (counts !== undefined)
        kept.set(keyOf(campaign), { until: ended + Math.max(minMs, (ended - begun) * keptTimes), counts });
    }
    const found = new Map(
      asked.flatMap((campaign) => {
        const counts = counted.get(campaign.id) ?? kept.get(keyOf(campaign))?.counts;
        return counts === undefined ? [] : [[campaign.id, counts] as const];
      }),
    );
    for (const key of [...kept.keys()].slice(0, Math.max(0, kept.size - maxKept))) kept.delete(key);
    return found;
  };
}

/** Counts now. It uses only an index, which does not have the organization; that comes from the campaign. */
export async function countStates(
  db: DataSource,
  listed: readonly Pick<CampaignRow, 'id' | 'organizationId'>[],
): Promise<Map<number, StateCounts>> {
  const rows = await selectFrom(
    acrossOrganizations(db, 'the index has no organization: the campaigns that are joined have it'),
    campaignTargets,
    { as: 'target' },
  )
    .select('target.campaignId', 'campaign')
    .addSelect('target.state', 'state')
    .addSelect('COUNT(*)', 'count')
    .innerJoin(
      'campaigns',
      'campaign',
      'campaign.id = target.campaignId AND campaign.organizationId IN (:...organizationIds)',
      { organizationIds: [...new Set(listed.map(({ organizationId }) => organizationId))] },
    )
    .where('target.campaignId IN (:...ids)', { ids: listed.map(({ id }) => id) })
    .groupBy('target.campaignId')
    .addGroupBy('target.state')
    .getRawMany<{ campaign: string | number; state: TargetState; count: string | number }>();
  const counts = new Map<number, StateCounts>(listed.map(({ id }) => [id, noTargets]));
  for (const { campaign, state, count } of rows)
    counts.set(Number(campaign), { ...(counts.get(Number(campaign)) ?? noTargets), [state]: Number(count) });
  return counts;
}

/** One statement, so that all counts are of the same moment. */
async function countProgress(
  db: DataSource,
  { id, organizationId }: CampaignRow,
  at: Date,
): Promise<ProgressCounts> {
  const rows = await selectFrom(db, campaignTargets, { as: 'target', organizationId })
    .select('target.state', 'state')
    .addSelect('target.outcome', 'outcome')
    .addSelect('target.waitReason', 'waitReason')
    .addSelect('target.zoneKey', 'zoneKey')
    .addSelect('MIN(CASE WHEN target.dueAt > :at THEN target.dueAt END)', 'dueAt')
    .addSelect('COUNT(*)', 'count')
    .andWhere('target.campaignId = :id', { id, at })
    .groupBy('target.state')
    .addGroupBy('target.outcome')
    .addGroupBy('target.waitReason')
    .addGroupBy('target.zoneKey')
    .addGroupBy('COALESCE(target.dueAt > :at, FALSE)')
    .getRawMany<Omit<WaitGroup, 'rows'> & Counted>();
  const states = { ...noTargets };
  const outcomes: Record<string, number> = {};
  const waits: WaitGroup[] = [];
  for (const { state, outcome, count, ...group } of rows) {
    const counted = Number(count);
    states[state] += counted;
    if (state === 'queued' || state === 'waiting') waits.push({ ...group, rows: counted });
    else if (state !== 'processing' && outcome !== null)
      outcomes[outcome] = (outcomes[outcome] ?? 0) + counted;
  }
  return { at, states, outcomes, waits };
}

interface Counted {
  state: TargetState;
  outcome: string | null;
  count: string | number;
}

/** Uses only an index; the directory is the organization's (the join). */
async function countContacts(
  db: DataSource,
  { organizationId, directoryId, importNumber, afterRow }: PartOfImport,
): Promise<ZoneCount[]> {
  const rows: { zone_key: string; counted: string | number }[] = await queryRows(db, {
    organizationId,
    sql: `SELECT contact.zone_key, COUNT(*) AS counted
      FROM directories AS directory JOIN contacts AS contact ON contact.directory_id = directory.id
      WHERE directory.id = ? AND directory.organization_id = ? AND contact.import_number = ? AND contact.state = 'ok'${afterRow === 0 ? '' : ' AND contact.`row_number` > ?'}
      GROUP BY contact.zone_key`,
    values: [directoryId, organizationId, importNumber, ...(afterRow === 0 ? [] : [afterRow])],
  });
  return rows.map(({ zone_key: zoneKey, counted }) => ({ zoneKey, rows: Number(counted) }));
}
