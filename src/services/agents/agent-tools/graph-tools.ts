import { In, type EntityManager } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { tools } from '../../../db/tables/tools.ts';
import { toolUuidsOf, type ToolNames } from '../../../domain/graph/collision-rules.ts';
import { ownObject, type Definition } from '../../../domain/graph/definition.ts';
import { toolFunctionName } from '../../../domain/graph/function-name.ts';
import { lacksAllowedDestinations } from '../../../domain/telephony/allowed-destinations.ts';
import { isUuid } from '../../../domain/uuid.ts';

/** What the rules of graphs need to know about the tools of a graph. */
export interface GraphTools {
  toolNames: ToolNames;
  /** Tools that let the conversation choose any destination of a transfer, by uuid. */
  unboundTransfers: ReadonlySet<string>;
  /** Tools that no call is offered, by uuid. */
  missingTools: ReadonlySet<string>;
}

/**
 * The active tools that graphs refer to. Unknown and archived tools are left out, because no call offers
 * them.
 */
export async function toolsOfGraph(
  manager: EntityManager,
  organizationId: number,
  ...definitions: Definition[]
): Promise<GraphTools> {
  const named = new Set(definitions.flatMap(toolUuidsOf));
  const uuids = [...named].filter(isUuid);
  const rows =
    uuids.length === 0
      ? []
      : await findRows(manager, tools, { organizationId, uuid: In(uuids), state: 'active' });
  const unbound = rows.filter(
    ({ category, definition: tool }) =>
      category === 'transfer_call' && lacksAllowedDestinations(ownObject(tool, 'config')),
  );
  return {
    toolNames: new Map(rows.map(({ uuid, name }) => [uuid, toolFunctionName({ uuid, name })])),
    unboundTransfers: new Set(unbound.map(({ uuid }) => uuid)),
    missingTools: new Set([...named].filter((uuid) => rows.every((row) => row.uuid !== uuid))),
  };
}
