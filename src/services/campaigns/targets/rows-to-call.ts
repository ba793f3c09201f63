import type { DataSource } from 'typeorm';
import { queryRows } from '../../../db/rows.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import type { DirectoryRow } from '../../../db/tables/directories.ts';
import type { CampaignCounts, ZoneCount } from '../records/counts.ts';
import { countRecentlyCalled } from './other-campaigns.ts';

/** Rows of a zone that will be called. */
export interface ZoneRows extends ZoneCount {
  /** When the first of them is due; null = now. */
  dueAt: Date | null;
}

export interface RowsToCall {
  zones: ZoneRows[];
  /** Left out of them: blocked after the check of the file. */
  suppressed: number;
  /** Left out of them: called by another campaign. */
  recentlyCalled: number;
}

interface Counting {
  db: DataSource;
  counts: CampaignCounts;
  directory: Pick<DirectoryRow, 'id' | 'organizationId' | 'state' | 'importNumber' | 'importedAt'>;
  /** Null = it is not made yet. */
  campaign: CampaignRow | null;
  skipDays: number | null;
  now: Date;
}

const dayMs = 86_400_000;

/**
 * How many rows a campaign will call, by zone: its targets, and the contacts of its file that have none yet,
 * without those that the checks before each dial will refuse. Null if its file was not checked. It counts,
 * and never reads rows.
 */
export async function countRowsToCall(counting: Counting): Promise<RowsToCall | null> {
  const { counts, directory, campaign } = counting;
  const { organizationId, id: directoryId } = directory;
  const isPlanned = campaign !== null && campaign.plannedAt !== null;
  if (directory.state !== 'ready' && !isPlanned) return null;
  const importNumber = campaign?.importNumber ?? directory.importNumber;
  const afterRow = campaign?.plannedThroughRow ?? 0;
  const contacts = isPlanned
    ? []
    : await counts.contacts({ organizationId, directoryId, importNumber, afterRow });
  const targets =
    campaign === null || (campaign.plannedThroughRow === 0 && !isPlanned)
      ? []
      : (await counts.progress(campaign)).waits;
  const zones = [...contacts.map((each) => ({ ...each, dueAt: null })), ...targets];
  return without(zones, {
    suppressed: await countSuppressed(counting, importNumber),
    recentlyCalled: await recentlyCalled(counting, importNumber),
  });
}

/** A suppression ends the targets of its number at once, but changes no contact of a file. */
async function countSuppressed(
  { db, directory, campaign }: Counting,
  importNumber: number,
): Promise<ZoneCount[]> {
  const { organizationId, id, importedAt } = directory;
  if (importedAt === null || campaign?.plannedAt != null) return [];
  const rows: { zone_key: string; counted: string | number }[] = await queryRows(db, {
    organizationId,
    sql: `SELECT contact.zone_key, COUNT(*) AS counted
      FROM suppressions AS suppression JOIN contacts AS contact ON contact.organization_id = suppression.organization_id AND contact.phone = suppression.phone
      WHERE suppression.organization_id = ? AND suppression.created_at > ? AND contact.organization_id = ?
        AND contact.directory_id = ? AND contact.import_number = ? AND contact.state = 'ok' AND contact.\`row_number\` > ?
      GROUP BY contact.zone_key`,
    values: [organizationId, importedAt, organizationId, id, importNumber, campaign?.plannedThroughRow ?? 0],
  });
  return rows.map(({ zone_key: zoneKey, counted }) => ({ zoneKey, rows: Number(counted) }));
}

/** Only before the first dials: later, such rows have failed already. */
async function recentlyCalled(
  { db, directory, campaign, skipDays, now }: Counting,
  importNumber: number,
): Promise<ZoneCount[]> {
  if (skipDays === null || (campaign !== null && campaign.state !== 'created')) return [];
  return await countRecentlyCalled(db, {
    organizationId: directory.organizationId,
    directoryId: directory.id,
    importNumber,
    since: new Date(now.getTime() - skipDays * dayMs),
    except:
      campaign === null
        ? []
        : [campaign.id, ...(campaign.parentCampaignId === null ? [] : [campaign.parentCampaignId])],
  });
}

/** Takes the rows that are left out from the rows of their zones. */
function without(
  zones: readonly ZoneRows[],
  {
    suppressed,
    recentlyCalled: called,
  }: { suppressed: readonly ZoneCount[]; recentlyCalled: readonly ZoneCount[] },
): RowsToCall {
  const left = zones.map((each) => ({ ...each }));
  const take = (out: readonly ZoneCount[]): number => {
    let all = 0;
    for (const { zoneKey, rows } of out) {
      let more = rows;
      for (const zone of left.filter((each) => each.zoneKey === zoneKey)) {
        const taken = Math.min(zone.rows, more);
        zone.rows -= taken;
        more -= taken;
        all += taken;
      }
    }
    return all;
  };
  const counted = { suppressed: take(suppressed), recentlyCalled: take(called) };
  return { zones: left.filter(({ rows }) => rows > 0), ...counted };
}
