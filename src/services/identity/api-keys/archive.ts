import type { ChangedApiKey } from '../../../contract/api-keys.ts';
import { updateRows } from '../../../db/rows.ts';
import { apiKeys } from '../../../db/tables/api-keys.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import { lockKey } from './internal.ts';

/**
 * Archives a key: every process refuses requests with it, at the latest after a second (contract 13.1). Throws NotFoundError.
 */
export async function archiveKey({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { keyId: number };
}): Promise<ChangedApiKey> {
  return await write(ctx, async (tx) => {
    const { id, archivedAt } = await lockKey(tx, ctx, input.keyId);
    if (archivedAt === null) {
      await updateRows(tx, apiKeys, {
        where: { id, organizationId: ctx.organizationId },
        change: { archivedAt: ctx.clock.now() },
      });
      await appendAudit(tx, { action: 'api_key.archived', subjectKind: 'api_key', subjectId: id });
    }
    return { success: true, message: 'API key archived' };
  });
}
