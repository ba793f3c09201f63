import { In, MoreThan, type DataSource } from 'typeorm';
import { acrossOrganizations, findRows, type Where } from '../../db/rows.ts';
import { calls, type CallRow, type CallState } from '../../db/tables/calls.ts';
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
 * Reads which calls of organizations are live, and at first nothing else; then those that began, changed or ended. Two
 * to four statements for all organizations.
 */
export const callsReader =
  (db: DataSource): Reader<CallsSeen> =>
  async (places) => {
    if (places.length === 0) return [];
    const all = acrossOrganizations(db, 'the organizations of all who follow their calls; each gets its own');
    const read = (where: Where<CallRow>) => findRows(all, calls, where, { select });
    const organizationId = In(places.map((place) => place.organizationId));
    const [last] = await findRows(all, calls, {}, { select, order: { id: 'DESC' }, take: 1 });
    const lastId = last?.id ?? 0;
    const known = Math.min(...places.map(({ seen }) => seen?.lastId ?? lastId));
    const fresh = known === lastId ? [] : await read({ organizationId, id: MoreThan(known) });
    const live = await read({ organizationId, state: In(liveStates) });
    const gone = places.flatMap(({ seen }) => [...(seen?.live.keys() ?? [])]).filter(isNotIn(live));
    const ended = gone.length === 0 ? [] : await read({ organizationId, id: In(gone) });
    const found = new Map([...fresh, ...live, ...ended].map((call) => [call.id, call]));
    return places.map((place) => newsOf(place, { all: [...found.values()], lastId }));
  };

const isNotIn = (live: readonly FoundCall[]) => {
  const ids = new Set(live.map(({ id }) => id));
  return (id: number): boolean => !ids.has(id);
};
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
