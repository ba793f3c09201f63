import type { RemovedSuppression } from '../../../contract/suppressions.ts';
import { deleteRows, findRow } from '../../../db/rows.ts';
import { suppressions } from '../../../db/tables/suppressions.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { withoutNumbers } from '../../../domain/phone/without-numbers.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';

/**
 * Removes a number from the list, so that campaigns may dial it again. Rows that ended because of it stay
 * ended. The audit event records the reason, the source and since when, with no phone number, even if the
 * reason contains one. Throws NotFoundError.
 */
export async function removeSuppression({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { id: number; reason: string };
}): Promise<RemovedSuppression> {
  const { organizationId } = ctx;
  return await write(ctx, async (tx) => {
    const row = Number.isSafeInteger(input.id)
      ? await findRow(tx, suppressions, { id: input.id, organizationId }, { isLocked: true })
      : null;
    if (row === null) throw new NotFoundError('Suppression not found');
    await deleteRows(tx, suppressions, { id: row.id, organizationId });
    const changes = {
      // guarantee: unsuppression-reason-recorded
      reason: withoutNumbers(input.reason),
      source: row.source,
      call_id: row.callId,
      since: row.createdAt.toISOString(),
    };
    await appendAudit(tx, {
      action: 'suppression.removed',
      subjectKind: 'suppression',
      subjectId: row.id,
      changes,
    });
    return { status: 'removed', id: row.id };
  });
}
