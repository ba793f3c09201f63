import { z } from 'zod';
import { AnyObject, DateTime, ErrorBody, IdempotencyHeaders, notFound } from './common.ts';
import { freeForm, list, record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { text } from './lax/text.ts';
import { withoutNumbers } from './personal.ts';
import { route } from './route.ts';

/** Maximum number of recordings per request. */
const maxOfBatch = 20;
/** Maximum size of a file (contract 15.2). */
const maxBytes = 5_242_880;

/** Contract 15.2. */
const recordingId = () => text({ min: 1, max: 64, pattern: '^[a-zA-Z0-9_-]+$' });

/** Contract 15.2. */
export const RecordingUploadRequest = record({
  files: list(
    record({
      filename: text({ min: 1 }).meta({ description: 'Name of the file. The storage key ends with it.' }),
      mime_type: text({ max: 255 })
        .optional()
        .meta({
          description: 'Content type of the upload. Default `audio/wav`.',
          override: { default: 'audio/wav' },
        }),
      file_size: integer({ gt: 0, le: maxBytes }).meta({
        description:
          'Size in bytes, which the upload must not exceed. If the installation stores files in a bucket, the upload must have exactly this size.',
      }),
    }),
    { min: 1, max: maxOfBatch },
  ).meta({ description: 'WAV files with one channel, 1 to 20.' }),
}).meta({ id: 'RecordingUploadRequest', description: 'Recordings to upload.' });

export const RecordingUploads = z
  .object({
    items: z.array(z.object({ upload_url: z.string(), recording_id: z.string(), storage_key: z.string() })),
  })
  .meta({
    id: 'RecordingUploads',
    description: 'Links for the uploads, valid for 15 minutes.',
  });
export type RecordingUploads = z.infer<typeof RecordingUploads>;

const voice = () => text({ max: 255 }).nullish();

/** Contract 15.2. */
export const RegisterRecordingsRequest = record({
  recordings: list(
    record({
      recording_id: recordingId(),
      storage_key: text({ min: 1, max: 255 }).meta({ description: 'Storage key of the uploaded file.' }),
      transcript: text(),
      workflow_id: integer()
        .nullish()
        .meta({ description: 'Id of the agent of the recording. Null means all agents.' }),
      tts_provider: voice(),
      tts_model: voice(),
      tts_voice_id: voice(),
      metadata: freeForm().nullish(),
    }),
    { min: 1, max: maxOfBatch },
  ).meta({ description: 'Recordings, 1 to 20. Either all are registered or none.' }),
}).meta({ id: 'RegisterRecordingsRequest', description: 'Uploaded files to register as recordings.' });
export type RegisterRecordingsRequest = z.output<typeof RegisterRecordingsRequest>;

/** Contract 15.2. */
export const RenameRecordingRequest = record({ recording_id: recordingId() }).meta({
  id: 'RenameRecordingRequest',
  description: 'New name of a recording.',
});

/** Contract 14.1, 15.2: published clients list recordings. */
export const Recording = z
  .object({
    id: z.int(),
    recording_id: z.string(),
    workflow_id: z.int().nullable(),
    organization_id: z.int(),
    tts_provider: z.string().nullable(),
    tts_model: z.string().nullable(),
    tts_voice_id: z.string().nullable(),
    transcript: withoutNumbers(z.string()),
    storage_key: z.string(),
    storage_backend: z.string(),
    metadata: withoutNumbers(AnyObject),
    created_by: z.int(),
    created_at: DateTime,
    is_active: z.boolean(),
  })
  .meta({ id: 'Recording', description: 'Audio that an agent plays instead of speaking.' });
export type Recording = z.infer<typeof Recording>;

export const RecordingList = z
  .object({ recordings: z.array(Recording), total: z.int() })
  .meta({ id: 'RecordingList', description: 'A list of recordings.' });
export type RecordingList = z.infer<typeof RecordingList>;

export const DeletedRecording = z
  .object({ success: z.literal(true) })
  .meta({ id: 'DeletedRecording', description: 'Confirmation of the deletion.' });
export type DeletedRecording = z.infer<typeof DeletedRecording>;

const tag = 'Recordings';
const RecordingPath = record({ recording_id: text() });
const unknown = notFound("No such recording in the caller's organization.");
const used = {
  description: 'A graph that can still run or a tool plays the recording, or the new name is taken.',
  schema: ErrorBody,
};
const noStorage = {
  503: {
    description: 'The installation has no file storage, or the storage is unavailable or full.',
    schema: ErrorBody,
  },
};

export const presignRecordings = route({
  method: 'post',
  path: '/workflow-recordings/upload-url',
  id: 'presignRecordings',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Get links to upload recordings',
  description:
    'Returns up to 20 links, each valid for 15 minutes. An uploaded file becomes a recording when it is registered.',
  body: RecordingUploadRequest,
  answers: {
    200: {
      description: 'A link, a storage key and a suggested name for each file.',
      schema: RecordingUploads,
    },
    ...noStorage,
  },
});

export const listRecordings = route({
  method: 'get',
  path: '/workflow-recordings/',
  id: 'listRecordings',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List recordings',
  description: 'Returns recordings, newest first.',
  query: record({
    workflow_id: integer().optional(),
    tts_provider: text().optional(),
    tts_model: text().optional(),
    tts_voice_id: text().optional(),
  }),
  answers: { 200: { description: 'The recordings.', schema: RecordingList } },
});

export const registerRecordings = route({
  method: 'post',
  path: '/workflow-recordings/',
  id: 'registerRecordings',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Register uploaded recordings',
  description:
    'Each file must be a WAV file with one channel of 8-bit or 16-bit PCM, A-law or µ-law at 8000 to 48000 samples per second. Graphs and tools refer to a recording by its `recording_id`.',
  headers: IdempotencyHeaders,
  body: RegisterRecordingsRequest,
  answers: {
    200: { description: 'The recordings, in the order of the request.', schema: RecordingList },
    400: { description: 'A file does not exist or cannot be played.', schema: ErrorBody },
    404: notFound("No such agent in the caller's organization."),
    409: { description: 'A name is taken, or a file is already registered.', schema: ErrorBody },
    ...noStorage,
  },
});

export const renameRecording = route({
  method: 'patch',
  path: '/workflow-recordings/{recording_id}',
  id: 'renameRecording',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Rename a recording',
  description:
    'The path has the `id` or the `recording_id`. A recording that a graph or a tool plays cannot be renamed.',
  params: RecordingPath,
  body: RenameRecordingRequest,
  answers: { 200: { description: 'The renamed recording.', schema: Recording }, 404: unknown, 409: used },
});

export const deleteRecording = route({
  method: 'delete',
  path: '/workflow-recordings/{recording_id}',
  id: 'deleteRecording',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Delete a recording',
  description:
    'The path has the `recording_id`, which can be used again afterwards. A recording that a graph or a tool plays cannot be deleted.',
  params: RecordingPath,
  answers: { 200: { description: 'Deleted.', schema: DeletedRecording }, 404: unknown, 409: used },
});
