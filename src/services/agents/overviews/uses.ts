import { In } from 'typeorm';
import type { WorkflowOverview } from '../../../contract/agent-overviews.ts';
import { findRows } from '../../../db/rows.ts';
import { campaigns } from '../../../db/tables/campaigns.ts';
import { phoneNumbers } from '../../../db/tables/phone-numbers.ts';
import { triggerPaths } from '../../../db/tables/trigger-paths.ts';
import { openCampaignStates } from '../../../domain/campaign/state.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** What uses each agent: campaigns, phone numbers and trigger paths (contract 1.5). */
export async function usesOf(
  { db, organizationId }: ServiceContext,
  agentIds: readonly number[],
): Promise<(agentId: number) => WorkflowOverview['used_by']> {
  const [agentId, inboundAgentId] = [In([...agentIds]), In([...agentIds])];
  const ofCampaigns = await findRows(
    db,
    campaigns,
    { organizationId, agentId, state: In([...openCampaignStates]) },
    { select: ['id', 'name', 'state', 'agentId'], order: { id: 'DESC' } },
  );
  const ofNumbers = await findRows(
    db,
    phoneNumbers,
    { organizationId, inboundAgentId },
    { select: ['id', 'address', 'label', 'inboundAgentId'], order: { id: 'ASC' } },
  );
  const ofPaths = await findRows(db, triggerPaths, { organizationId, agentId }, { order: { path: 'ASC' } });
  const [byCampaign, byNumber, byPath] = [
    Map.groupBy(ofCampaigns, (row) => row.agentId),
    Map.groupBy(ofNumbers, (row) => row.inboundAgentId),
    Map.groupBy(ofPaths, (row) => row.agentId),
  ];
  return (id) => ({
    campaigns: (byCampaign.get(id) ?? []).map(({ id: campaignId, name, state }) => ({
      id: campaignId,
      name,
      state,
    })),
    phone_numbers: (byNumber.get(id) ?? []).map(({ id: numberId, address, label }) => ({
      id: numberId,
      address,
      label,
    })),
    trigger_paths: (byPath.get(id) ?? []).map(({ path }) => path),
  });
}
