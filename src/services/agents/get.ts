import type { EntityManager } from 'typeorm';
import type { Workflow } from '../../contract/agents.ts';
import { aliased, queryRows } from '../../db/rows.ts';
import { agents, type AgentRow } from '../../db/tables/agents.ts';
import { agentVersions, type AgentVersionRow } from '../../db/tables/agent-versions.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { agentNotFound } from './internal.ts';
import { toWorkflow } from './mapper.ts';

/** One agent with its draft, else its published version (contract 1.1). Throws NotFoundError. */
export async function getAgent({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { agentId: number };
}): Promise<Workflow> {
  return await readAgent(ctx.db.manager, ctx, input.agentId);
}

/** `getAgent` inside a transaction. */
export async function readAgent(
  db: EntityManager,
  ctx: Pick<ServiceContext, 'organizationId'>,
  agentId: number,
): Promise<Workflow> {
  return toWorkflow(await readShown(db, ctx, agentId));
}

/** An agent, the version that its record shows (contract 4.2), and how many calls it has had. */
export interface ShownAgent {
  agent: AgentRow;
  shown: AgentVersionRow;
  callCount: number;
}

/** Reads an agent with what its record shows, in one statement. `isLocked`: as `lockAgent`. Throws NotFoundError. */
export async function readShown(
  db: EntityManager,
  { organizationId }: Pick<ServiceContext, 'organizationId'>,
  agentId: number,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<ShownAgent> {
  const [agent, shown] = [aliased(db, agents, 'agent'), aliased(db, agentVersions, 'version')];
  const [found] = await queryRows<Record<string, unknown>>(db, {
    organizationId,
    sql: `SELECT ${agent.columns}, ${shown.columns},
        (SELECT COUNT(*) FROM calls WHERE organization_id = agent.organization_id AND agent_id = agent.id) AS calls
      FROM agents agent
      JOIN agent_versions version ON version.id = COALESCE(agent.draft_version_id, agent.published_version_id)
        AND version.organization_id = agent.organization_id
      WHERE agent.id = ? AND agent.organization_id = ?${isLocked ? ' FOR UPDATE' : ''}`,
    values: [agentId, organizationId],
  });
  if (found === undefined) throw agentNotFound(agentId);
  return { agent: agent.rowOf(found), shown: shown.rowOf(found), callCount: Number(found['calls']) };
}
