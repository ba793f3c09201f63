import { In, type DataSource } from 'typeorm';
import { acrossOrganizations, findRows } from '../../db/rows.ts';
import { agents } from '../../db/tables/agents.ts';
import { campaigns } from '../../db/tables/campaigns.ts';
import { directories } from '../../db/tables/directories.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createCampaignCounts } from '../campaigns/index.ts';
import { toAgentEvent, toCampaignEvent, toDirectoryEvent } from './mapper.ts';
import type { Reader, Told } from './told.ts';

const why = 'what all streams follow; each gets its own';

/** Reads campaigns with counts of their rows, which may be a fraction of a second old. */
export function campaignReader(db: DataSource, clock: Clock): Reader<Told> {
  const counts = createCampaignCounts(db, clock);
  return reader(async (ids) => {
    const rows = await findRows(acrossOrganizations(db, why), campaigns, { id: In(ids) });
    const states = await counts.states(rows);
    return rows.map((row) => [row, { event: 'campaign', data: toCampaignEvent(row, states.get(row.id)) }]);
  });
}

/** Reads how far files are read. */
export const directoryReader = (db: DataSource): Reader<Told> =>
  reader(async (ids) => {
    const rows = await findRows(acrossOrganizations(db, why), directories, { id: In(ids) });
    return rows.map((row) => [row, { event: 'directory', data: toDirectoryEvent(row) }]);
  });

/** Reads which versions agents have. */
export const agentReader = (db: DataSource): Reader<Told> =>
  reader(async (ids) => {
    const rows = await findRows(acrossOrganizations(db, why), agents, { id: In(ids) });
    return rows.map((row) => [row, { event: 'agent', data: toAgentEvent(row) }]);
  });

type Found = [{ id: number; organizationId: number }, Told];

/** Tells the facts of a topic as a whole, whenever one of them has changed. */
const reader =
  (read: (ids: readonly number[]) => Promise<Found[]>): Reader<Told> =>
  async (places) => {
    const found = new Map(
      (await read(places.map(({ id }) => id))).map(([{ id, organizationId }, told]) => [
        `${organizationId} ${id}`,
        told,
      ]),
    );
    return places.map(({ organizationId, id, seen }) => {
      const told = found.get(`${organizationId} ${id}`);
      return told === undefined || JSON.stringify(told) === JSON.stringify(seen)
        ? null
        : { seen: told, told };
    });
  };
