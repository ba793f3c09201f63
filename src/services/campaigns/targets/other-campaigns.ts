import { counted } from '../../../domain/counted.ts';
import type { ZoneCount } from '../records/counts.ts';
import type { CampaignLogEntry } from '../records/log.ts';
import type { DataSource, EntityManager } from 'typeorm';
import { queryRows } from '../../../db/rows.ts';
import { maxCapMs } from '../../../domain/campaign/caps.ts';
import { unrungOutcomes } from '../../../domain/campaign/outcome.ts';

/** Contacts that another campaign has called lately, or is about to call. */
export interface SharedContacts {
  campaignId: number;
  name: string;
  called: number;
  waiting: number;
}

const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

/** Whether another campaign's row rang, or is being called. */
const rang = `(target.state = 'processing' OR (target.settled_at > ? AND target.outcome IS NOT NULL AND target.outcome NOT IN (${placeholders(unrungOutcomes)}, 'canceled')))`;
const isOpen = "other.stop_mode IS NULL AND other.state IN ('created', 'syncing', 'running', 'paused')";
/** Whether another campaign will call the row. */
const waits = `(target.state IN ('queued', 'waiting') AND ${isOpen})`;

interface Whose {
  organizationId: number;
  /** Campaigns that do not count: the campaign itself, and the one that it redials. */
  except: readonly number[];
  now: Date;
}

/**
 * How many callable contacts of an import another campaign of the organization has called within the longest
 * window of caps, or is about to call, also if it has not started. By campaign, the latest first.
 */
export async function findSharedContacts(
  db: DataSource,
  whose: Whose & { directoryId: number; importNumber: number },
): Promise<SharedContacts[]> {
  const { organizationId, directoryId, importNumber } = whose;
  const where =
    "contact.directory_id = ? AND contact.import_number = ? AND contact.organization_id = ? AND contact.state = 'ok'";
  const values = [directoryId, importNumber, organizationId];
  const joined = (table: string, as: string) =>
    `contacts AS contact JOIN ${table} AS ${as} ON ${as}.organization_id = contact.organization_id AND ${as}.phone = contact.phone`;
  return await shared(db, whose, {
    targets: { from: joined('campaign_targets', 'target'), where, values },
    unplanned: { from: joined('contacts', 'theirs'), where, values, counted: 'contact.`row_number`' },
  });
}

/** The same for some numbers of a directory that may have no import. */
export async function findSharedPhones(
  db: DataSource,
  whose: Whose & { directoryId: number; phones: readonly string[] },
): Promise<SharedContacts[]> {
  const { organizationId, directoryId, phones } = whose;
  if (phones.length === 0) return [];
  const ofPhones = (from: string, as: string) => ({
    from: `${from} AS ${as}`,
    where: `${as}.organization_id = ? AND ${as}.phone IN (${placeholders(phones)})`,
    values: [organizationId, ...phones],
  });
  const sums = new SharedSums();
  sums.add(
    await shared(db, whose, {
      targets: ofPhones('campaign_targets', 'target'),
      unplanned: { ...ofPhones('contacts', 'theirs'), counted: 'theirs.phone' },
    }),
  );
  // A campaign over a file that was not imported yet will call the same rows.
  const same: { id: string | number; name: string }[] = await queryRows(db, {
    organizationId,
    sql: `SELECT other.id, other.name FROM campaigns AS other JOIN directories AS directory ON directory.id = other.directory_id
      WHERE other.organization_id = ? AND other.directory_id = ? AND directory.state <> 'ready'
        AND other.import_number IS NULL AND ${isOpen} AND other.id NOT IN (${placeholders([0, ...whose.except])})
      ORDER BY other.id DESC LIMIT ${maxNamed}`,
    values: [organizationId, directoryId, 0, ...whose.except],
  });
  sums.add(same.map(({ id, name }) => ({ campaignId: Number(id), name, called: 0, waiting: phones.length })));
  return sums.all();
}

/** Campaigns that are named. */
const maxNamed = 20;

/** A part of a statement over the rows of other campaigns. */
interface Shared {
  from: string;
  where: string;
  values: unknown[];
}

interface OfCampaign {
  id: string | number;
  name: string;
  called: string | number;
  waiting: string | number;
}

