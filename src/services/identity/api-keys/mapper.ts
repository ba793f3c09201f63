import type { ApiKey, NewApiKey } from '../../../contract/api-keys.ts';
import type { ApiKeyRow } from '../../../db/tables/api-keys.ts';
import { wireTimestamp } from '../../kernel/index.ts';
import { isLive } from './internal.ts';

export function toApiKey(row: ApiKeyRow, now: Date): ApiKey {
  const { id, name, prefix, scopes, userId, rotatedFromId } = row;
  return {
    id,
    name,
    key_prefix: prefix,
    is_active: isLive(row, now),
    created_at: wireTimestamp(row.createdAt),
    last_used_at: timestampOrNull(row.lastUsedAt),
    archived_at: timestampOrNull(row.archivedAt),
    scopes,
    expires_at: timestampOrNull(row.expiresAt),
    created_by: userId,
    rotated_from_id: rotatedFromId,
  };
}

/** `key` is the whole key, which no row contains. */
export function toNewApiKey(
  { id, name, prefix, createdAt, scopes, expiresAt }: ApiKeyRow,
  key: string,
): NewApiKey {
  return {
    id,
    name,
    key_prefix: prefix,
    api_key: key,
    created_at: wireTimestamp(createdAt),
    scopes,
    expires_at: timestampOrNull(expiresAt),
  };
}

const timestampOrNull = (timestamp: Date | null): string | null =>
  timestamp === null ? null : wireTimestamp(timestamp);
