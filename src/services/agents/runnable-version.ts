import type { EntityManager } from 'typeorm';
import type { AgentRow } from '../../db/tables/agents.ts';
import type { AgentVersionRow } from '../../db/tables/agent-versions.ts';
import { compilePlan, type Plan } from '../../domain/graph/compile.ts';
import { GraphError } from '../../domain/graph/faults.ts';
import { validateDefinition } from '../../domain/graph/validate.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { toolsOfGraph } from './agent-tools/graph-tools.ts';
import { findAgent, shownVersion } from './internal.ts';

/** A version that a call may use, and its plan. */
export interface RunnableVersion {
  agent: AgentRow;
  version: AgentVersionRow;
  plan: Plan;
}

/**
 * The version of a test conversation: the draft, else the published one (contract 4.3, 6.10). Throws
 * NotFoundError, and GraphError (422) when its graph cannot run.
 */
export async function findRunnableVersion(
  manager: EntityManager,
  ctx: ServiceContext,
  agentId: number,
): Promise<RunnableVersion> {
  return await runnableTestVersion(manager, ctx, await findAgent(manager, ctx, agentId));
}

/** The version of a test conversation with that agent. Throws GraphError (422). */
export async function runnableTestVersion(
  manager: EntityManager,
  ctx: ServiceContext,
  agent: AgentRow,
): Promise<RunnableVersion> {
  return await requireRunnable(manager, ctx, { agent, version: await shownVersion(manager, agent) });
}

/** The version with its plan. Throws GraphError (422) when its graph cannot run. */
export async function requireRunnable(
  manager: EntityManager,
  ctx: ServiceContext,
  { agent, version }: Omit<RunnableVersion, 'plan'>,
): Promise<RunnableVersion> {
  // A change of a tool stops no agent: a transfer without a list of destinations fails by itself.
  const { toolNames } = await toolsOfGraph(manager, ctx.organizationId, version.definition);
  const { is_valid, errors } = validateDefinition(version.definition, { toolNames });
  if (!is_valid) throw new GraphError(errors, { status: 422 });
  return { agent, version, plan: compilePlan(version.definition) };
}
