import { EntitySchema } from 'typeorm';
import { id, json, longText, timestamp, nullable, reference, text, word } from './columns.ts';

/**
 * Audio that an agent plays instead of speaking a line (contract 15.2). Graphs and tools name it by
 * `recordingId`, which is unique among existing ones: `liveRecordingId` is null once it is deleted.
 * Recordings of calls are in `call_recordings`.
 */
export interface LineRecordingRow {
  id: number;
  organizationId: number;
  recordingId: string;
  liveRecordingId: string | null;
  agentId: number | null;
  ttsProvider: string | null;
  ttsModel: string | null;
  ttsVoiceId: string | null;
  /** The words of the line. */
  transcript: string;
  /** A WAV file with one channel, checked when the recording was registered. */
  storageKey: string;
  storageBackend: string;
  metadata: Record<string, unknown>;
  createdByUserId: number;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
}

export const lineRecordings = new EntitySchema<LineRecordingRow>({
  name: 'line_recordings',
  columns: {
    id: id('line_recordings'),
    organizationId: reference('organization_id'),
    recordingId: word('recording_id', 64),
    liveRecordingId: nullable(word('live_recording_id', 64)),
    agentId: nullable(reference('agent_id')),
    ttsProvider: nullable(text('tts_provider', 255)),
    ttsModel: nullable(text('tts_model', 255)),
    ttsVoiceId: nullable(text('tts_voice_id', 255)),
    transcript: longText('transcript'),
    storageKey: word('storage_key', 255),
    storageBackend: word('storage_backend', 16),
    metadata: json('metadata'),
    createdByUserId: reference('created_by_user_id'),
    createdAt: timestamp('created_at'),
    updatedAt: timestamp('updated_at'),
    deletedAt: nullable(timestamp('deleted_at')),
  },
  indices: [
    { name: 'uq_line_recordings_live', columns: ['organizationId', 'liveRecordingId'], unique: true },
    { name: 'uq_line_recordings_storage_key', columns: ['storageKey'], unique: true },
  ],
  foreignKeys: [
    {
      name: 'fk_line_recordings_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_line_recordings_agent',
      target: 'agents',
      columnNames: ['agentId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_line_recordings_user',
      target: 'users',
      columnNames: ['createdByUserId'],
      referencedColumnNames: ['id'],
    },
  ],
});
