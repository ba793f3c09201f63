import { getAuditEntry, listAudit } from '../../services/operations/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import type { Handlers } from '../bind.ts';

/** The audit log (docs/audit.md). */
export const auditLogHandlers: Pick<Handlers<ServiceContext>, 'listAuditLog' | 'getAuditEntry'> = {
  listAuditLog: ({ ctx, input: { query } }) => {
    const { actor_type, actor_id, object_type, object_id, action, request_id, from, to, cursor, limit } =
      query;
    const filter = {
      actorKind: actor_type,
      actorId: actor_id,
      subjectKind: object_type,
      subjectKey: object_id,
      action,
      requestId: request_id,
      from: timestampOf(from),
      to: timestampOf(to),
    };
    return listAudit({ ctx, input: { filter, cursor: cursor ?? null, limit: limit ?? 50 } });
  },
  getAuditEntry: ({ ctx, input: { params } }) => getAuditEntry({ ctx, input: { uuid: params.entry_id } }),
};

const timestampOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text);
