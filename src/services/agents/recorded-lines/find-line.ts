import type { DataSource } from 'typeorm';
import { findRow } from '../../../db/rows.ts';
import { lineRecordings } from '../../../db/tables/line-recordings.ts';

/** Where a recorded line lies and what is said in it; null for an unknown, deleted or foreign one. */
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
