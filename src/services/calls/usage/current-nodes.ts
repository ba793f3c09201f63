import { In } from 'typeorm';
import { findRows, queryRows } from '../../../db/rows.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import { isObject, nodesOf, ownObject, ownText } from '../../../domain/graph/definition.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** The names of the nodes that live calls are at, by call. A call without a turn is at none. */
export async function currentNodes(
  { db, organizationId }: Pick<ServiceContext, 'db' | 'organizationId'>,
  calls: readonly Pick<CallRow, 'id' | 'versionId' | 'state'>[],
): Promise<ReadonlyMap<number, string>> {
  const live = calls.filter(({ state }) => state !== 'ended' && state !== 'refused');
  if (live.length === 0) return new Map();
  // A text session may have been rewound; any other call is where its newest turn is.
  const rows: { id: string | number; checkpoint: string | null }[] = await queryRows(db, {
    organizationId,
    sql: `SELECT calls.id AS id, CASE WHEN session.call_id IS NULL THEN newest.checkpoint ELSE session.checkpoint END AS checkpoint FROM calls LEFT JOIN text_sessions AS session ON session.call_id = calls.id AND session.organization_id = calls.organization_id LEFT JOIN turns AS newest ON newest.call_id = calls.id AND newest.branch = 0 AND newest.turn_index = (SELECT MAX(turns.turn_index) FROM turns WHERE turns.call_id = calls.id AND turns.branch = 0) WHERE calls.organization_id = ? AND calls.id IN (${live.map(() => '?').join(', ')})`,
    values: [organizationId, ...live.map(({ id }) => id)],
  });
  const versions = await findRows(
    db,
    agentVersions,
    { organizationId, id: In([...new Set(live.map(({ versionId }) => versionId))]) },
    { select: ['id', 'definition'] },
  );
  const names = new Map(
    versions.flatMap(({ id, definition }) =>
      nodesOf(definition).map((node) => [
        `${id} ${ownText(node, 'id')}`,
        ownText(ownObject(node, 'data'), 'name'),
      ]),
    ),
  );
  const nodes = new Map(rows.map(({ id, checkpoint }) => [Number(id), nodeIdIn(checkpoint)]));
  return new Map(
    live.flatMap(({ id, versionId }) => {
      const name = names.get(`${versionId} ${nodes.get(id)}`);
      return name === undefined ? [] : [[id, name] as const];
    }),
  );
}

function nodeIdIn(checkpoint: string | null): string | undefined {
  const read: unknown = JSON.parse(checkpoint ?? 'null');
  return isObject(read) ? ownText(read, 'nodeId') : undefined;
}
