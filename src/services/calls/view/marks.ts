import type { DataSource } from 'typeorm';
import { acrossOrganizations, queryRows } from '../../../db/rows.ts';

/** A call of an organization. */
export interface CallPlace {
  organizationId: number;
  callId: number;
}

/**
 * A mark of each of these calls, by call, which changes with every turn, extraction, rewind, note of a media host and
 * change of state. One statement for calls of any organizations; it reads no words.
 */
export async function readCallMarks(
  db: DataSource,
  places: readonly CallPlace[],
): Promise<ReadonlyMap<number, string>> {
  if (places.length === 0) return new Map();
  const wanted = places.map(() => 'SELECT ? AS organization_id, ? AS call_id').join(' UNION ALL ');
  const found: { call_id: string | number; mark: string }[] = await queryRows(
    acrossOrganizations(db, 'each call is asked for with its own organization'),
    {
      sql: `SELECT c.id AS call_id, CONCAT_WS(' ', c.state,
          (SELECT COUNT(*) FROM turns t WHERE t.call_id = c.id),
          (SELECT COUNT(*) FROM failed_turns f WHERE f.call_id = c.id),
          (SELECT COUNT(*) FROM extractions e WHERE e.call_id = c.id),
          (SELECT COALESCE(MAX(s.revision), 0) FROM text_sessions s WHERE s.call_id = c.id),
          (SELECT COALESCE(MAX(j.written_at), 0) FROM journal_entries j WHERE j.call_id = c.id),
          COALESCE(c.transcript_erased_at, 0), COALESCE(c.variables_erased_at, 0)) AS mark
        FROM (${wanted}) w JOIN calls c ON c.id = w.call_id AND c.organization_id = w.organization_id`,
      values: places.flatMap(({ organizationId, callId }) => [organizationId, callId]),
    },
  );
  return new Map(found.map(({ call_id: id, mark }) => [Number(id), mark]));
}