async function shared(
  db: DataSource,
  { organizationId, except, now }: Whose,
  { targets, unplanned }: { targets: Shared; unplanned: Shared & { counted: string } },
): Promise<SharedContacts[]> {
  const since = new Date(now.getTime() - maxCapMs);
  const others: { id: string | number; isPlanned: string | number }[] = await queryRows(db, {
    organizationId,
    sql: `SELECT id, planned_at IS NOT NULL AS isPlanned FROM campaigns WHERE organization_id = ? AND id NOT IN (${placeholders([0, ...except])}) AND (completed_at IS NULL OR completed_at > ?)`,
    values: [organizationId, 0, ...except, since],
  });
  const sums = new SharedSums();
  const ids = others.map(({ id }) => Number(id));
  if (ids.length > 0)
    sums.add(
      await byCampaign(db, {
        organizationId,
        sql: `SELECT other.id, other.name, SUM(COALESCE(${rang}, 0)) AS called, SUM(${waits}) AS waiting
          FROM ${targets.from} JOIN campaigns AS other ON other.id = target.campaign_id
          WHERE ${targets.where} AND other.organization_id = ? AND target.campaign_id IN (${placeholders(ids)})
          GROUP BY other.id, other.name HAVING called > 0 OR waiting > 0 ORDER BY other.id DESC LIMIT ${maxNamed}`,
        values: [since, ...unrungOutcomes, ...targets.values, organizationId, ...ids],
      }),
    );
  const before = others.filter(({ isPlanned }) => Number(isPlanned) === 0).map(({ id }) => Number(id));
  if (before.length > 0)
    sums.add(
      await byCampaign(db, {
        organizationId,
        // guarantee: contacts-of-campaigns-before-their-start-are-counted
        sql: `SELECT other.id, other.name, 0 AS called, COUNT(DISTINCT ${unplanned.counted}) AS waiting
          FROM ${unplanned.from} JOIN campaigns AS other ON other.directory_id = theirs.directory_id
            JOIN directories AS directory ON directory.id = other.directory_id
          WHERE ${unplanned.where} AND other.organization_id = ? AND other.id IN (${placeholders(before)}) AND ${isOpen}
            AND directory.state = 'ready' AND theirs.import_number = COALESCE(other.import_number, directory.import_number)
            AND theirs.state = 'ok' AND theirs.\`row_number\` > other.planned_through_row
          GROUP BY other.id, other.name ORDER BY other.id DESC LIMIT ${maxNamed}`,
        values: [...unplanned.values, organizationId, ...before],
      }),
    );
  return sums.all();
}

async function byCampaign(
  db: DataSource,
  statement: { organizationId: number; sql: string; values: readonly unknown[] },
): Promise<SharedContacts[]> {
  const rows: OfCampaign[] = await queryRows(db, statement);
  return rows.map(({ id, name, called, waiting }) => ({
    campaignId: Number(id),
    name,
    called: Number(called),
    waiting: Number(waiting),
  }));
}

/** Sums of several look-ups, by campaign. */
export class SharedSums {
  readonly #sums = new Map<number, SharedContacts>();

  add(found: readonly SharedContacts[]): void {
    for (const each of found) {
      const sum = this.#sums.get(each.campaignId);
      this.#sums.set(each.campaignId, {
        ...each,
        called: each.called + (sum?.called ?? 0),
        waiting: each.waiting + (sum?.waiting ?? 0),
      });
    }
  }

  /** The latest campaigns first. */
  all(): SharedContacts[] {
    return [...this.#sums.values()]
      .toSorted((one, other) => other.campaignId - one.campaignId)
      .slice(0, maxNamed);
  }
}

/** What a campaign's log says about contacts that other campaigns call. */
export function sharedNotes(shared: readonly SharedContacts[]): CampaignLogEntry[] {
  // guarantee: contacts-of-other-campaigns-are-counted
  return shared.map(({ campaignId, name, called, waiting }) => ({
    level: 'warning',
    event: 'contacts_of_other_campaign',
    message: `The campaign '${name}' has called ${counted(called, 'contact')} of this one in the last 7 days, and is about to call ${waiting}`,
    details: { campaign_id: campaignId, called, waiting },
  }));
}

/** Which of these numbers another campaign of the organization has called since then, or is calling. */
export async function findRecentlyCalled(
  tx: EntityManager,
  {
    organizationId,
    phones,
    since,
    except,
  }: { organizationId: number; phones: readonly string[]; since: Date; except: readonly number[] },
): Promise<Set<string>> {
  if (phones.length === 0) return new Set();
  const rows: { phone: string }[] = await queryRows(tx, {
    organizationId,
    sql: `SELECT DISTINCT target.phone FROM campaign_targets AS target
      WHERE target.organization_id = ? AND target.phone IN (${placeholders(phones)}) AND target.campaign_id NOT IN (${placeholders(except)}) AND ${rang}`,
    values: [organizationId, ...phones, ...except, since, ...unrungOutcomes],
  });
  return new Set(rows.map(({ phone }) => phone));
}

/**
 * How many callable contacts of an import another campaign of the organization has called since then, or is
 * calling, by zone.
 */
export async function countRecentlyCalled(
  db: DataSource,
  {
    organizationId,
    directoryId,
    importNumber,
    since,
    except,
  }: {
    organizationId: number;
    directoryId: number;
    importNumber: number;
    since: Date;
    except: readonly number[];
  },
): Promise<ZoneCount[]> {
  const rows: { zone_key: string; counted: string | number }[] = await queryRows(db, {
    organizationId,
    sql: `SELECT contact.zone_key, COUNT(DISTINCT contact.\`row_number\`) AS counted
      FROM campaigns AS other JOIN campaign_targets AS target ON target.campaign_id = other.id
        JOIN contacts AS contact ON contact.organization_id = target.organization_id AND contact.phone = target.phone
      WHERE other.organization_id = ? AND (other.completed_at IS NULL OR other.completed_at > ?)
        AND other.id NOT IN (${placeholders([0, ...except])}) AND target.organization_id = ? AND ${rang}
        AND contact.organization_id = ? AND contact.directory_id = ? AND contact.import_number = ? AND contact.state = 'ok'
      GROUP BY contact.zone_key`,
    values: [
      organizationId,
      since,
      0,
      ...except,
      organizationId,
      since,
      ...unrungOutcomes,
      organizationId,
      directoryId,
      importNumber,
    ],
  });
  return rows.map(({ zone_key: zoneKey, counted: called }) => ({ zoneKey, rows: Number(called) }));
}
