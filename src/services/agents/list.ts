import { In } from 'typeorm';
import type { WorkflowListItem } from '../../contract/agents.ts';
import { findRows } from '../../db/rows.ts';
import { agents, type AgentState } from '../../db/tables/agents.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { countCalls } from './internal.ts';
import { toWorkflowListItem } from './mapper.ts';

/** The organization's agents in these states, newest first (contract 1.4). */
export async function listAgents({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { states: AgentState[] };
}): Promise<WorkflowListItem[]> {
  const rows = await findRows(
    ctx.db,
    agents,
    { organizationId: ctx.organizationId, state: In(input.states) },
    { order: { createdAt: 'DESC', id: 'DESC' } },
  );
  const counts = await countCalls(
    ctx.db.manager,
    ctx.organizationId,
    rows.map((row) => row.id),
  );
  return rows.map((agent) => toWorkflowListItem({ agent, callCount: counts.get(agent.id) ?? 0 }));
}
