import type { CallsEvent } from '../../contract/events.ts';
import type { CallRow } from '../../db/tables/calls.ts';
import { wireCallState } from '../calls/index.ts';

export type FoundCall = Pick<
  CallRow,
  'id' | 'organizationId' | 'agentId' | 'campaignId' | 'state' | 'disposition'
>;

/** A call in the data of `calls` (contract 6.11). */
export const toListedCall = ({
  id,
  agentId,
  campaignId,
  state,
  disposition,
}: FoundCall): CallsEvent['calls'][number] => ({
  id,
  workflow_id: agentId,
  campaign_id: campaignId,
  state: wireCallState[state],
  disposition,
});
