import { In, type EntityManager } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { tools } from '../../../db/tables/tools.ts';
import { toolUuidsOf } from '../../../domain/graph/collision-rules.ts';
import type { Definition } from '../../../domain/graph/definition.ts';
import { type GraphTools, graphTools } from '../../../domain/graph/graph-tools.ts';
import { isUuid } from '../../../domain/uuid.ts';

/**
 * The active tools that graphs refer to. Unknown and archived tools are left out, because no call offers
 * them.
 */
export async function toolsOfGraph(
  manager: EntityManager,
  organizationId: number,
  ...definitions: Definition[]
): Promise<GraphTools> {
  const uuids = [...new Set(definitions.flatMap(toolUuidsOf))].filter(isUuid);
  const rows =
    uuids.length === 0
      ? []
      : await findRows(manager, tools, { organizationId, uuid: In(uuids), state: 'active' });
  return graphTools(rows);
}
