import type { EntityManager } from 'typeorm';
import { findRow, getRow } from '../../../db/rows.ts';
import { agents, type AgentRow } from '../../../db/tables/agents.ts';
import { agentVersions, type AgentVersionRow } from '../../../db/tables/agent-versions.ts';
import type { CampaignRow } from '../../../db/tables/campaigns.ts';

/** The agent version that calls run now. */
export interface DialingVersion {
  agent: AgentRow;
  version: AgentVersionRow;
}

/** Why no call of the campaign can be made, to any contact. */
export type VersionFault = 'agent_archived' | 'agent_not_published';

/**
 * The version for the next calls: the one that the campaign was started with if it is pinned, otherwise the
 * published one (contract 11.6).
 */
export async function findDialingVersion(
  tx: EntityManager,
  { organizationId, agentId, versionId }: CampaignRow,
): Promise<DialingVersion | { fault: VersionFault }> {
  const agent = await getRow(tx, agents, { id: agentId, organizationId });
  if (agent.state === 'archived') return { fault: 'agent_archived' };
  const { publishedVersionId } = agent;
  // guarantee: pinned-campaign-keeps-version
  const version =
    publishedVersionId === null
      ? null
      : await findRow(tx, agentVersions, { id: versionId ?? publishedVersionId, agentId, organizationId });
  return version === null ? { fault: 'agent_not_published' } : { agent, version };
}
