import { In } from 'typeorm';
import { selectFrom } from '../../../db/rows.ts';
import { agents, type AgentRow } from '../../../db/tables/agents.ts';
import { agentVersions, type AgentVersionRow } from '../../../db/tables/agent-versions.ts';
import { nodesOf, ownList, ownObject, ownText } from '../../../domain/graph/definition.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** A node that offers a tool. */
export interface ToolUse {
  agent: Pick<AgentRow, 'id' | 'name'>;
  nodeId: string;
  nodeName: string | null;
}

/**
 * The nodes of active agents that offer each of the tools, each once, as the draft has it or else the published version.
 */
export async function usesOfTools(
  { db, organizationId }: ServiceContext,
  uuids: readonly string[],
): Promise<(uuid: string) => ToolUse[]> {
  const users = await selectFrom(db, agents, { as: 'agent', organizationId })
    .andWhere({ state: 'active' })
    .orderBy('agent.name')
    .addOrderBy('agent.id')
    .getMany();
  // Either may also stand in a text, so the nodes decide.
  const within = uuids.length === 1 ? `%${uuids[0]}%` : '%tool_uuids%';
  const versions = await selectFrom(db, agentVersions, { as: 'version', organizationId })
    .andWhere({ state: In(['draft', 'published']) })
    .andWhere('version.definition LIKE :within', { within })
    .orderBy('version.number', 'DESC')
    .getMany();
  const ofAgent = Map.groupBy(versions, ({ agentId }) => agentId);
  return (uuid) => users.flatMap((agent) => usesIn(agent, ofAgent.get(agent.id) ?? [], uuid));
}

function usesIn(agent: AgentRow, versions: readonly AgentVersionRow[], uuid: string): ToolUse[] {
  const uses = new Map<string, ToolUse>();
  for (const node of versions.flatMap(({ definition }) => nodesOf(definition))) {
    const data = ownObject(node, 'data');
    const nodeId = ownText(node, 'id');
    if (nodeId === undefined || uses.has(nodeId) || !ownList(data, 'tool_uuids').includes(uuid)) continue;
    uses.set(nodeId, { agent, nodeId, nodeName: ownText(data, 'name') ?? null });
  }
  return [...uses.values()];
}
