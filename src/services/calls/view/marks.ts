import type { DataSource } from 'typeorm';
import { acrossOrganizations, queryRows } from '../../../db/rows.ts';

/** A call of an organization. */
export interface CallPlace {
  organizationId: number;
  callId: number;
}

/** A mark of each part of a call. It changes whenever the part does. */
export interface CallMark {
  /** State, media host and erasures: with them, every part may have changed. */
  call: string;
  turns: string;
  failures: string;
  found: string;
  session: string;
  journal: string;
  interventions: string;
}

/**
 * The marks of these calls, by call. One statement for calls of any organizations; it reads no words. `turnIndex` is the
 * last turn that is known of the call; the journal is read from it on.
 */
export async function readCallMarks(
  db: DataSource,
  places: readonly (CallPlace & { turnIndex: number })[],
): Promise<ReadonlyMap<number, CallMark>> {
  if (places.length === 0) return new Map();
  const wanted = places
    .map(() => 'SELECT ? AS organization_id, ? AS call_id, ? AS turn_index')
    .join(' UNION ALL ');
  const found: ({ call_id: string | number } & Record<keyof CallMark, string | number>)[] = await queryRows(
    acrossOrganizations(db, 'each call is asked for with its own organization'),
    {
      sql: `SELECT c.id AS call_id,
          CONCAT_WS(' ', c.state, COALESCE(c.transcript_erased_at, 0), COALESCE(c.variables_erased_at, 0),
            (SELECT s.generation FROM call_seats s WHERE s.call_id = c.id)) AS \`call\`,
          (SELECT COUNT(*) FROM turns t WHERE t.call_id = c.id) AS turns,
          (SELECT COUNT(*) FROM failed_turns f WHERE f.call_id = c.id) AS failures,
          (SELECT COUNT(*) FROM extractions e WHERE e.call_id = c.id) AS found,
          (SELECT COALESCE(MAX(s.revision), 0) FROM text_sessions s WHERE s.call_id = c.id) AS session,
          (SELECT CONCAT_WS(' ', COUNT(*), MAX(j.written_at)) FROM journal_entries j
            WHERE j.call_id = c.id AND j.turn_index >= w.turn_index) AS journal,
          (SELECT COUNT(*) FROM audit_events a WHERE a.organization_id = c.organization_id
            AND a.subject_kind = 'call' AND a.subject_key = CAST(c.id AS CHAR)) AS interventions
        FROM (${wanted}) w JOIN calls c ON c.id = w.call_id AND c.organization_id = w.organization_id`,
      values: places.flatMap(({ organizationId, callId, turnIndex }) => [organizationId, callId, turnIndex]),
    },
  );
  return new Map(
    found.map(({ call_id: id, call, turns, failures, found: values, session, journal, interventions }) => [
      Number(id),
      {
        call: String(call),
        turns: String(turns),
        failures: String(failures),
        found: String(values),
        session: String(session),
        journal: String(journal),
        interventions: String(interventions),
      },
    ]),
  );
}
