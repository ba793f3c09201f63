import type { EntityManager } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { auditEvents, type AuditEventRow } from '../../../db/tables/audit-events.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import type { ServiceContext } from '../context.ts';
import { findActors } from './actors.ts';

/** Describes the newest change of an object: action, actor and time; null if none is recorded. */
async function describeLastChange(
  manager: EntityManager,
  { organizationId }: ServiceContext,
  { subjectKind, subjectKey }: Pick<AuditEventRow, 'subjectKind' | 'subjectKey'>,
): Promise<string | null> {
  if (subjectKey === null) return null;
  const [row] = await findRows(
    manager,
    auditEvents,
    { organizationId, subjectKind, subjectKey },
    { order: { id: 'DESC' }, take: 1 },
  );
  if (row === undefined) return null;
  const { type, id, key_prefix } = (await findActors(manager, organizationId, [row]))(row);
  const who =
    type === 'api_key'
      ? `API key ${id} (${key_prefix ?? 'gone'}…)`
      : type === 'user'
        ? `user ${id}`
        : 'the service';
  return `${row.action} by ${who} at ${row.createdAt.toISOString()}`;
}

/** Throws PreconditionError (412), naming the last change, for a record that does not match `If-Match`. */
export async function refuseUnseen(
  tx: EntityManager,
  ctx: ServiceContext,
  { kind, id }: { kind: 'agent' | 'campaign'; id: number },
): Promise<never> {
  const lastChange = await describeLastChange(tx, ctx, { subjectKind: kind, subjectKey: String(id) });
  throw new PreconditionError(
    `The ${kind} does not match If-Match${lastChange === null ? '' : `; its last change: ${lastChange}`}. Read it again.`,
    { status: 412 },
  );
}
