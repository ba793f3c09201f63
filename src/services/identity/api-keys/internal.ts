import type { EntityManager } from 'typeorm';
import { deleteRows, findRow } from '../../../db/rows.ts';
import { apiKeys, type ApiKeyRow } from '../../../db/tables/api-keys.ts';
import { ForbiddenError, NotFoundError } from '../../../domain/errors.ts';
import { scopesBeyond, type Granted } from '../../../domain/keys/permits.ts';
import { appendAudit, grantedTo, type ServiceContext, type Write } from '../../kernel/index.ts';

export const isLive = (
  { archivedAt, expiresAt }: Pick<ApiKeyRow, 'archivedAt' | 'expiresAt'>,
  now: Date,
): boolean => archivedAt === null && (expiresAt === null || expiresAt > now);

/**
 * The key, locked. Throws NotFoundError if it is unknown or of another organization, and ForbiddenError if it
 * has a scope that the caller lacks.
 */
export async function lockKey(tx: EntityManager, ctx: ServiceContext, id: number): Promise<ApiKeyRow> {
  const { organizationId } = ctx;
  const row = await findRow(tx, apiKeys, { id, organizationId }, { isLocked: true });
  if (row === null) throw new NotFoundError('API key not found');
  requireOwnScopes(ctx, row.scopes);
  return row;
}

/** Throws ForbiddenError unless the caller holds every scope of the key. */
export function requireOwnScopes({ actor }: Pick<ServiceContext, 'actor'>, scopes: Granted): void {
  const beyond = scopesBeyond(grantedTo(actor), scopes);
  // guarantee: key-has-no-more-than-its-maker
  if (beyond.length > 0)
    throw new ForbiddenError(`The key would have scopes that you lack: ${beyond.join(', ')}`);
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
