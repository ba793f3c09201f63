import type { EntityManager } from 'typeorm';
import { insertRow } from '../../db/rows.ts';
import { auditEvents } from '../../db/tables/audit-events.ts';
import type { Actor, ServiceContext } from '../context.ts';

export interface AuditEntry {
  /** Verb and thing, e.g. `agent.published`. */
  action: string;
  subjectKind: string;
  subjectId: number | null;
  /** What changed; ids and words only, never a secret. */
  changes?: Record<string, unknown>;
}

/** Records a change in the transaction that makes it. */
export async function appendAudit(tx: EntityManager, ctx: ServiceContext, { action, subjectKind, subjectId, changes = {} }: AuditEntry): Promise<void> {
  await insertRow(tx, auditEvents, {
    uuid: ctx.ids.uuid(),
    organizationId: ctx.organizationId,
    ...actorColumns(ctx.actor),
    action,
    subjectKind,
    subjectId,
    changes,
    requestId: ctx.requestId ?? null,
    createdAt: ctx.clock.now(),
  });
}

function actorColumns(actor: Actor): { actorKind: string; actorId: number | null } {
  switch (actor.kind) {
    case 'api_key':
      return { actorKind: actor.kind, actorId: actor.apiKeyId };
    case 'user':
      return { actorKind: actor.kind, actorId: actor.userId };
    case 'system':
      return { actorKind: actor.kind, actorId: null };
  }
}
