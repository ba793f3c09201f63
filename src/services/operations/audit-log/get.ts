import type { AuditEntryDetail } from '../../../contract/audit-log.ts';
import { findRow } from '../../../db/rows.ts';
import { auditEvents } from '../../../db/tables/audit-events.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { isUuid } from '../../../domain/uuid.ts';
import { type ServiceContext, findActors } from '../../kernel/index.ts';
import { toAuditEntryDetail } from './mapper.ts';

/** One change with its diff. Throws NotFoundError if it is unknown or of another organization. */
export async function getAuditEntry({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { uuid: string };
}): Promise<AuditEntryDetail> {
  const { organizationId, db } = ctx;
  const row = isUuid(input.uuid)
    ? await findRow(db, auditEvents, { organizationId, uuid: input.uuid })
    : null;
  if (row === null) throw new NotFoundError('Audit entry not found');
  const actorOf = await findActors(db.manager, organizationId, [row]);
  return toAuditEntryDetail(row, actorOf(row));
}
