import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { findRow } from '../../db/rows.ts';
import { calls } from '../../db/tables/calls.ts';
import { liveRun, readCallMarks } from '../calls/index.ts';
import type { News, Place, Reader } from './told.ts';

/** What was told of a call. */
export interface CallSeen {
  mark: string;
  /** A hash of each event. */
  events: readonly string[];
}

/** Reads calls with their words: one statement for all, and more for those that have changed. */
export const callReader =
  (db: DataSource): Reader<CallSeen> =>
  async (places) => {
    const marks = await readCallMarks(
      db,
      places.map(({ organizationId, id }) => ({ organizationId, callId: id })),
    );
    const news: (News<CallSeen> | null)[] = [];
    for (const place of places) {
      const mark = marks.get(place.id);
      news.push(mark === undefined || mark === place.seen?.mark ? null : await newsOf(db, place, mark));
    }
    return news;
  };

async function newsOf(
  db: DataSource,
  { organizationId, id, seen }: Place<CallSeen>,
  mark: string,
): Promise<News<CallSeen> | null> {
  const call = await findRow(db, calls, { id, organizationId });
  if (call === null) return null;
  const run = await liveRun({ db, organizationId }, call);
  const events = run.events.map((event) => createHash('sha1').update(JSON.stringify(event)).digest('base64'));
  const differs = events.findIndex((each, index) => each !== seen?.events[index]);
  const from = differs === -1 ? events.length : differs;
  return {
    seen: { mark, events },
    told: { event: 'call', data: { ...run, events: run.events.slice(from), from } },
  };
}
