import { In, type DataSource } from 'typeorm';
import { acrossOrganizations, findRows, queryRows, type AcrossOrganizations } from '../../db/rows.ts';
import { calls, type CallState } from '../../db/tables/calls.ts';
import { wireCallState } from '../calls/index.ts';
import { type FoundCall, toListedCall } from './mapper.ts';
import type { News, Place, Reader } from './told.ts';

/** What was told of an organization's calls. */
export interface CallsSeen {
  /** State of each call that is live. */
  live: ReadonlyMap<number, CallState>;
  /** No call up to this id is new. */
  lastId: number;
}

const select = ['id', 'organizationId', 'agentId', 'campaignId', 'state', 'disposition'] as const;
const liveStates: readonly CallState[] = ['pending', 'admitted', 'talking', 'ending'];

/**
 * Reads which calls of organizations are live, and at first nothing else; then those that began, changed or ended. One
 * statement for all organizations, and another when calls have ended.
 */
export const callsReader =
  (db: DataSource): Reader<CallsSeen> =>
  async (places) => {
    if (places.length === 0) return [];
    const all = acrossOrganizations(db, 'the organizations of all who follow their calls; each gets its own');
    const known = await lastKnown(all, places);
    const found = await liveOrSince(
      all,
      places.map(({ organizationId }) => organizationId),
      known,
    );
    const present = new Set(found.map(({ id }) => id));
    const gone = places
      .flatMap(({ seen }) => [...(seen?.live.keys() ?? [])])
      .filter((id) => !present.has(id));
    const organizationId = In(places.map((place) => place.organizationId));
    const ended =
      gone.length === 0 ? [] : await findRows(all, calls, { organizationId, id: In(gone) }, { select });
    const lastId = Math.max(known, ...present);
    return places.map((place) => newsOf(place, { all: [...found, ...ended], lastId }));
  };

/** No call up to this id is new to any of them. */
async function lastKnown(all: AcrossOrganizations, places: readonly Place<CallsSeen>[]): Promise<number> {
  const ids = places.flatMap(({ seen }) => (seen === null ? [] : [seen.lastId]));
  if (ids.length > 0) return Math.min(...ids);
  const [last] = await findRows(all, calls, {}, { select: ['id'], order: { id: 'DESC' }, take: 1 });
  return last?.id ?? 0;
}

/** The live calls, and all that were written since. Two ways into the table, each by an index. */
async function liveOrSince(
  all: AcrossOrganizations,
  organizationIds: readonly number[],
  known: number,
): Promise<FoundCall[]> {
  const marks = (values: readonly unknown[]) => values.map(() => '?').join(', ');
  const of = `SELECT id, organization_id, agent_id, campaign_id, state, disposition FROM calls
    WHERE organization_id IN (${marks(organizationIds)})`;
  const rows: FoundRow[] = await queryRows(all, {
    sql: `${of} AND state IN (${marks(liveStates)}) UNION ${of} AND id > ?`,
    values: [...organizationIds, ...liveStates, ...organizationIds, known],
  });
  return rows.map(({ id, organization_id, agent_id, campaign_id, state, disposition }) => ({
    id: Number(id),
    organizationId: Number(organization_id),
    agentId: Number(agent_id),
    campaignId: campaign_id === null ? null : Number(campaign_id),
    state,
    disposition,
  }));
}

interface FoundRow {
  id: string | number;
  organization_id: string | number;
  agent_id: string | number;
  campaign_id: string | number | null;
  state: CallState;
  disposition: string | null;
}

const isLive = ({ state }: FoundCall): boolean => wireCallState[state] !== 'completed' && state !== 'created';

function newsOf(
  { organizationId, seen }: Place<CallsSeen>,
  { all, lastId }: { all: readonly FoundCall[]; lastId: number },
): News<CallsSeen> {
  const own = all.filter((call) => call.organizationId === organizationId);
  const live = new Map(own.filter(isLive).map(({ id, state }) => [id, state]));
  const isUnseen = ({ id, state }: FoundCall): boolean =>
    seen === null ? live.has(id) : seen.live.get(id) !== state && isKnown(id, seen);
  const isKnown = (id: number, { live: before, lastId: last }: CallsSeen): boolean =>
    live.has(id) || before.has(id) || id > last;
  const changed = own.filter(isUnseen);
  const isNews = seen === null || changed.length > 0;
  const told = { event: 'calls' as const, data: { calls: changed.map(toListedCall) } };
  return { seen: { live, lastId }, told: isNews ? told : null };
}
