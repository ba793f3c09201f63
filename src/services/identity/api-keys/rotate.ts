import type { EntityManager } from 'typeorm';
import type { RotatedApiKey } from '../../../contract/api-keys.ts';
import { findRow, getRow, updateRows } from '../../../db/rows.ts';
import { apiKeys, type ApiKeyRow } from '../../../db/tables/api-keys.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import {
  appendAudit,
  type ServiceContext,
  once,
  wireTimestamp,
  type Write,
  write,
} from '../../kernel/index.ts';
import { insertKey } from './insert.ts';
import { discardUnseenKey, isLive, lockKey } from './internal.ts';
import { toNewApiKey } from './mapper.ts';

/**
 * Replaces a key with another one of the same name, scopes and lifetime, for the same user. Both work for
 * `graceMs`, or until the old key expires. Throws NotFoundError, and PreconditionError for a key that is
 * archived, expired or already replaced.
 */
export async function rotateKey({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { keyId: number; graceMs: number };
}): Promise<RotatedApiKey> {
  return await write(ctx, async (tx) => {
    const old = await lockKey(tx, ctx, input.keyId);
    let lost: ApiKeyRow | null = null; // the key of an earlier attempt whose answer was lost
    const again = async (id: number) => {
      lost = await getRow(tx, apiKeys, { id, organizationId: ctx.organizationId });
      return await discardUnseenKey(tx, ctx, id);
    };
    const make = async () => {
      if (lost === null) await checkReplaceable(tx, ctx, old);
      const answer = await replace(tx, ctx, {
        old,
        graceMs: input.graceMs,
        expiresAt: lost === null ? freshExpiry(old, ctx.clock.now()) : lost.expiresAt,
      });
      return { id: answer.id, answer };
    };
    return await once(tx, { kind: 'api_key', make, again });
  });
}

async function checkReplaceable(tx: EntityManager, ctx: ServiceContext, old: ApiKeyRow): Promise<void> {
  if (!isLive(old, ctx.clock.now()))
    throw new PreconditionError('The API key is archived or expired; create a new one instead');
  const successor = await findRow(tx, apiKeys, { rotatedFromId: old.id, organizationId: ctx.organizationId });
  if (successor !== null)
    throw new PreconditionError(`The API key was already replaced by key ${successor.id}`);
}

/** When the successor expires: it gets the original lifetime of the old key. */
function freshExpiry({ expiresAt, createdAt }: ApiKeyRow, now: Date): Date | null {
  return expiresAt === null ? null : new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime());
}

async function replace(
  tx: Write,
  ctx: ServiceContext,
  { old, graceMs, expiresAt }: { old: ApiKeyRow; graceMs: number; expiresAt: Date | null },
): Promise<RotatedApiKey> {
  const { name, userId, scopes } = old;
  const { row, key } = await insertKey(tx, {
    ctx,
    input: { name, userId, scopes, expiresAt, rotatedFromId: old.id },
  });
  const until = new Date(Math.min(ctx.clock.now().getTime() + graceMs, old.expiresAt?.getTime() ?? Infinity));
  await updateRows(tx, apiKeys, {
    where: { id: old.id, organizationId: ctx.organizationId },
    change: { expiresAt: until },
  });
  await appendAudit(tx, {
    action: 'api_key.rotated',
    subjectKind: 'api_key',
    subjectId: old.id,
    changes: { replacedBy: row.id },
    states: { before: { expires_at: old.expiresAt }, after: { expires_at: until } },
  });
  return { ...toNewApiKey(row, key), rotated_from: { id: old.id, expires_at: wireTimestamp(until) } };
}
