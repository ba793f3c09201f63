import type { EntityManager } from 'typeorm';
import { acrossOrganizations, queryRows } from '../../../db/rows.ts';
import type { TargetState } from '../../../db/tables/campaign-targets.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import type { CampaignRules } from '../../../domain/campaign/rules.ts';
import type { WaitReason } from '../../../domain/campaign/wait-reason.ts';
import { windowAt, type WindowState } from '../../../domain/campaign/windows.ts';
import { zonesOf } from '../../../domain/phone/zones.ts';
import { failUnopened, putOff } from './put-off.ts';
import { readTimestamp } from './raw.ts';

interface Found {
  /** First the retries, by due time; then rows never dialed, in the campaign's order. */
  rowNumbers: number[];
  /** Rows that were postponed or closed because of their hours. There may be more after them. */
  setAside: number;
}

/** Rows that may be dialed now, and why the others wait. */
export interface Candidates extends Found {
  /** The next time at which another row may be dialed, and why not before; null if there is none. */
  next: { at: Date; reason: WaitReason } | null;
  /** Some rows have a window that never opens, and no row of the campaign has one that opens. */
  neverOpens: boolean;
}

interface Looking {
  campaign: Pick<CampaignRow, 'id' | 'organizationId' | 'plannedAt'>;
  rules: Pick<CampaignRules, 'window' | 'startOrder'>;
  now: Date;
  /** Maximum number of rows. */
  max: number;
}

/**
 * Finds candidates. It locks nothing but the rows that it sets aside: a due row outside its window is
 * postponed until the window opens, and a row never dialed whose window never opens fails. If that holds for
 * all rows of the campaign, none fails, because the hours are more likely a mistake.
 */
export async function findCandidates(tx: EntityManager, looking: Looking): Promise<Candidates> {
  const windowOf = windows(looking);
  const due = await findDue(tx, looking, windowOf);
  const fresh = await findFresh(tx, { ...looking, max: looking.max - due.rowNumbers.length }, windowOf);
  const waiting = await nextWaiting(tx, looking);
  const times = [fresh.next, waiting].filter((each) => each !== null);
  const next = times.toSorted((one, other) => one.at.getTime() - other.at.getTime())[0] ?? null;
  return {
    rowNumbers: [...due.rowNumbers, ...fresh.rowNumbers],
    setAside: due.setAside + fresh.setAside,
    next,
    neverOpens: fresh.neverOpens,
  };
}

type WindowOf = (zoneKey: string) => WindowState;

/** Computes the window once per zone, or once for all rows if zones do not matter. */
function windows({ rules: { window }, now: at }: Looking): WindowOf {
  const known = new Map<string, WindowState>();
  return (zoneKey) => {
    const key = window.isByContact ? zoneKey : '';
    const state = known.get(key) ?? windowAt(window, { zones: zonesOf(key), at });
    known.set(key, state);
    return state;
  };
}

/** Minimum number of due rows to look at: after many closed ones, another may be open. */
const dueAtOnce = 200;

async function findDue(
  tx: EntityManager,
  { campaign, now, max }: Looking,
  windowOf: WindowOf,
): Promise<Found> {
  const { id, organizationId } = campaign;
  const sql =
    "SELECT `row_number` AS row_no, zone_key FROM campaign_targets WHERE campaign_id = ? AND organization_id = ? AND state = 'waiting' AND due_at <= ? ORDER BY due_at LIMIT ?";
  const rows: { row_no: string | number; zone_key: string }[] = await queryRows(tx, {
    organizationId,
    sql,
    values: [id, organizationId, now, Math.max(max, dueAtOnce)],
  });
  const all = rows.map(({ row_no: row, zone_key: zoneKey }) => ({
    rowNumber: Number(row),
    state: windowOf(zoneKey),
  }));
  const open = all.flatMap(({ rowNumber, state }) => (state.isOpen ? [rowNumber] : []));
  const closed = all.flatMap(({ rowNumber, state }) =>
    state.isOpen ? [] : [{ rowNumber, opensAt: state.opensAt }],
  );
  return { rowNumbers: open.slice(0, max), setAside: await putOff(tx, campaign, { rows: closed, now }) };
}

/**
 * Per zone, because within one the rows lie in order. So the first rows of each zone are found without
 * reading the rest.
 */
