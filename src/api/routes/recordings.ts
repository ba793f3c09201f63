import type { RegisterRecordingsRequest } from '../../contract/recordings.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import {
  deleteRecording,
  listRecordings,
  presignRecordings,
  registerRecordings,
  renameRecording,
  type NewRecording,
} from '../../services/agents/index.ts';
import type { Handlers } from '../bind.ts';
import type { StoredFiles } from '../stored-files.ts';

export interface RecordingRouteDeps {
  /** Absent if the installation has no file storage. */
  storage?: StoredFiles | undefined;
}

type RecordingRoute =
  | 'presignRecordings'
  | 'listRecordings'
  | 'registerRecordings'
  | 'renameRecording'
  | 'deleteRecording';

/** Recorded lines (contract 15.2). */
export function recordingHandlers(deps: RecordingRouteDeps): Pick<Handlers<ServiceContext>, RecordingRoute> {
  return {
    presignRecordings: ({ ctx, input: { body } }) =>
      presignRecordings({
        ctx,
        deps,
        files: body.files.map(({ filename, mime_type: mediaType = 'audio/wav', file_size: bytes }) => ({
          fileName: filename,
          mediaType,
          bytes,
        })),
      }),
    listRecordings: ({ ctx, input: { query } }) =>
      listRecordings({
        ctx,
        input: {
          agentId: query.workflow_id,
          ttsProvider: query.tts_provider,
          ttsModel: query.tts_model,
          ttsVoiceId: query.tts_voice_id,
        },
      }),
    registerRecordings: ({ ctx, input: { body } }) =>
      registerRecordings({ ctx, deps, input: body.recordings.map(newRecording) }),
    renameRecording: ({ ctx, input: { params, body } }) =>
      renameRecording({ ctx, input: { idOrName: params.recording_id, recordingId: body.recording_id } }),
    deleteRecording: ({ ctx, input: { params } }) =>
      deleteRecording({ ctx, deps, input: { recordingId: params.recording_id } }),
  };
}

function newRecording({
  recording_id,
  storage_key,
  transcript,
  workflow_id,
  tts_provider,
  tts_model,
  tts_voice_id,
  metadata,
}: RegisterRecordingsRequest['recordings'][number]): NewRecording {
  return {
    recordingId: recording_id,
    storageKey: storage_key,
    transcript,
    agentId: workflow_id ?? null,
    ttsProvider: tts_provider ?? null,
    ttsModel: tts_model ?? null,
    ttsVoiceId: tts_voice_id ?? null,
    metadata: metadata ?? {},
  };
}
