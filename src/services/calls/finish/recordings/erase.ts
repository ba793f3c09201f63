import { IsNull, Not, type EntityManager } from 'typeorm';
import { deleteRows, updateRows } from '../../../../db/rows.ts';
import { callRecordings } from '../../../../db/tables/call-recordings.ts';
import { calls } from '../../../../db/tables/calls.ts';
import { recordingFolder, recordingKey } from '../../../../domain/files/key.ts';
import type { CallRef } from '../../../kernel/index.ts';
import type { RecordingStore } from './assemble.ts';

/**
 * Removes the files of a call's recording, pieces included; again it finds nothing. Throws UnavailableError.
 */
export async function removeRecordingFiles({
  files,
  callId,
}: {
  files: RecordingStore;
  callId: number;
}): Promise<void> {
  await files.remove(recordingKey(callId, 'mix'));
  await files.removeAll(recordingFolder(callId));
}

/**
 * That there is a recording is forgotten, in the caller's transaction: links and downloads end, and one that
 * is being assembled is thrown away. Answers how many pieces and records of it there were.
 */
export async function removeRecordingRows(
  tx: EntityManager,
  { callId, organizationId }: CallRef,
): Promise<number> {
  const removed = await deleteRows(tx, callRecordings, { callId, organizationId });
  const forgotten = await updateRows(tx, calls, {
    where: { id: callId, organizationId, recordedAt: Not(IsNull()) },
    change: { recordedAt: null },
  });
  return removed + forgotten;
}
