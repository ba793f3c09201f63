import type { Recording } from '../../../contract/recordings.ts';
import { updateRows } from '../../../db/rows.ts';
import { lineRecordings } from '../../../db/tables/line-recordings.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import { lockByIdOrName, requireUnused, translateTaken } from './internal.ts';
import { auditedRecording, toRecording } from './mapper.ts';

/**
 * Renames a recording (contract 15.2). Throws NotFoundError; ConflictError for a recording in use and for a
 * taken name.
 */
export async function renameRecording({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { idOrName: string; recordingId: string };
}): Promise<Recording> {
  const { organizationId } = ctx;
  try {
    return await write(ctx, async (tx) => {
      const row = await lockByIdOrName(tx, ctx, input.idOrName);
      if (row.recordingId === input.recordingId) return toRecording(row);
      await requireUnused(tx, ctx, row);
      const change = {
        recordingId: input.recordingId,
        liveRecordingId: input.recordingId,
        updatedAt: ctx.clock.now(),
      };
      await updateRows(tx, lineRecordings, { where: { id: row.id, organizationId }, change });
      const changed = { ...row, ...change };
      await appendAudit(tx, {
        action: 'recording.renamed',
        subjectKind: 'recording',
        subjectId: row.id,
        subjectKey: input.recordingId,
        states: { before: auditedRecording(row), after: auditedRecording(changed) },
      });
      return toRecording(changed);
    });
  } catch (error) {
    throw translateTaken(error);
  }
}
