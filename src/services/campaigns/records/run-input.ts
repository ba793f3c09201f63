import type { EntityManager } from 'typeorm';
import { getRow } from '../../../db/rows.ts';
import { agents } from '../../../db/tables/agents.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';
import { organizations } from '../../../db/tables/organizations.ts';
import type { CampaignInput } from '../../../temporal/port.ts';

/** The input of the campaign's Workflow. */
export async function runInputOf(manager: EntityManager, campaign: CampaignRow): Promise<CampaignInput> {
  const { organizationId } = campaign;
  const organization = await getRow(manager, organizations, { id: organizationId });
  const agent = await getRow(manager, agents, { id: campaign.agentId, organizationId });
  return {
    campaignId: campaign.id,
    campaignUuid: campaign.uuid,
    organizationId,
    organizationUuid: organization.uuid,
    agentUuid: agent.uuid,
  };
}
