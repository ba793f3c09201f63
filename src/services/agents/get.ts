import type { EntityManager } from 'typeorm';
import type { Workflow } from '../../contract/agents.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { countCallsOf, findAgent, shownVersion } from './internal.ts';
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
  manager: EntityManager,
  ctx: ServiceContext,
  agentId: number,
): Promise<Workflow> {
  const agent = await findAgent(manager, ctx, agentId);
  const shown = await shownVersion(manager, agent);
  return toWorkflow({ agent, shown, callCount: await countCallsOf(manager, agent) });
}
