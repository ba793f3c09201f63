import { queryRows } from '../../../db/rows.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/**
 * Turns after the agent's opening, by call: without those that a rewind took back. Only text conversations can be
 * rewound, and their session knows the last turn that counts; the last turn of any other call is one look into the
 * index of turns.
 */
export async function turnCounts(
  { db, organizationId }: Pick<ServiceContext, 'db' | 'organizationId'>,
  callIds: readonly number[],
): Promise<Map<number, number>> {
  if (callIds.length === 0) return new Map();
  const rows: { id: string | number; count: string | number | null }[] = await queryRows(db, {
    organizationId,
    sql: `SELECT calls.id AS id, CASE WHEN session.call_id IS NULL THEN (SELECT MAX(turns.turn_index) FROM turns WHERE turns.call_id = calls.id AND turns.branch = 0) ELSE reached.turn_index END AS count FROM calls LEFT JOIN text_sessions AS session ON session.call_id = calls.id AND session.organization_id = calls.organization_id LEFT JOIN turns AS reached ON reached.uuid = session.cursor_turn_uuid AND reached.call_id = calls.id WHERE calls.organization_id = ? AND calls.id IN (${callIds.map(() => '?').join(', ')})`,
    values: [organizationId, ...callIds],
  });
  return new Map(rows.map(({ id, count }) => [Number(id), Number(count ?? 0)]));
}
