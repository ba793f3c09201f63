import { GraphError, type GraphValidation } from '../../domain/graph/faults.ts';
import { validateDefinition } from '../../domain/graph/validate.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { toolsOfGraph } from './agent-tools/graph-tools.ts';
import { findAgent, shownVersion } from './internal.ts';

/**
 * Checks the draft, else the published version, completely (contract 2.5). Throws NotFoundError, and
 * GraphError (422) with every fault.
 */
export async function validateAgent({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { agentId: number };
}): Promise<GraphValidation> {
  const agent = await findAgent(ctx.db.manager, ctx, input.agentId);
  const { definition } = await shownVersion(ctx.db.manager, agent);
  const result = validateDefinition(
    definition,
    await toolsOfGraph(ctx.db.manager, ctx.organizationId, definition),
  );
  if (!result.is_valid) throw new GraphError(result.errors, { status: 422 });
  return result;
}
