import type { DataSource } from 'typeorm';
import { lineRecordings, type LineRecordingRow } from '../../src/db/tables/line-recordings.ts';
import { wavFile } from '../../src/domain/audio/wav.ts';
import type { Files } from '../../src/providers/storage/port.ts';
import { insertedId } from './inserted-id.ts';
import { noFiles } from './no-files.ts';
import { ownerOf } from './people.ts';

/** A tenth of a second of audio that can be played as a line. */
export const lineWav: Uint8Array = wavFile(8000, [
  Int16Array.from({ length: 800 }, (_, index) => Math.round(8000 * Math.sin(index / 5))),
]);

/** A folder that accepts every file and has that audio under every key of a line. */
export const lineFiles: Files = {
  ...noFiles,
  facts: (key) =>
    Promise.resolve(
      key.startsWith('line_recordings/')
        ? { bytes: lineWav.length, modifiedAt: new Date('2026-11-21T10:00:00Z'), mediaType: 'audio/wav' }
        : null,
    ),
  read: async function* () {
    yield lineWav;
  },
};

/** A recording of the organization with the given name. */
export async function insertLineRecording(
  db: DataSource,
  organizationId: number,
  changes: Partial<Omit<LineRecordingRow, 'metadata'>> & { recordingId: string },
): Promise<number> {
  const user = await ownerOf(db, organizationId);
  const at = new Date('2026-11-21T10:00:00.000Z');
  const { recordingId } = changes;
  return await insertedId(
    db.getRepository(lineRecordings).insert({
      organizationId,
      liveRecordingId: recordingId,
      agentId: null,
      ttsProvider: null,
      ttsModel: null,
      ttsVoiceId: null,
      transcript: recordingId,
      storageKey: `line_recordings/${organizationId}/${recordingId}.wav`,
      storageBackend: 'local',
      metadata: {},
      createdByUserId: user.id,
      createdAt: at,
      updatedAt: at,
      deletedAt: null,
      ...changes,
    }),
  );
}
