import type { EntityManager } from 'typeorm';
import { acrossOrganizations, findRow, getRow } from '../../db/rows.ts';
import { agents, type AgentRow } from '../../db/tables/agents.ts';
import { agentVersions, type AgentVersionRow } from '../../db/tables/agent-versions.ts';
import { triggerPaths } from '../../db/tables/trigger-paths.ts';
import { ForbiddenError, NotFoundError } from '../../domain/errors.ts';
import { isTriggerPath, triggerPathsOf } from '../../domain/graph/trigger-paths.ts';
import { isUuid } from '../../domain/uuid.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { requireRunnable, type RunnableVersion } from './runnable-version.ts';

/** How a trigger names its agent (contract 5.1). */
export type TriggerAddress = { kind: 'path'; path: string } | { kind: 'uuid'; uuid: string };

export interface TriggerTarget {
  address: TriggerAddress;
  /** True for the draft if there is one; false for the published version only. */
  isTest: boolean;
}

/**
 * Finds the version that a trigger calls. The path must be in the graph that would run: production keeps the
 * published paths, whatever the draft changes (contract 4.3). The checks are in the order of contract 5.2.
 *
 * Throws NotFoundError; ForbiddenError for a path of another organization; GraphError (422) for a graph that
 * cannot run.
 */
export async function findTriggeredVersion(
  manager: EntityManager,
  ctx: ServiceContext,
  { address, isTest }: TriggerTarget,
): Promise<RunnableVersion> {
  const agent =
    address.kind === 'path'
      ? await agentOfPath(manager, ctx, address.path)
      : await agentOfUuid(manager, ctx, address.uuid);
  const version = await versionFor(manager, agent, isTest);
  const trigger =
    version === null || address.kind === 'uuid'
      ? undefined
      : triggerPathsOf(version.definition).find(({ path }) => path === address.path);
  if (trigger?.enabled === false) throw new NotFoundError('Agent trigger is not active');
  requireActive(agent);
  if (version === null) throw new NotFoundError('Workflow has no published definition');
  if (address.kind === 'path' && trigger === undefined)
    throw new NotFoundError('Trigger not found in the selected Agent');
  return await requireRunnable(manager, ctx, { agent, version });
}

/** Throws NotFoundError for an archived agent, which makes no calls (contract 4.3). */
export function requireActive(agent: AgentRow): void {
  if (agent.state === 'archived') throw new NotFoundError('Workflow is not active');
}

/**
 * Finds the agent of a path. Paths are unique across the whole service; only the owner's organization may use
 * them.
 */
async function agentOfPath(manager: EntityManager, ctx: ServiceContext, path: string): Promise<AgentRow> {
  const reserved = isTriggerPath(path)
    ? await findRow(
        acrossOrganizations(manager, 'the owner of a trigger path decides whether the caller may use it'),
        triggerPaths,
        { path },
      )
    : null;
  if (reserved === null) throw new NotFoundError('Agent trigger not found');
  if (reserved.organizationId !== ctx.organizationId) throw new ForbiddenError('Access denied');
  return await getRow(manager, agents, { id: reserved.agentId, organizationId: ctx.organizationId });
}

async function agentOfUuid(
  manager: EntityManager,
  { organizationId }: ServiceContext,
  uuid: string,
): Promise<AgentRow> {
  const agent = isUuid(uuid) ? await findRow(manager, agents, { uuid, organizationId }) : null;
  if (agent === null) throw new NotFoundError('Workflow not found');
  return agent;
}

async function versionFor(
  manager: EntityManager,
  agent: AgentRow,
  isTest: boolean,
): Promise<AgentVersionRow | null> {
  const id = (isTest ? agent.draftVersionId : null) ?? agent.publishedVersionId;
  return id === null
    ? null
    : await findRow(manager, agentVersions, { id, agentId: agent.id, organizationId: agent.organizationId });
}
