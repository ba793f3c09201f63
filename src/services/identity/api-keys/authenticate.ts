import { IsNull, LessThan, Or, type DataSource } from 'typeorm';
import { acrossOrganizations, findRow, updateRows, type Where } from '../../../db/rows.ts';
import { apiKeys, type ApiKeyRow } from '../../../db/tables/api-keys.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Logger } from '../../../runtime/logger.ts';
import type { Actor } from '../../kernel/index.ts';
import { hashKey } from './hash.ts';

export interface KeyCaller {
  organizationId: number;
  actor: Actor;
}

/** The last use is only a hint for people, so it is updated at most once a minute. */
const lastUsePrecisionMs = 60_000;

/**
 * The caller that an API key acts for; null if the key is unknown, archived or expired (contract 5.6). Does not
 * wait for the update of the last use.
 */
export async function authenticateKey({
  key,
  ...finding
}: Omit<Finding, 'where'> & { key: string }): Promise<KeyCaller | null> {
  return await callerOfKey({ ...finding, where: { keyHash: hashKey(key) } });
}

interface Finding {
  db: DataSource;
  clock: Clock;
  log: Logger;
  where: Where<ApiKeyRow>;
}

/** The same for a key that is not presented itself. */
export async function callerOfKey({ db, clock, log, where }: Finding): Promise<KeyCaller | null> {
  const row = await findKey(db, where, clock.now());
  if (row === null) return null;
  noteUse({ db, clock, row }).catch((error: unknown) =>
    log.warn({ err: error }, 'The last use of an API key could not be stored'),
  );
  return {
    organizationId: row.organizationId,
    actor: {
      kind: 'api_key',
      apiKeyId: row.id,
      userId: row.userId,
      scopes: row.scopes,
    },
  };
}

async function findKey(db: DataSource, where: Where<ApiKeyRow>, now: Date): Promise<ApiKeyRow | null> {
  try {
    const row = await findRow(
      acrossOrganizations(db, "the key's row names the organization"),
      apiKeys,
      where,
    );
    // guarantee: archived-key-refused
    return row === null || row.archivedAt !== null || (row.expiresAt !== null && row.expiresAt <= now)
      ? null
      : row;
  } catch (error) {
    throw translateUnavailable(error);
  }
}

async function noteUse({ db, clock, row }: { db: DataSource; clock: Clock; row: ApiKeyRow }): Promise<void> {
  const now = clock.now();
  const before = new Date(now.getTime() - lastUsePrecisionMs);
  if (row.lastUsedAt !== null && row.lastUsedAt >= before) return;
  await updateRows(db, apiKeys, {
    where: { id: row.id, organizationId: row.organizationId, lastUsedAt: Or(IsNull(), LessThan(before)) },
    change: { lastUsedAt: now },
  });
}
