import type { EntityManager } from 'typeorm';
import { isDuplicate } from '../../db/transaction.ts';
import { checkOnSave } from '../../domain/graph/check-on-save.ts';
import { cleanDefinition } from '../../domain/graph/clean.ts';
import type { Definition } from '../../domain/graph/definition.ts';
import { GraphError } from '../../domain/graph/faults.ts';
import { mintTriggerPaths, takenPathFaults, triggerPathsOf } from '../../domain/graph/trigger-paths.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { toolsOfGraph } from './agent-tools/graph-tools.ts';
import { pathsOf, takenPaths } from './trigger-paths.ts';

/**
 * Prepares a customer's definition for storing: cleaned (contract 2.6), and with a path for every trigger
 * (1.2). `before` is a version whose paths its agent holds. Throws GraphError when it breaks a rule that even a draft must keep (2.5).
 */
export async function prepareDefinition(
  tx: EntityManager,
  ctx: ServiceContext,
  { definition, agentId, before }: { definition: Definition; agentId: number | null; before?: Definition },
): Promise<Definition> {
  const given = cleanDefinition(definition);
  const prepared = mintTriggerPaths(given, () => ctx.ids.uuid());
  const error = checkOnSave(prepared, {
    on: agentId === null ? 'create' : 'update',
    takenPaths: await takenPaths(tx, given, {
      agentId,
      held: before === undefined ? new Set() : pathsOf(before),
    }),
    toolNames: (await toolsOfGraph(tx, ctx.organizationId, prepared)).toolNames,
  });
  if (error !== null) throw error;
  return prepared;
}

/**
 * Translates a duplicate path: when two agents take the same path at once, the second one gets the fault of a
 * taken path.
 */
export function translateTakenPath(error: unknown, definition: Definition | undefined): unknown {
  if (definition === undefined || !isDuplicate(error, 'PRIMARY')) return error;
  const paths = new Set(triggerPathsOf(definition).flatMap(({ path }) => (path === null ? [] : [path])));
  return new GraphError(takenPathFaults(definition, paths), { status: 409 });
}
