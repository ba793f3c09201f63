import { In, type DataSource } from 'typeorm';
import { acrossOrganizations, countRows, selectFrom } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { carrierEvents } from '../../../db/tables/carrier-events.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import { retentionPolicies } from '../../../db/tables/retention-policies.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { readCampaigns, type CampaignLoad } from './campaigns.ts';

export const liveCallStates = [
  'pending',
  'admitted',
  'talking',
  'ending',
] as const satisfies readonly CallRow['state'][];

/** The present load of all organizations. Ages are in seconds; 0 if nothing waits. */
export interface Load {
  liveCalls: Readonly<Record<(typeof liveCallStates)[number], number>>;
  waitingDeliveries: number;
  deadLetters: number;
  /** The age of the oldest waiting delivery. */
  oldestDeliverySeconds: number;
  /** How long ago the most overdue delivery should have been attempted. */
  overdueDeliverySeconds: number;
  /** Carrier events that are not delivered to their calls yet. */
  waitingEvents: number;
  oldestEventSeconds: number;
  /**
   * The time since retention was applied to the organization that has waited longest, or since its policy was
   * changed, if it was never applied.
   */
  retentionAgeSeconds: number;
  campaigns: CampaignLoad;
}

const why = 'the operator watches the load of all organizations, as counts and ages alone';

/** Reads the load of all organizations. */
export async function readLoad({ db, clock }: { db: DataSource; clock: Clock }): Promise<Load> {
  const [live, waiting, deadLetters, events, applied, campaigns] = await Promise.all([
    countLiveCalls(db),
    readWaiting(db),
    countRows(acrossOrganizations(db, why), deliveries, { state: 'dead_letter' }),
    readEvents(db),
    readRetention(db),
    readCampaigns(db, clock.now()),
  ]);
  const now = clock.now().getTime();
  const since = (timestamp: Date | null) =>
    timestamp === null ? 0 : Math.max(0, (now - timestamp.getTime()) / 1000);
  return {
    liveCalls: live,
    waitingDeliveries: waiting.count,
    deadLetters,
    oldestDeliverySeconds: since(waiting.oldest),
    overdueDeliverySeconds: since(waiting.due),
    waitingEvents: events.count,
    oldestEventSeconds: since(events.oldest),
    retentionAgeSeconds: since(applied),
    campaigns,
  };
}

/** Counts the live calls of all organizations. */
export async function countActiveCalls(db: DataSource): Promise<number> {
  return await countRows(acrossOrganizations(db, why), calls, { state: In([...liveCallStates]) });
}

async function countLiveCalls(db: DataSource): Promise<Load['liveCalls']> {
  const counts = await Promise.all(
    liveCallStates.map(
      async (state) => [state, await countRows(acrossOrganizations(db, why), calls, { state })] as const,
    ),
  );
  return { pending: 0, admitted: 0, talking: 0, ending: 0, ...Object.fromEntries(counts) };
}

async function readWaiting(
  db: DataSource,
): Promise<{ count: number; oldest: Date | null; due: Date | null }> {
  const found = await selectFrom(acrossOrganizations(db, why), deliveries, { as: 'delivery' })
    .select('COUNT(*)', 'count')
    .addSelect('MIN(delivery.created_at)', 'oldest')
    .addSelect('MIN(COALESCE(delivery.next_attempt_at, delivery.created_at))', 'due')
    .where('delivery.state = :state', { state: 'pending' })
    .getRawOne<{ count: string | number; oldest: Date | string | null; due: Date | string | null }>();
  return {
    count: Number(found?.count ?? 0),
    oldest: timestampOf(found?.oldest ?? null),
    due: timestampOf(found?.due ?? null),
  };
}

/** Reads only the index. */
async function readEvents(db: DataSource): Promise<{ count: number; oldest: Date | null }> {
  const found = await selectFrom(acrossOrganizations(db, why), carrierEvents, { as: 'event' })
    .select('COUNT(*)', 'count')
    .addSelect('MIN(event.received_at)', 'oldest')
    .where('event.delivered_at IS NULL')
    .getRawOne<{ count: string | number; oldest: Date | string | null }>();
  return { count: Number(found?.count ?? 0), oldest: timestampOf(found?.oldest ?? null) };
}

async function readRetention(db: DataSource): Promise<Date | null> {
  const found = await selectFrom(acrossOrganizations(db, why), retentionPolicies, { as: 'policy' })
    .select('MIN(COALESCE(policy.applied_at, policy.updated_at))', 'applied')
    .where('COALESCE(policy.transcript_days, policy.recording_days, policy.variable_days) IS NOT NULL')
    .getRawOne<{ applied: Date | string | null }>();
  return timestampOf(found?.applied ?? null);
}

/** The driver returns the timestamp of an expression as a date or as text in UTC. */
function timestampOf(value: Date | string | null): Date | null {
  if (value === null || value instanceof Date) return value;
  return new Date(`${value.replace(' ', 'T')}Z`);
}
