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
  /**
   * Those that are to be dialed again first, by the moment they are due; then those never dialed, in the
   * campaign's order.
   */
  rowNumbers: number[];
  /** Rows that their hours put off or closed, and that are out of the way. There may be more behind them. */
  setAside: number;
}

/** Rows that may be dialed now, and what the others wait for. */
export interface Candidates extends Found {
  /**
   * The next moment at which another one may be, and why not before; null when none is left, or none ever may
   * be.
   */
  next: { at: Date; reason: WaitReason } | null;
  /** There are rows whose window never opens, and none of the campaign whose window does. */
  neverOpens: boolean;
}

interface Looking {
  campaign: Pick<CampaignRow, 'id' | 'organizationId' | 'plannedAt'>;
  rules: Pick<CampaignRules, 'window' | 'startOrder'>;
  now: Date;
  /** How many at most. */
  max: number;
}

/**
 * Looks; locks nothing but what it sets aside: what is due outside its window is put off until that opens,
 * and what was never dialed and never can be fails, unless that holds for all rows of the campaign: then its
 * hours are more likely a slip.
 */
export async function findCandidates(tx: EntityManager, looking: Looking): Promise<Candidates> {
  const windowOf = windows(looking);
  const due = await findDue(tx, looking, windowOf);
  const fresh = await findFresh(tx, { ...looking, max: looking.max - due.rowNumbers.length }, windowOf);
  const waiting = await nextWaiting(tx, looking);
  const moments = [fresh.next, waiting].filter((each) => each !== null);
  const next = moments.toSorted((one, other) => one.at.getTime() - other.at.getTime())[0] ?? null;
  return {
    rowNumbers: [...due.rowNumbers, ...fresh.rowNumbers],
    setAside: due.setAside + fresh.setAside,
    next,
    neverOpens: fresh.neverOpens,
  };
}

type WindowOf = (zoneKey: string) => WindowState;

/** Each zone is asked for once; where zones do not matter, once for all. */
function windows({ rules: { window }, now: at }: Looking): WindowOf {
  const known = new Map<string, WindowState>();
  return (zoneKey) => {
    const key = window.isByContact ? zoneKey : '';
    const state = known.get(key) ?? windowAt(window, { zones: zonesOf(key), at });
    known.set(key, state);
    return state;
  };
}

/** Rows that are due and looked at, at least: behind many that are closed another one may be open. */
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
 * By zone: within one they lie in order, so that the first ones of each are found without looking at the
 * rest.
 */
async function findFresh(tx: EntityManager, looking: Looking, windowOf: WindowOf): Promise<Candidates> {
  const {
    campaign,
    rules: { startOrder },
    now,
    max,
  } = looking;
  const { id, organizationId, plannedAt } = campaign;
  // In another order than the file's, the first is known when all are.
  if (plannedAt === null && (startOrder === 'priority' || startOrder === 'latest_first'))
    return { rowNumbers: [], setAside: 0, next: { at: now, reason: 'rows_are_read' }, neverOpens: false };
  const states = (await zonesInState(tx, id, 'queued')).map((zoneKey) => ({
    zoneKey,
    state: windowOf(zoneKey),
  }));
  const open = states.flatMap(({ zoneKey, state }) =>
    // guarantee: pacer-dials-nobody-before
    state.isOpen ? [{ zoneKey, closesMs: state.closesAt?.getTime() ?? Infinity }] : [],
  );
  const opens = states.flatMap(({ state }) =>
    state.isOpen || state.opensAt === null ? [] : [state.opensAt.getTime()],
  );
  const never = states.flatMap(({ zoneKey, state }) =>
    state.isOpen || state.opensAt !== null ? [] : [zoneKey],
  );
  // guarantee: rows-hours-never-open
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
    // guarantee: nights-clocks-change-pacer
    next: opens.length === 0 ? null : { at: new Date(Math.min(...opens)), reason: 'outside_window' },
    neverOpens: isSlip,
  };
}

/** Zones that are found one by one; of a file with more, all rows that are left are gone through. */
const zonesOneByOne = 32;

/**
 * Zones of the rows in that state. From the first row of one zone to the first of the next it is one step
 * over an index, however many rows lie between; a DISTINCT reads them all, a third of a second of a million
 * rows, while the organization's row is held.
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

/** Rows that are dialed already, or over, tell, too, whether the hours as they are open for anybody. */
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
