import { z } from 'zod';
import { DateTime, ErrorBody, notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { boolean, integer } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** Largest upload (contract 1.4, 11.1). */
const fileSize = () =>
  integer({ gt: 0, le: 10_485_760 }).meta({
    description:
      'In bytes; the upload may have as many at most. Where files lie in a bucket, exactly as many.',
  });

/** Contract 11.1. */
export const PresignUploadRequest = record({
  file_name: text({ pattern: String.raw`.*\.csv$` }).meta({
    description: 'Name of the file; the key ends with it.',
  }),
  file_size: fileSize(),
  content_type: text({ max: 255 })
    .optional()
    .meta({ description: 'What the upload will say that it is.', override: { default: 'text/csv' } }),
}).meta({ id: 'PresignUploadRequest', description: 'A file of contacts that is to be uploaded.' });

export const PresignedUpload = z
  .object({
    upload_url: z.string().meta({ description: 'Where the bytes are to be PUT.' }),
    file_key: z.string().meta({ description: 'Names the file from now on.' }),
    expires_in: z.int().meta({ description: 'Seconds.' }),
  })
  .meta({
    id: 'PresignedUpload',
    description:
      'Where the bytes are to be PUT, with the content type that was announced and without credentials.',
  });
export type PresignedUpload = z.infer<typeof PresignedUpload>;

/** Contract 1.4. */
export const AmbientNoiseUploadRequest = record({
  workflow_id: integer(),
  filename: text({ min: 1 }).meta({ description: 'Name of the file; the key ends with it.' }),
  mime_type: text({ max: 255 })
    .optional()
    .meta({ description: 'What the upload will say that it is.', override: { default: 'audio/wav' } }),
  file_size: fileSize(),
}).meta({ id: 'AmbientNoiseUploadRequest', description: "A sound for the background of an agent's calls." });

export const AmbientNoiseUpload = z
  .object({
    upload_url: z.string().meta({ description: 'Where the bytes are to be PUT.' }),
    storage_key: z.string().meta({ description: 'Names the file from now on.' }),
    storage_backend: z.string().meta({ description: 'Where it will be kept.' }),
  })
  .meta({ id: 'AmbientNoiseUpload', description: 'Where the bytes are to be PUT within 15 minutes.' });
export type AmbientNoiseUpload = z.infer<typeof AmbientNoiseUpload>;

/** Contract 6.9. */
export const SignedUrl = z
  .object({ url: z.string(), expires_in: z.int().meta({ description: 'Seconds.' }) })
  .meta({ id: 'SignedUrl', description: 'A link that needs no credentials.' });
export type SignedUrl = z.infer<typeof SignedUrl>;

/** Contract 6.9. */
export const FileMetadata = z
  .object({
    key: z.string().meta({ description: 'The key that was asked for.' }),
    metadata: z
      .object({
        size: z.int().meta({ description: 'In bytes.' }),
        content_type: z.string().meta({ description: 'By the name of the file.' }),
        last_modified: DateTime.meta({
          description: 'When it was uploaded; of a transcript, when the call ended.',
        }),
        storage_backend: z.string().meta({ description: 'Where it is kept.' }),
      })
      .meta({ description: 'What is known of it.' }),
  })
  .meta({ id: 'FileMetadata', description: 'What is known of a file, without its content.' });
export type FileMetadata = z.infer<typeof FileMetadata>;

const tag = 'Files';
const noStorage = {
  503: {
    description: 'The installation keeps no files, or their storage is away or full.',
    schema: ErrorBody,
  },
};
const unknownFile = notFound("No such file in the caller's organization.");
const key = text().meta({ description: 'Storage key: of an upload, or `transcripts/{run_id}.txt`.' });

export const presignUpload = route({
  method: 'post',
  path: '/s3/presigned-upload-url',
  id: 'presignUpload',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Get a link to upload contacts',
  description: 'The link is good for 15 minutes. A file that no campaign names within a day is removed.',
  body: PresignUploadRequest,
  answers: {
    200: { description: 'The link and the key of the file.', schema: PresignedUpload },
    ...noStorage,
  },
});

export const presignAmbientNoise = route({
  method: 'post',
  path: '/workflow/ambient-noise/upload-url',
  id: 'presignAmbientNoise',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Get a link to upload a background sound',
  description: 'The link is good for 15 minutes.',
  body: AmbientNoiseUploadRequest,
  answers: {
    200: { description: 'The link and the key of the file.', schema: AmbientNoiseUpload },
    404: notFound("No such agent in the caller's organization."),
    ...noStorage,
  },
});

export const uploadFile = route({
  method: 'put',
  path: '/public/upload/{ticket}',
  id: 'uploadFile',
  tag,
  auth: 'none',
  group: 'downloads',
  bytes: true,
  summary: 'Upload a file',
  description:
    'To the link that was made for it. A second upload replaces the first; one that breaks off changes nothing.',
  params: record({ ticket: text() }),
  answers: {
    200: { description: 'The file is stored.' },
    400: { description: 'The content type is not the one that was announced.', schema: ErrorBody },
    404: { description: 'The link is not ours or has expired.', schema: ErrorBody },
    413: { description: 'There are more bytes than were announced.', schema: ErrorBody },
    ...noStorage,
  },
});

export const signUrl = route({
  method: 'get',
  path: '/s3/signed-url',
  id: 'signUrl',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get a link to a file',
  description: 'Whoever has it can read the file until it expires.',
  query: record({
    key,
    expires_in: integer({ ge: 1, le: 604_800 })
      .optional()
      .meta({ description: 'Seconds.', override: { default: 3600 } }),
    inline: boolean()
      .optional()
      .meta({ override: { default: false } }),
    storage_backend: text()
      .optional()
      .meta({ description: 'Not looked at: the service knows where a file is.' }),
  }),
  answers: { 200: { description: 'The link.', schema: SignedUrl }, 404: unknownFile },
});

export const getFileMetadata = route({
  method: 'get',
  path: '/s3/file-metadata',
  id: 'getFileMetadata',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read what is known of a file',
  description: 'Without its content.',
  query: record({ key }),
  answers: { 200: { description: 'What is known.', schema: FileMetadata }, 404: unknownFile },
});
