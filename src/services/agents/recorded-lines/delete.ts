import type { DeletedRecording } from '../../../contract/recordings.ts';
import { updateRows } from '../../../db/rows.ts';
import { lineRecordings, type LineRecordingRow } from '../../../db/tables/line-recordings.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import type { RecordingDeps } from './deps.ts';
import { lockRecording, requireUnused } from './internal.ts';
import { auditedRecording } from './mapper.ts';

/**
 * Deletes a recording, then its file (contract 15.2); its name can then be used again. A file that cannot be
 * removed is logged and stays. Throws NotFoundError, and ConflictError for a recording in use.
 */
export async function deleteRecording({
  ctx,
  deps: { storage },
  input,
}: {
  ctx: ServiceContext;
  deps: RecordingDeps;
  input: { recordingId: string };
}): Promise<DeletedRecording> {
  const row = await write(ctx, async (tx): Promise<LineRecordingRow> => {
    const found = await lockRecording(tx, ctx, input.recordingId);
    // guarantee: recorded-line-in-use-kept
    await requireUnused(tx, ctx, found);
    const deletedAt = ctx.clock.now();
    await updateRows(tx, lineRecordings, {
      where: { id: found.id, organizationId: ctx.organizationId },
      change: { liveRecordingId: null, transcript: '', updatedAt: deletedAt, deletedAt },
    });
    await appendAudit(tx, {
      action: 'recording.deleted',
      subjectKind: 'recording',
      subjectId: found.id,
      subjectKey: found.recordingId,
      states: { before: auditedRecording(found), after: null },
    });
    return found;
  });
  try {
    await storage?.remove(row.storageKey);
  } catch (error) {
    ctx.log.error(
      { err: error, organizationId: ctx.organizationId, lineRecordingId: row.id },
      'The file of a deleted recording could not be removed',
    );
  }
  return { success: true };
}
