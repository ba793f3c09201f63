import { z } from 'zod';
import { AnyObject, DateTime, ErrorBody, IdempotencyHeaders, notFound } from './common.ts';
import { freeForm, list, record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** Most recordings of one request. */
const maxOfBatch = 20;
/** Largest file (contract 15.2). */
const maxBytes = 5_242_880;

/** Contract 15.2. */
const recordingId = () => text({ min: 1, max: 64, pattern: '^[a-zA-Z0-9_-]+$' });

/** Contract 15.2. */
export const RecordingUploadRequest = record({
  files: list(
    record({
      filename: text({ min: 1 }).meta({ description: 'Name of the file; the key ends with it.' }),
      mime_type: text({ max: 255 })
        .optional()
        .meta({ description: 'What the upload will say that it is.', override: { default: 'audio/wav' } }),
      file_size: integer({ gt: 0, le: maxBytes }).meta({
        description:
          'In bytes; the upload may have as many at most. Where files lie in a bucket, exactly as many.',
      }),
    }),
    { min: 1, max: maxOfBatch },
  ).meta({ description: 'WAV files of one channel.' }),
}).meta({ id: 'RecordingUploadRequest', description: 'Recorded lines that are to be uploaded.' });

export const RecordingUploads = z
  .object({
    items: z.array(z.object({ upload_url: z.string(), recording_id: z.string(), storage_key: z.string() })),
  })
  .meta({
    id: 'RecordingUploads',
    description: 'Where the bytes are to be PUT within 15 minutes, in the order of the request.',
  });
export type RecordingUploads = z.infer<typeof RecordingUploads>;

const voice = () => text({ max: 255 }).nullish();

/** Contract 15.2. */
export const RegisterRecordingsRequest = record({
  recordings: list(
    record({
      recording_id: recordingId(),
      storage_key: text({ min: 1, max: 255 }).meta({ description: 'Of the uploaded file.' }),
      transcript: text(),
      workflow_id: integer().nullish().meta({ description: 'Agent that it belongs to; null = to all.' }),
      tts_provider: voice(),
      tts_model: voice(),
      tts_voice_id: voice(),
      metadata: freeForm().nullish(),
    }),
    { min: 1, max: maxOfBatch },
  ).meta({ description: 'All of them, or none.' }),
}).meta({ id: 'RegisterRecordingsRequest', description: 'Uploaded files that become recordings.' });
export type RegisterRecordingsRequest = z.output<typeof RegisterRecordingsRequest>;

/** Contract 15.2. */
export const RenameRecordingRequest = record({ recording_id: recordingId() }).meta({
  id: 'RenameRecordingRequest',
  description: 'What graphs are to call it by.',
});

/** Contract 14.1, 15.2: what published clients list. */
export const Recording = z
  .object({
    id: z.int(),
    recording_id: z.string(),
    workflow_id: z.int().nullable(),
    organization_id: z.int(),
    tts_provider: z.string().nullable(),
    tts_model: z.string().nullable(),
    tts_voice_id: z.string().nullable(),
    transcript: z.string(),
    storage_key: z.string(),
    storage_backend: z.string(),
    metadata: AnyObject,
    created_by: z.int(),
    created_at: DateTime,
    is_active: z.boolean(),
  })
  .meta({ id: 'Recording', description: 'Something that an agent can play instead of speaking.' });
export type Recording = z.infer<typeof Recording>;

export const RecordingList = z
  .object({ recordings: z.array(Recording), total: z.int() })
  .meta({ id: 'RecordingList', description: 'Recordings.' });
export type RecordingList = z.infer<typeof RecordingList>;

export const DeletedRecording = z
  .object({ success: z.literal(true) })
  .meta({ id: 'DeletedRecording', description: 'The recording and its file are gone.' });
export type DeletedRecording = z.infer<typeof DeletedRecording>;

const tag = 'Recordings';
const RecordingPath = record({ recording_id: text() });
const unknown = notFound("No such recording in the caller's organization.");
const used = {
  description: 'A graph that may run, or a tool, plays it; or the new name is taken.',
  schema: ErrorBody,
};
const noStorage = {
  503: {
    description: 'The installation keeps no files, or their storage is away or full.',
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
    'Up to 20 at once, each good for 15 minutes. A file becomes a recording when it is registered.',
  body: RecordingUploadRequest,
  answers: {
    200: { description: 'A link, a key and a name for each file.', schema: RecordingUploads },
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
  description: 'Newest first.',
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
    'Each file is read: it has to be a WAV file with one channel of 16-bit PCM (8-bit PCM, A-law and µ-law are read, too) at 8000 to 48000 samples a second. Graphs and tools name a recording by its `recording_id`.',
  headers: IdempotencyHeaders,
  body: RegisterRecordingsRequest,
  answers: {
    200: { description: 'Registered, in the order of the request.', schema: RecordingList },
    400: { description: 'A file is not there, or cannot be played.', schema: ErrorBody },
    404: notFound("No such agent in the caller's organization."),
    409: { description: 'A name is taken, or a file is registered already.', schema: ErrorBody },
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
    'Named by its `id`, or by its `recording_id`. One that a graph or a tool plays keeps its name.',
  params: RecordingPath,
  body: RenameRecordingRequest,
  answers: { 200: { description: 'Renamed.', schema: Recording }, 404: unknown, 409: used },
});

export const deleteRecording = route({
  method: 'delete',
  path: '/workflow-recordings/{recording_id}',
  id: 'deleteRecording',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Delete a recording',
  description: 'Named by its `recording_id`, which is free then. One that a graph or a tool plays stays.',
  params: RecordingPath,
  answers: { 200: { description: 'Deleted.', schema: DeletedRecording }, 404: unknown, 409: used },
});
