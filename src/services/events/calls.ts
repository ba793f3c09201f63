import type { DataSource } from 'typeorm';
import type { LiveRun } from '../../contract/calls.ts';
import {
  type CallMark,
  type CallParts,
  checkpointOf,
  liveRun,
  readCallMarks,
  readCallParts,
} from '../calls/index.ts';
import type { News, Place, Reader } from './told.ts';

/** What was told of a call. */
export interface CallSeen {
  mark: CallMark;
  parts: CallParts;
  events: LiveRun['events'];
}

/** Reads calls with their words: one statement for the marks of all, and one for each kind of part that has changed. */
export const callReader =
  (db: DataSource): Reader<CallSeen> =>
  async (places) => {
    const marks = await readCallMarks(db, places.map(markedPlace));
    const changed = places.flatMap((place) => {
      const mark = marks.get(place.id);
      return mark === undefined || isSame(mark, place.seen?.mark) ? [] : [{ place, mark }];
    });
    const parts = await readCallParts(
      db,
      changed.map(({ place: { organizationId, id, seen }, mark }) => ({
        place: { organizationId, callId: id },
        mark,
        known: seen,
      })),
    );
    const news = new Map(changed.map(({ place, mark }, index) => [place, newsOf(place, mark, parts[index])]));
    return places.map((place) => news.get(place) ?? null);
  };

const markedPlace = ({ organizationId, id: callId, seen }: Place<CallSeen>) => ({
  organizationId,
  callId,
  turnIndex: seen === null ? -1 : checkpointOf(seen.parts).turnIndex,
});

const isSame = (mark: CallMark, before: CallMark | undefined): boolean =>
  JSON.stringify(mark) === JSON.stringify(before);

function newsOf(
  { seen }: Place<CallSeen>,
  mark: CallMark,
  parts: CallParts | undefined,
): News<CallSeen> | null {
  const run = parts === undefined ? null : liveRun(parts);
  if (parts === undefined || run === null) return null;
  const known = seen?.events ?? [];
  const differs = run.events.findIndex((each, index) => !isSameEvent(each, known[index]));
  const from = differs === -1 ? run.events.length : differs;
  return {
    seen: { mark, parts, events: run.events },
    told: { event: 'call', data: { ...run, events: run.events.slice(from), from } },
  };
}

/** Events of turns that were not read again are the same objects. */
const isSameEvent = (event: object, known: object | undefined): boolean =>
  event === known || JSON.stringify(event) === JSON.stringify(known);
