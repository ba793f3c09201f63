import type { EntityManager } from 'typeorm';
import { deleteRows, findRow } from '../../../db/rows.ts';
import { apiKeys, type ApiKeyRow } from '../../../db/tables/api-keys.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { appendAudit, type ServiceContext, type Write } from '../../kernel/index.ts';

export const isLive = (
  { archivedAt, expiresAt }: Pick<ApiKeyRow, 'archivedAt' | 'expiresAt'>,
  now: Date,
): boolean => archivedAt === null && (expiresAt === null || expiresAt > now);

/** The key, locked. Throws NotFoundError for an unknown or foreign one. */
export async function lockKey(
  tx: EntityManager,
  { organizationId }: ServiceContext,
  id: number,
): Promise<ApiKeyRow> {
  const row = await findRow(tx, apiKeys, { id, organizationId }, { isLocked: true });
  if (row === null) throw new NotFoundError('API key not found');
  return row;
}

/**
 * For requests that are repeated with their Idempotency-Key because the answer was lost before it was kept:
 * the key that was made is known to nobody, so it goes and another one is made.
 */
export async function discardUnseenKey(tx: Write, ctx: ServiceContext, id: number): Promise<null> {
  await deleteRows(tx, apiKeys, { id, organizationId: ctx.organizationId });
  await appendAudit(tx, { action: 'api_key.discarded', subjectKind: 'api_key', subjectId: id });
  return null;
}
