import type { CallEvent, CallsEvent } from '../../contract/events.ts';

/** What a stream tells of a topic (contract 6.11). */
export type Told = { event: 'call'; data: CallEvent } | { event: 'calls'; data: CallsEvent };

/** A topic of an organization, and what was seen of it; null before the first time. */
export interface Place<Seen> {
  organizationId: number;
  id: number;
  seen: Seen | null;
}

/** What was seen in a place, and what of it is to be told: at first all of it, later null if nothing is new. */
export interface News<Seen> {
  seen: Seen;
  told: Told | null;
}

/** Reads many places at once. Answers one entry for each: null if what was seen before still holds. */
export type Reader<Seen> = (places: readonly Place<Seen>[]) => Promise<(News<Seen> | null)[]>;
