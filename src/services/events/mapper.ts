import type { AgentEvent, CallsEvent, CampaignEvent, DirectoryEvent } from '../../contract/events.ts';
import type { AgentRow } from '../../db/tables/agents.ts';
import type { CallRow } from '../../db/tables/calls.ts';
import type { CampaignRow } from '../../db/tables/campaigns.ts';
import type { DirectoryRow } from '../../db/tables/directories.ts';
import { wireCallState } from '../calls/index.ts';
import { noTargets, type StateCounts } from '../campaigns/index.ts';
import { percentRead } from '../contacts/index.ts';
import { wireTimestamp } from '../kernel/index.ts';

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

/** Data of `campaign` (contract 6.11). */
export const toCampaignEvent = (
  { id, state, stopMode, waitReason }: CampaignRow,
  { queued, waiting, processing, processed, failed }: StateCounts = noTargets,
): CampaignEvent => ({
  id,
  state,
  stop_mode: stopMode,
  wait_reason: waitReason,
  rows: { queued, waiting, processing, processed, failed },
});

/** Data of `directory` (contract 6.11). */
export const toDirectoryEvent = (row: DirectoryRow): DirectoryEvent => ({
  id: row.id,
  state: row.state,
  import_number: row.importNumber,
  progress_percentage: percentRead(row),
});

/** Data of `agent` (contract 6.11). */
export const toAgentEvent = ({ id, lastVersionNumber, draftVersionId, updatedAt }: AgentRow): AgentEvent => ({
  id,
  last_version_number: lastVersionNumber,
  has_draft: draftVersionId !== null,
  updated_at: wireTimestamp(updatedAt),
});
