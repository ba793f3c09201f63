import { In } from 'typeorm';
import type { WorkflowSummary } from '../../contract/agent-library.ts';
import { findRows } from '../../db/rows.ts';
import { agents, type AgentState } from '../../db/tables/agents.ts';
import type { ServiceContext } from '../kernel/index.ts';

/** Id and name of the organization's agents in these states, newest first (contract 1.4). */
export async function summarizeAgents({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { states: AgentState[] };
}): Promise<WorkflowSummary[]> {
  return await findRows(
    ctx.db,
    agents,
    { organizationId: ctx.organizationId, state: In(input.states) },
    { select: ['id', 'name'], order: { createdAt: 'DESC', id: 'DESC' } },
  );
}
