import type { DataSource } from 'typeorm';
import { findRow } from '../../../db/rows.ts';
import { lineRecordings } from '../../../db/tables/line-recordings.ts';

/**
 * The storage key and transcript of a recorded line; null for one that is unknown, deleted or of another
 * organization.
 */
export async function findRecordedLine({
  db,
  input: { organizationId, recordingId },
}: {
  db: DataSource;
  input: { organizationId: number; recordingId: string };
}): Promise<{ storageKey: string; transcript: string } | null> {
  const row = await findRow(db.manager, lineRecordings, { organizationId, liveRecordingId: recordingId });
  return row === null ? null : { storageKey: row.storageKey, transcript: row.transcript };
}
