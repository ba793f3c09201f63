import type { Recording, RecordingList } from '../../../contract/recordings.ts';
import type { LineRecordingRow } from '../../../db/tables/line-recordings.ts';
import { wireTimestamp } from '../../kernel/index.ts';

/** Contract 15.2. */
export function toRecording({
  id,
  recordingId,
  agentId,
  organizationId,
  ttsProvider,
  ttsModel,
  ttsVoiceId,
  transcript,
  storageKey,
  storageBackend,
  metadata,
  createdByUserId,
  createdAt,
  deletedAt,
}: LineRecordingRow): Recording {
  return {
    id,
    recording_id: recordingId,
    workflow_id: agentId,
    organization_id: organizationId,
    tts_provider: ttsProvider,
    tts_model: ttsModel,
    tts_voice_id: ttsVoiceId,
    transcript,
    storage_key: storageKey,
    storage_backend: storageBackend,
    metadata,
    created_by: createdByUserId,
    created_at: wireTimestamp(createdAt),
    is_active: deletedAt === null,
  };
}

export function toRecordingList(rows: readonly LineRecordingRow[]): RecordingList {
  return { recordings: rows.map(toRecording), total: rows.length };
}

/** A recording as the audit log compares it, without its transcript. */
export function auditedRecording({
  recordingId,
  agentId,
  ttsProvider,
  ttsModel,
  ttsVoiceId,
}: LineRecordingRow): object {
  return {
    recording_id: recordingId,
    workflow_id: agentId,
    tts_provider: ttsProvider,
    tts_model: ttsModel,
    tts_voice_id: ttsVoiceId,
  };
}
