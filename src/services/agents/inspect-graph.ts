import type { DefinitionFaults } from '../../contract/agents.ts';
import type { Definition, JsonObject } from '../../domain/graph/definition.ts';
import { inspectDefinition } from '../../domain/graph/inspect.ts';
import type { ServiceContext } from '../kernel/index.ts';
import { toolsOfGraph } from './agent-tools/graph-tools.ts';

/** Checks a graph that is not stored, with warnings (contract 2.7). */
export async function inspectGraph({
  ctx,
  input: { definition, testValues },
}: {
  ctx: ServiceContext;
  input: { definition: Definition; testValues: JsonObject | null };
}): Promise<DefinitionFaults> {
  const tools = await toolsOfGraph(ctx.db.manager, ctx.organizationId, definition);
  return {
    faults: inspectDefinition(definition, { ...tools, testValues }).map(
      ({ kind, id, field, message, code, severity, range = null, fix = null }) => ({
        kind,
        id,
        field,
        message,
        code,
        severity,
        range,
        fix,
      }),
    ),
  };
}
