import { insertRow } from '../../../db/rows.ts';
import { apiKeys, type ApiKeyRow } from '../../../db/tables/api-keys.ts';
import { appendAudit, type ServiceContext, type Write } from '../../kernel/index.ts';
import { hashKey } from './hash.ts';

export interface KeyInput {
  name: string;
  /** The user that the key acts for. */
  userId: number;
  /** Null or absent for no limits. */
  scopes?: string[] | null;
  expiresAt?: Date | null;
  rotatedFromId?: number | null;
}

export interface InsertedKey {
  row: ApiKeyRow;
  /** The whole key, which is not stored anywhere. */
  key: string;
}

/** Creates an API key: `prl_` and 43 URL-safe base64 characters (contract 13.1). Stores only its hash. */
export async function insertKey(
  tx: Write,
  { ctx, input }: { ctx: ServiceContext; input: KeyInput },
): Promise<InsertedKey> {
  const key = `prl_${ctx.ids.secret(32)}`;
  const { name, userId, scopes = null, expiresAt = null, rotatedFromId = null } = input;
  const row = await insertRow(tx, apiKeys, {
    organizationId: ctx.organizationId,
    userId,
    name,
    prefix: key.slice(0, 8),
    // guarantee: api-key-stored-as-hash
    keyHash: hashKey(key),
    scopes,
    createdAt: ctx.clock.now(),
    expiresAt,
    rotatedFromId,
    lastUsedAt: null,
    archivedAt: null,
  });
  await appendAudit(tx, {
    action: 'api_key.created',
    subjectKind: 'api_key',
    subjectId: row.id,
    states: {
      before: null,
      after: { name, prefix: row.prefix, scopes, expires_at: expiresAt, rotated_from_id: rotatedFromId },
    },
  });
  return { row, key };
}