async function findFresh(tx: EntityManager, looking: Looking, windowOf: WindowOf): Promise<Candidates> {
  const {
    campaign,
    rules: { startOrder },
    now,
    max,
  } = looking;
  const { id, organizationId, plannedAt } = campaign;
  // If the order differs from the file's, the first row is known only after all rows are planned.
  if (plannedAt === null && (startOrder === 'priority' || startOrder === 'latest_first'))
    return { rowNumbers: [], setAside: 0, next: { at: now, reason: 'rows_are_read' }, neverOpens: false };
  const states = (await zonesInState(tx, id, 'queued')).map((zoneKey) => ({
    zoneKey,
    state: windowOf(zoneKey),
  }));
  const open = states.flatMap(({ zoneKey, state }) =>
    // guarantee: closed-zones-not-claimed
    state.isOpen ? [{ zoneKey, closesMs: state.closesAt?.getTime() ?? Infinity }] : [],
  );
  const opens = states.flatMap(({ state }) =>
    state.isOpen || state.opensAt === null ? [] : [state.opensAt.getTime()],
  );
  const never = states.flatMap(({ zoneKey, state }) =>
    state.isOpen || state.opensAt !== null ? [] : [zoneKey],
  );
  // guarantee: never-open-rows-fail-alone
  const isSlip =
    never.length > 0 && never.length === states.length && !(await opensForSome(tx, id, windowOf));
  const setAside =
    never.length === 0 || isSlip ? 0 : await failUnopened(tx, campaign, { zoneKeys: never, now });
  const found =
    max < 1 || open.length === 0
      ? []
      : await firstOfEach(tx, { id, organizationId, max, zoneKeys: open.map(({ zoneKey }) => zoneKey) });
  const closesOf = new Map(open.map(({ zoneKey, closesMs }) => [zoneKey, closesMs]));
  const ordered =
    startOrder === 'closing_window'
      ? found.toSorted(
          (one, other) =>
            (closesOf.get(one.zoneKey) ?? 0) - (closesOf.get(other.zoneKey) ?? 0) ||
            one.position - other.position,
        )
      : found.toSorted((one, other) => one.position - other.position);
  return {
    rowNumbers: ordered.slice(0, Math.max(0, max)).map(({ rowNumber }) => rowNumber),
    setAside,
    // guarantee: pacer-wakes-at-next-opening
    next: opens.length === 0 ? null : { at: new Date(Math.min(...opens)), reason: 'outside_window' },
    neverOpens: isSlip,
  };
}

/** Maximum number of zones that are queried one by one. With more, all remaining rows are read. */
const zonesOneByOne = 32;

/**
 * Zones of the rows in that state. A loose index scan: it steps from the first row of one zone to the first
 * of the next, however many rows lie between. A DISTINCT would read them all, a third of a second for a
 * million rows, while the organization's row is locked.
 */
async function zonesInState(tx: EntityManager, id: number, state: TargetState): Promise<string[]> {
  const zones: string[] = [];
  for (let last = ''; zones.length < zonesOneByOne; last = zones.at(-1) ?? '') {
    const sql = `SELECT zone_key FROM campaign_targets WHERE campaign_id = ? AND state = ? AND zone_key ${zones.length === 0 ? '>=' : '>'} ? ORDER BY zone_key LIMIT 1`;
    const [next]: { zone_key: string }[] = await queryRows(
      acrossOrganizations(tx, 'an index that has no organization, by the id of a campaign whose row is read'),
      { sql, values: [id, state, last] },
    );
    if (next === undefined) return zones;
    zones.push(next.zone_key);
  }
  const rest: { zone_key: string }[] = await queryRows(
    acrossOrganizations(tx, 'an index that has no organization, by the id of a campaign whose row is read'),
    {
      sql: 'SELECT DISTINCT zone_key FROM campaign_targets WHERE campaign_id = ? AND state = ? AND zone_key > ?',
      values: [id, state, zones.at(-1)],
    },
  );
  return [...zones, ...rest.map(({ zone_key: zoneKey }) => zoneKey)];
}

/** Rows that are dialed or over count, too, because they also show whether the hours open for any contact. */
async function opensForSome(tx: EntityManager, id: number, windowOf: WindowOf): Promise<boolean> {
  for (const state of ['processed', 'processing', 'waiting', 'failed'] as const) {
    const windows = (await zonesInState(tx, id, state)).map(windowOf);
    if (windows.some((window) => window.isOpen || window.opensAt !== null)) return true;
  }
  return false;
}

interface Fresh {
  rowNumber: number;
  zoneKey: string;
  position: number;
}

async function firstOfEach(
  tx: EntityManager,
  {
    id,
    organizationId,
    max,
    zoneKeys,
  }: { id: number; organizationId: number; max: number; zoneKeys: string[] },
): Promise<Fresh[]> {
  const one =
    "(SELECT `row_number` AS row_no, zone_key, position FROM campaign_targets WHERE campaign_id = ? AND state = 'queued' AND zone_key = ? AND organization_id = ? ORDER BY position LIMIT ?)";
  const rows: { row_no: string | number; zone_key: string; position: string | number }[] = await queryRows(
    tx,
    {
      organizationId,
      sql: zoneKeys.map(() => one).join(' UNION ALL '),
      values: zoneKeys.flatMap((zoneKey) => [id, zoneKey, organizationId, max]),
    },
  );
  return rows.map(({ row_no: rowNumber, zone_key: zoneKey, position }) => ({
    rowNumber: Number(rowNumber),
    zoneKey,
    position: Number(position),
  }));
}

async function nextWaiting(
  tx: EntityManager,
  { campaign: { id, organizationId } }: Looking,
): Promise<Candidates['next']> {
  const sql =
    "SELECT due_at, wait_reason FROM campaign_targets WHERE campaign_id = ? AND organization_id = ? AND state = 'waiting' ORDER BY due_at LIMIT 1";
  const [row]: { due_at: Date | string; wait_reason: WaitReason | null }[] = await queryRows(tx, {
    organizationId,
    sql,
    values: [id, organizationId],
  });
  return row === undefined ? null : { at: readTimestamp(row.due_at), reason: row.wait_reason ?? 'retry' };
}
