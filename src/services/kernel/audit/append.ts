import { insertRow } from '../../../db/rows.ts';
import { auditEvents, type AuditEventRow } from '../../../db/tables/audit-events.ts';
import type { Actor } from '../context.ts';
import { contextOf, type Write } from '../write.ts';
import { diffOf } from './diff.ts';

export interface AuditEntry {
  /** A kind of object and the change to it, such as `agent.published`. */
  action: string;
  subjectKind: string;
  subjectId: number | null;
  /** The object's name in the API, if that is not its id. */
  subjectKey?: string;
  /** Details of the action: ids and words only, never a secret. */
  changes?: Record<string, unknown>;
  /**
   * The object before and after the change, as the API shows it: with masked secrets and without personal
   * data. Null if it did not exist before, or no longer exists.
   */
  states?: { before: object | null; after: object | null };
}

/** Records a change in the transaction that makes it. Returns the entry. */
export async function appendAudit(
  tx: Write,
  { action, subjectKind, subjectId, subjectKey, changes = {}, states }: AuditEntry,
): Promise<Pick<AuditEventRow, 'id' | 'uuid' | 'createdAt'>> {
  const ctx = contextOf(tx);
  return await insertRow(tx, auditEvents, {
    uuid: ctx.ids.uuid(),
    organizationId: ctx.organizationId,
    ...actorColumns(ctx.actor),
    action,
    subjectKind,
    subjectId,
    subjectKey: subjectKey ?? (subjectId === null ? null : String(subjectId)),
    changes,
    diff: states === undefined ? null : diffOf(states.before, states.after),
    // guarantee: audit-entry-names-request
    requestId: ctx.requestId ?? null,
    createdAt: ctx.clock.now(),
  });
}

/** The actor as a row names it; `findActors` reads it. */
export function actorColumns(actor: Actor): {
  actorKind: string;
  actorId: number | null;
  actorName: string | null;
} {
  switch (actor.kind) {
    case 'api_key':
      return { actorKind: actor.kind, actorId: actor.apiKeyId, actorName: null };
    case 'user':
      return { actorKind: actor.kind, actorId: actor.userId, actorName: null };
    case 'system':
      return { actorKind: actor.kind, actorId: null, actorName: actor.name };
  }
}
