import type { EntityManager } from 'typeorm';
import { acrossOrganizations, type AcrossOrganizations, aliased, queryRows } from '../../db/rows.ts';
import { agents, type AgentRow } from '../../db/tables/agents.ts';
import { agentVersions, type AgentVersionRow } from '../../db/tables/agent-versions.ts';
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
  const { agent, version } = await (address.kind === 'path'
    ? targetOfPath(manager, ctx, { path: address.path, isTest })
    : targetOfUuid(manager, ctx, { uuid: address.uuid, isTest }));
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

interface Target {
  agent: AgentRow;
  /** The version that would run; null if there is none. */
  version: AgentVersionRow | null;
}

/**
 * Finds the agent of a path. Paths are unique across the whole service; only the owner's organization may use
 * them.
 */
async function targetOfPath(
  manager: EntityManager,
  { organizationId }: ServiceContext,
  { path, isTest }: { path: string; isTest: boolean },
): Promise<Target> {
  const read = reader(manager, isTest);
  const [found] = isTriggerPath(path)
    ? await queryRows<Found & { owner: number | string }, AcrossOrganizations>(
        acrossOrganizations(manager, 'the owner of a trigger path decides whether the caller may use it'),
        {
          sql: `SELECT reserved.organization_id AS owner, ${read.columns}
            FROM trigger_paths reserved
            LEFT JOIN agents agent ON agent.id = reserved.agent_id AND agent.organization_id = ?
            ${read.join}
            WHERE reserved.path = ?`,
          values: [organizationId, path],
        },
      )
    : [];
  if (found === undefined) throw new NotFoundError('Agent trigger not found');
  if (Number(found.owner) !== organizationId) throw new ForbiddenError('Access denied');
  return read.targetOf(found);
}

async function targetOfUuid(
  manager: EntityManager,
  { organizationId }: ServiceContext,
  { uuid, isTest }: { uuid: string; isTest: boolean },
): Promise<Target> {
  const read = reader(manager, isTest);
  const [found] = isUuid(uuid)
    ? await queryRows<Found>(manager, {
        organizationId,
        sql: `SELECT ${read.columns} FROM agents agent ${read.join} WHERE agent.uuid = ? AND agent.organization_id = ?`,
        values: [uuid, organizationId],
      })
    : [];
  if (found === undefined) throw new NotFoundError('Workflow not found');
  return read.targetOf(found);
}

type Found = Record<string, unknown>;

/** Reads an agent with the version that would run, in one statement. */
function reader(manager: EntityManager, isTest: boolean) {
  const [agent, version] = [aliased(manager, agents, 'agent'), aliased(manager, agentVersions, 'version')];
  const runs = isTest
    ? 'COALESCE(agent.draft_version_id, agent.published_version_id)'
    : 'agent.published_version_id';
  return {
    columns: `${agent.columns}, ${version.columns}`,
    join: `LEFT JOIN agent_versions version ON version.id = ${runs}
        AND version.agent_id = agent.id AND version.organization_id = agent.organization_id`,
    targetOf: (found: Found): Target => ({
      agent: agent.rowOf(found),
      version: found['version_id'] === null ? null : version.rowOf(found),
    }),
  };
}
