import type { DeletedCredential } from '../../../contract/credentials.ts';
import { updateRows } from '../../../db/rows.ts';
import { credentials } from '../../../db/tables/credentials.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import { findLive } from './internal.ts';
import { auditedCredential } from './mapper.ts';

/** Deletes a credential and its data; its name becomes free again (contract 9.3). Throws NotFoundError. */
export async function deleteCredential({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { uuid: string };
}): Promise<DeletedCredential> {
  return await write(ctx, async (tx) => {
    const row = await findLive(tx, ctx.organizationId, input.uuid, { locked: true });
    const deletedAt = ctx.clock.now();
    await updateRows(tx, credentials, {
      where: { id: row.id, organizationId: ctx.organizationId },
      change: { liveName: null, dataEncrypted: '', updatedAt: deletedAt, deletedAt },
    });
    await appendAudit(tx, {
      action: 'credential.deleted',
      subjectKind: 'credential',
      subjectId: row.id,
      subjectKey: row.uuid,
      states: { before: auditedCredential(row), after: null },
    });
    return { status: 'deleted', uuid: row.uuid };
  });
}
