import { changeRows, findRow, type Db } from '../../../db/rows.ts';
import { organizationDays } from '../../../db/tables/organization-days.ts';
import { InvariantError } from '../../../domain/errors.ts';
import type { DayUse } from '../../../domain/telephony/dial-rule.ts';
import { lastDays, type Day } from '../../../domain/usage/days.ts';
import { zoneOf } from './zone.ts';

/** An organization at a time. */
export interface OrganizationTime {
  db: Db;
  organizationId: number;
  now: Date;
}

/** What an organization has used on its present day. */
export interface Today {
  day: Day;
  use: DayUse;
}

/** What the organization has used today, by one row, and when its day ends. */
export async function readToday(at: OrganizationTime): Promise<Today> {
  const day = await todayOf(at);
  const row = await findRow(at.db, organizationDays, { organizationId: at.organizationId, day: day.date });
  return {
    day,
    use: {
      dials: row?.dials ?? 0,
      talkedSeconds: row?.talkedSeconds ?? 0,
      modelRequests: row?.modelRequests ?? 0,
    },
  };
}

/** Adds to what the organization has used today. */
export async function addToday(at: OrganizationTime, use: Partial<DayUse>): Promise<void> {
  const { date } = await todayOf(at);
  await insertOrAdd(at, date, use);
}

/** Counts one more dial of a day unless there are `max`; whether it did. */
export async function takeDial(
  at: OrganizationTime,
  { day, max }: { day: string; max: number },
): Promise<boolean> {
  if (await countDial(at, day, max)) return true;
  await insertOrAdd(at, day, {});
  return await countDial(at, day, max);
}

/** Takes back a dial that rang no phone. */
export async function returnDial(
  { db, organizationId }: Pick<OrganizationTime, 'db' | 'organizationId'>,
  day: string,
): Promise<void> {
  await changeRows(db, {
    organizationId,
    sql: 'UPDATE organization_days SET dials = dials - 1 WHERE organization_id = ? AND day = ? AND dials > 0',
    values: [organizationId, day],
  });
}

/** One statement, so that concurrent dials never exceed the maximum. */
async function countDial(
  { db, organizationId }: OrganizationTime,
  day: string,
  max: number,
): Promise<boolean> {
  const counted = await changeRows(db, {
    organizationId,
    sql: 'UPDATE organization_days SET dials = dials + 1 WHERE organization_id = ? AND day = ? AND dials < ?',
    values: [organizationId, day, max],
  });
  return counted === 1;
}

async function insertOrAdd(
  { db, organizationId }: OrganizationTime,
  day: string,
  { dials = 0, talkedSeconds = 0, modelRequests = 0 }: Partial<DayUse>,
): Promise<void> {
  const values = [dials, Math.ceil(talkedSeconds), modelRequests];
  await changeRows(db, {
    organizationId,
    sql: 'INSERT INTO organization_days (organization_id, day, dials, talked_seconds, model_requests) VALUES (?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE dials = dials + ?, talked_seconds = talked_seconds + ?, model_requests = model_requests + ?',
    values: [organizationId, day, ...values, ...values],
  });
}

async function todayOf({ db, organizationId, now }: OrganizationTime): Promise<Day> {
  const zone = await zoneOf({ db, organizationId });
  const [today] = lastDays({ now, zone, count: 1 });
  if (today === undefined) throw new InvariantError('A time is on no day');
  return today;
}
