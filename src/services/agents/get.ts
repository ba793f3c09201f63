import type { Workflow } from '../../contract/agents.ts';
import type { ServiceContext } from '../context.ts';
import { countCalls, findAgent, shownVersion } from './internal.ts';
import { toWorkflow } from './mapper.ts';

/** One agent with its draft, else its published version (contract 1.1). Throws NotFoundError. */
export async function getAgent({ ctx, input }: { ctx: ServiceContext; input: { agentId: number } }): Promise<Workflow> {
  const agent = await findAgent(ctx.db.manager, ctx, input.agentId);
  const [shown, counts] = await Promise.all([shownVersion(ctx.db.manager, agent), countCalls(ctx.db.manager, ctx.organizationId, [agent.id])]);
  return toWorkflow({ agent, shown, callCount: counts.get(agent.id) ?? 0 });
}
