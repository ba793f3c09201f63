import { AgentEvent, CallEvent, CallsEvent, CampaignEvent, DirectoryEvent } from '../../contract/events.ts';

/** Schemas of what a stream tells of topics (contract 6.11). */
export const toldSchemas = {
  call: CallEvent,
  calls: CallsEvent,
  campaign: CampaignEvent,
  directory: DirectoryEvent,
  agent: AgentEvent,
};

/** What a stream tells of a topic. */
export type Told =
  | { event: 'call'; data: CallEvent }
  | { event: 'calls'; data: CallsEvent }
  | { event: 'campaign'; data: CampaignEvent }
  | { event: 'directory'; data: DirectoryEvent }
  | { event: 'agent'; data: AgentEvent };

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
