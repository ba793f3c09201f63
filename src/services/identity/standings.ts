import type { DataSource } from 'typeorm';
import { acrossOrganizations, queryRows } from '../../db/rows.ts';
import type { Actor } from '../kernel/index.ts';

/** Whether a key or session still counts, and what it may do: a text that changes when that changes. */
export type Standing = string;

/**
 * Reads in one statement where the keys and sessions of many actors stand, by `holderOf` of each. One that is no longer
 * there has no entry. A session that was idle for too long is not found out.
 */
export async function readStandings(
  db: DataSource,
  { actors, now }: { actors: readonly Actor[]; now: Date },
): Promise<Map<string, Standing>> {
  const keys = actors.flatMap((actor) => (actor.kind === 'api_key' ? [actor.apiKeyId] : []));
  const sessions = actors.flatMap((actor) =>
    actor.kind === 'user' && actor.sessionId !== undefined ? [actor.sessionId] : [],
  );
  const parts = [
    {
      ids: keys,
      sql: `SELECT CONCAT('key ', id) AS holder,
        CONCAT_WS(' ', archived_at IS NULL AND (expires_at IS NULL OR expires_at > ?), scopes) AS standing
        FROM api_keys WHERE id IN`,
    },
    {
      ids: sessions,
      sql: `SELECT CONCAT('session ', s.id) AS holder,
        CONCAT_WS(' ', s.revoked_at IS NULL AND s.expires_at > ?, s.organization_id, m.role) AS standing
        FROM sessions s
        LEFT JOIN memberships m ON m.user_id = s.user_id AND m.organization_id = s.organization_id
        WHERE s.id IN`,
    },
  ].filter(({ ids }) => ids.length > 0);
  if (parts.length === 0) return new Map();
  const found: { holder: string; standing: string }[] = await queryRows(
    acrossOrganizations(db, 'the keys and sessions of all who follow something'),
    {
      sql: parts.map(({ sql, ids }) => `${sql} (${ids.map(() => '?').join(', ')})`).join(' UNION ALL '),
      values: parts.flatMap(({ ids }) => [now, ...ids]),
    },
  );
  return new Map(found.map(({ holder, standing }) => [holder, standing]));
}

/** What an actor acts by: its key or its session. */
export function holderOf(actor: Actor): string {
  switch (actor.kind) {
    case 'api_key':
      return `key ${actor.apiKeyId}`;
    case 'user':
      return actor.sessionId === undefined ? `user ${actor.userId}` : `session ${actor.sessionId}`;
    case 'system':
      return actor.name;
  }
}
