import type { EntityManager } from 'typeorm';
import { deleteRows, findRow } from '../../../db/rows.ts';
import { apiKeys, type ApiKeyRow } from '../../../db/tables/api-keys.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { appendAudit, type ServiceContext, type Write } from '../../kernel/index.ts';

export const isLive = (
  { archivedAt, expiresAt }: Pick<ApiKeyRow, 'archivedAt' | 'expiresAt'>,
  now: Date,
): boolean => archivedAt === null && (expiresAt === null || expiresAt > now);

/** The key, locked. Throws NotFoundError if it is unknown or of another organization. */
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
 * For requests that are repeated with their Idempotency-Key because the answer was lost before it was stored:
 * no one has seen the created key, so this deletes it. Answers null, so that the caller creates another one.
 */
export async function discardUnseenKey(tx: Write, ctx: ServiceContext, id: number): Promise<null> {
  await deleteRows(tx, apiKeys, { id, organizationId: ctx.organizationId });
  await appendAudit(tx, { action: 'api_key.discarded', subjectKind: 'api_key', subjectId: id });
  return null;
}
