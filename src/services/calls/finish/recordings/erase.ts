import { IsNull, Not, type EntityManager } from 'typeorm';
import { deleteRows, updateRows } from '../../../../db/rows.ts';
import { callRecordings } from '../../../../db/tables/call-recordings.ts';
import { calls } from '../../../../db/tables/calls.ts';
import { recordingFolder, recordingKey } from '../../../../domain/files/key.ts';
import type { CallRef } from '../../../kernel/index.ts';
import type { RecordingStore } from './assemble.ts';

/** Removes the files of a call's recording, pieces included. It is idempotent. Throws UnavailableError. */
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
 * Removes every record of a recording, in the caller's transaction: links and downloads end, and a recording
 * that is being assembled is discarded. Returns the number of changed rows.
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
