import { In, type EntityManager } from 'typeorm';
import type { AuditEntry } from '../../../contract/audit-log.ts';
import { acrossOrganizations, findRows } from '../../../db/rows.ts';
import { apiKeys } from '../../../db/tables/api-keys.ts';
import type { AuditEventRow } from '../../../db/tables/audit-events.ts';
import { users } from '../../../db/tables/users.ts';
import { InvariantError } from '../../../domain/errors.ts';

type WireActor = AuditEntry['actor'];
export type ActorColumns = Pick<AuditEventRow, 'organizationId' | 'actorKind' | 'actorId' | 'actorName'>;

/** The actors of these changes, with the present names of keys and users; a deleted key has no name. */
export async function findActors(
  manager: EntityManager,
  organizationId: number,
  rows: readonly ActorColumns[],
): Promise<(row: ActorColumns) => WireActor> {
  const idsOf = (kind: string) => [
    ...new Set(
      rows.flatMap(({ actorKind, actorId }) => (actorKind === kind && actorId !== null ? [actorId] : [])),
    ),
  ];
  const [keyIds, userIds] = [idsOf('api_key'), idsOf('user')];
  const keyRows =
    keyIds.length === 0 ? [] : await findRows(manager, apiKeys, { organizationId, id: In(keyIds) });
  const userRows =
    userIds.length === 0
      ? []
      : await findRows(
          acrossOrganizations(manager, 'the changes name their authors, who may have left since'),
          users,
          { id: In(userIds) },
        );
  const [keys, people] = [
    new Map(keyRows.map((row) => [row.id, row])),
    new Map(userRows.map((row) => [row.id, row])),
  ];

  return ({ actorKind, actorId, actorName }) => {
    switch (actorKind) {
      case 'api_key': {
        const key = keys.get(actorId ?? 0);
        return {
          type: 'api_key',
          id: actorId,
          name: key?.name ?? null,
          key_prefix: key?.prefix ?? null,
          user_id: key?.userId ?? null,
        };
      }
      case 'user': {
        const user = people.get(actorId ?? 0);
        return {
          type: 'user',
          id: actorId,
          name: user?.name ?? user?.email ?? null,
          key_prefix: null,
          user_id: actorId,
        };
      }
      case 'system':
        return { type: 'system', id: null, name: actorName, key_prefix: null, user_id: null };
      default:
        throw new InvariantError('An audit event has no actor');
    }
  };
}
