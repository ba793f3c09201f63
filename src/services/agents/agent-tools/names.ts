import { In, type EntityManager } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { tools } from '../../../db/tables/tools.ts';
import { toolUuidsOf } from '../../../domain/graph/collision-rules.ts';
import type { Definition } from '../../../domain/graph/definition.ts';
import { toolFunctionName } from '../../../domain/graph/function-name.ts';
import { isUuid } from '../../../domain/uuid.ts';

/**
 * Function names of the active tools that a graph refers to, by uuid. Unknown and archived tools have none,
 * because no call offers them.
 */
export async function toolNamesOf(
  manager: EntityManager,
  organizationId: number,
  definition: Definition,
): Promise<ReadonlyMap<string, string>> {
  const uuids = toolUuidsOf(definition).filter(isUuid);
  if (uuids.length === 0) return new Map();
  const rows = await findRows(manager, tools, { organizationId, uuid: In(uuids), state: 'active' });
  return new Map(rows.map(({ uuid, name }) => [uuid, toolFunctionName({ uuid, name })]));
}
