import type { EntityManager } from 'typeorm';
import { removeRecordingRows } from '../../calls/index.ts';
import type { LockedCall } from './lock-call.ts';
import type { Removed } from './removed.ts';

/**
 * Removes the rows of a call's recording, in the caller's transaction. The caller removes the files before
 * and after it. A repeated run finds nothing.
 */
export async function removeRecording(
  tx: EntityManager,
  { call: { id, organizationId } }: LockedCall,
): Promise<Removed> {
  return { call_recordings: await removeRecordingRows(tx, { callId: id, organizationId }) };
}
