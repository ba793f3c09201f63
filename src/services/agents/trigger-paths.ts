import { In, type EntityManager } from 'typeorm';
import { acrossOrganizations, deleteRows, findRows, insertRows } from '../../db/rows.ts';
import type { AgentRow } from '../../db/tables/agents.ts';
import type { AgentVersionRow } from '../../db/tables/agent-versions.ts';
import { triggerPaths } from '../../db/tables/trigger-paths.ts';
import type { Definition } from '../../domain/graph/definition.ts';
import { isTriggerPath, triggerPathsOf } from '../../domain/graph/trigger-paths.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { versionOf } from './internal.ts';

/**
 * The graph's valid trigger paths that another agent owns. Paths are unique across the whole service
 * (contract 2.3). `held` are paths that the graph's own agent holds. Paths that the service mints need no look.
 */
export async function takenPaths(
  tx: EntityManager,
  definition: Definition,
  { agentId, held }: { agentId: number | null; held: ReadonlySet<string> },
): Promise<ReadonlySet<string>> {
  const paths = [...pathsOf(definition)].filter((path) => isTriggerPath(path) && !held.has(path));
  if (paths.length === 0) return new Set();
  const rows = await findRows(
    acrossOrganizations(tx, 'a trigger path is unique across the whole service'),
    triggerPaths,
    { path: In(paths) },
  );
  return new Set(rows.filter((row) => row.agentId !== agentId).map((row) => row.path));
}

/**
 * Reserves the paths of the agent's draft and published version and releases all others (contract 4.3). A
 * path that another agent has reserved in the meantime fails on the primary key. `read` are versions of the
 * agent that the calling function has already read; a new agent holds no paths yet.
 */
export async function reservePaths(
  tx: EntityManager,
  ctx: ServiceContext,
  agent: AgentRow,
  { read, isNew = false }: { read: readonly AgentVersionRow[]; isNew?: boolean },
): Promise<void> {
  const ids = [agent.draftVersionId, agent.publishedVersionId].filter((id) => id !== null);
  const wanted = new Set<string>();
  for (const id of ids)
    for (const path of pathsOf(
      (read.find((version) => version.id === id) ?? (await versionOf(tx, agent, id))).definition,
    ))
      wanted.add(path);
  const held = isNew ? new Set<string>() : await heldPaths(tx, agent);
  const unused = [...held].filter((path) => !wanted.has(path));
  const fresh = [...wanted].filter((path) => !held.has(path));
  if (unused.length > 0)
    await deleteRows(tx, triggerPaths, {
      path: In(unused),
      agentId: agent.id,
      organizationId: agent.organizationId,
    });
  if (fresh.length > 0)
    await insertRows(
      tx,
      triggerPaths,
      fresh.map((path) => ({
        path,
        organizationId: agent.organizationId,
        agentId: agent.id,
        createdAt: ctx.clock.now(),
      })),
    );
}

async function heldPaths(tx: EntityManager, { id, organizationId }: AgentRow): Promise<Set<string>> {
  const rows = await findRows(tx, triggerPaths, { agentId: id, organizationId });
  return new Set(rows.map(({ path }) => path));
}

/** The trigger paths of a graph. */
export const pathsOf = (definition: Definition): Set<string> =>
  new Set(triggerPathsOf(definition).flatMap(({ path }) => (path === null ? [] : [path])));
