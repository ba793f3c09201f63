import type { DataSource } from 'typeorm';
import { acrossOrganizations, selectFrom } from '../../../db/rows.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import { campaignTargets, type TargetState } from '../../../db/tables/campaign-targets.ts';
import type { WaitGroup } from '../../../domain/campaign/wait-counts.ts';

/** Targets of one campaign by state. */
export type StateCounts = Readonly<Record<TargetState, number>>;

/** The same, with ended targets by outcome. */
export type OutcomeCounts = Readonly<Record<string, number>>;

/** Counts of targets for answers: at most a second old, or ten times as old as the count took. */
export interface CampaignCounts {
  /** By state, for each campaign; all zero for a campaign without targets. */
  states: (campaigns: readonly CampaignRow[]) => Promise<Map<number, StateCounts>>;
  outcomes: (campaign: CampaignRow) => Promise<OutcomeCounts>;
  /** Rows that wait, by what they wait for. */
  waits: (campaign: CampaignRow) => Promise<readonly WaitGroup[]>;
}

/** Of a campaign without targets. */
export const noTargets: StateCounts = { queued: 0, waiting: 0, processing: 0, processed: 0, failed: 0 };
const minMs = 1000;
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
  now: () => number = () => performance.now(),
): CampaignCounts {
  const states = keeper<StateCounts>(now);
  const outcomes = keeper<OutcomeCounts>(now);
  const waits = keeper<readonly WaitGroup[]>(now);
  const one = async <T>(keep: Keep<T>, campaign: CampaignRow, count: () => Promise<T>) =>
    (await keep([campaign], async () => new Map([[campaign.id, await count()]]))).get(campaign.id);
  return {
    states: async (campaigns) => await states(campaigns, (missing) => countStates(db, missing)),
    outcomes: async (campaign) => (await one(outcomes, campaign, () => countOutcomes(db, campaign))) ?? {},
    waits: async (campaign) => (await one(waits, campaign, () => countWaits(db, campaign))) ?? [],
  };
}

type Count<T> = (missing: readonly CampaignRow[]) => Promise<Map<number, T>>;
type Keep<T> = (campaigns: readonly CampaignRow[], count: Count<T>) => Promise<Map<number, T>>;

/** Keeps counts by the campaign's state, so that a change of state is visible at once. */
function keeper<T>(now: () => number): Keep<T> {
  const kept = new Map<string, { until: number; counts: T }>();
  const keyOf = ({ id, state, stopMode }: CampaignRow) => `${id} ${state} ${stopMode}`;
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

async function countOutcomes(db: DataSource, { id, organizationId }: CampaignRow): Promise<OutcomeCounts> {
  const rows = await selectFrom(db, campaignTargets, { as: 'target', organizationId })
    .select('target.outcome', 'outcome')
    .addSelect('COUNT(*)', 'count')
    .andWhere('target.campaignId = :id AND target.state IN (:...over) AND target.outcome IS NOT NULL', {
      id,
      over: ['processed', 'failed'],
    })
    .groupBy('target.outcome')
    .getRawMany<{ outcome: string; count: string | number }>();
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, Number(count)]));
}

async function countWaits(db: DataSource, { id, organizationId }: CampaignRow): Promise<WaitGroup[]> {
  const now = new Date();
  const rows = await selectFrom(db, campaignTargets, { as: 'target', organizationId })
    .select('target.waitReason', 'waitReason')
    .addSelect('target.zoneKey', 'zoneKey')
    .addSelect('MIN(CASE WHEN target.dueAt > :now THEN target.dueAt END)', 'dueAt')
    .addSelect('COUNT(*)', 'count')
    .andWhere('target.campaignId = :id AND target.state IN (:...open)', {
      id,
      open: ['queued', 'waiting'],
      now,
    })
    .groupBy('target.waitReason')
    .addGroupBy('target.zoneKey')
    .addGroupBy('COALESCE(target.dueAt > :now, FALSE)')
    .getRawMany<{ waitReason: string | null; zoneKey: string; dueAt: Date | null; count: string | number }>();
  return rows.map(({ count, ...group }) => ({ ...group, rows: Number(count) }));
}
