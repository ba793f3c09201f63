import type { EntityManager } from 'typeorm';
import { insertRow } from '../../db/rows.ts';
import { apiKeys } from '../../db/tables/api-keys.ts';
import { inTransaction } from '../../db/transaction.ts';
import { appendAudit } from '../audit/append.ts';
import type { ServiceContext } from '../context.ts';
import { hashKey } from './hash.ts';

export interface NewKey {
  id: number;
  name: string;
  prefix: string;
  /** The whole key; it is nowhere else. */
  key: string;
  createdAt: Date;
}

interface KeyInput {
  name: string;
  /** Whom the key acts for. */
  userId: number;
}

/** Makes an API key: `prl_` and 43 URL-safe base64 characters (contract 13.1). Only its hash is kept. */
export async function createKey({ ctx, input }: { ctx: ServiceContext; input: KeyInput }): Promise<NewKey> {
  return await inTransaction(ctx.db, (tx) => insertKey(tx, { ctx, input }));
}

/** The insertion alone, for verbs that make an organization. */
export async function insertKey(tx: EntityManager, { ctx, input }: { ctx: ServiceContext; input: KeyInput }): Promise<NewKey> {
  const key = `prl_${ctx.ids.secret(32)}`;
  const { organizationId } = ctx;
  const row = await insertRow(tx, apiKeys, {
    organizationId,
    userId: input.userId,
    name: input.name,
    prefix: key.slice(0, 8),
    keyHash: hashKey(key),
    createdAt: ctx.clock.now(),
    lastUsedAt: null,
    archivedAt: null,
  });
  await appendAudit(tx, ctx, { action: 'api_key.created', subjectKind: 'api_key', subjectId: row.id });
  return { id: row.id, name: row.name, prefix: row.prefix, key, createdAt: row.createdAt };
}
