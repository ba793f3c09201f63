import { z } from 'zod';
import { DateTime, ErrorBody, notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { boolean, integer } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** Size of an upload (contract 1.4, 11.1). */
const fileSize = () =>
  integer({ gt: 0, le: 10_485_760 }).meta({
    description:
      'Size in bytes, which the upload must not exceed. If the installation stores files in a bucket, the upload must have exactly this size.',
  });

/** Contract 11.1. */
export const PresignUploadRequest = record({
  file_name: text({ pattern: String.raw`.*\.csv$` }).meta({
    description: 'Name of the file. The storage key ends with it.',
  }),
  file_size: fileSize(),
  content_type: text({ max: 255 })
    .optional()
    .meta({
      description: 'Content type of the upload. Default `text/csv`.',
      override: { default: 'text/csv' },
    }),
}).meta({ id: 'PresignUploadRequest', description: 'A contact file to upload.' });

export const PresignedUpload = z
  .object({
    upload_url: z.string().meta({ description: 'URL for the PUT of the file.' }),
    file_key: z.string().meta({ description: 'Storage key of the file.' }),
    expires_in: z.int().meta({ description: 'Seconds until the link expires.' }),
  })
  .meta({
    id: 'PresignedUpload',
    description:
      'A link for the upload. PUT the file with the announced content type and without credentials.',
  });
export type PresignedUpload = z.infer<typeof PresignedUpload>;

/** Contract 1.4. */
export const AmbientNoiseUploadRequest = record({
  workflow_id: integer(),
  filename: text({ min: 1 }).meta({ description: 'Name of the file. The storage key ends with it.' }),
  mime_type: text({ max: 255 })
    .optional()
    .meta({
      description: 'Content type of the upload. Default `audio/wav`.',
      override: { default: 'audio/wav' },
    }),
  file_size: fileSize(),
}).meta({ id: 'AmbientNoiseUploadRequest', description: "A background sound for an agent's calls." });

export const AmbientNoiseUpload = z
  .object({
    upload_url: z.string().meta({ description: 'URL for the PUT of the file.' }),
    storage_key: z.string().meta({ description: 'Storage key of the file.' }),
    storage_backend: z.string().meta({ description: 'Storage that will hold the file.' }),
  })
  .meta({ id: 'AmbientNoiseUpload', description: 'A link for the upload, valid for 15 minutes.' });
export type AmbientNoiseUpload = z.infer<typeof AmbientNoiseUpload>;

/** Contract 6.9. */
export const SignedUrl = z
  .object({ url: z.string(), expires_in: z.int().meta({ description: 'Seconds until the link expires.' }) })
  .meta({ id: 'SignedUrl', description: 'A link to a file. Needs no credentials.' });
export type SignedUrl = z.infer<typeof SignedUrl>;

/** Contract 6.9. */
export const FileMetadata = z
  .object({
    key: z.string().meta({ description: 'The requested storage key.' }),
    metadata: z
      .object({
        size: z.int().meta({ description: 'Size in bytes.' }),
        content_type: z.string().meta({ description: 'Content type, from the name of the file.' }),
        last_modified: DateTime.meta({
          description: 'When the file was uploaded. For a transcript, when the call ended.',
        }),
        storage_backend: z.string().meta({ description: 'Storage that holds the file.' }),
      })
      .meta({ description: 'Metadata of the file.' }),
  })
  .meta({ id: 'FileMetadata', description: 'Metadata of a file.' });
export type FileMetadata = z.infer<typeof FileMetadata>;

/** Contract 6.9. */
export const DownloadTicketRequest = record({
  path: text({ max: 8192 }).meta({
    description: 'Path of the download after `/api/v1`, with its query.',
    examples: ['/campaign/12/export?kind=errors'],
  }),
}).meta({ id: 'DownloadTicketRequest', description: 'A download to open without credentials.' });

export const DownloadTicket = z
  .object({
    url: z.string().meta({ description: 'URL of the download with the ticket. It works once.' }),
    expires_at: DateTime.meta({ description: 'Until when the download can begin.' }),
  })
  .meta({
    id: 'DownloadTicket',
    description: 'A link to one download. The first request to it gets the file that the caller would get.',
  });
export type DownloadTicket = z.infer<typeof DownloadTicket>;

const tag = 'Files';
const noStorage = {
  503: {
    description: 'The installation has no file storage, or the storage is unavailable or full.',
    schema: ErrorBody,
  },
};
const unknownFile = notFound("No such file in the caller's organization.");
const key = text().meta({
  description: 'Storage key of an upload, a recording or a transcript (`transcripts/{run_id}.txt`).',
});

export const presignUpload = route({
  method: 'post',
  path: '/s3/presigned-upload-url',
  id: 'presignUpload',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Get a link to upload a contact file',
  description: 'The link is valid for 15 minutes. A file that no campaign uses within a day is deleted.',
  body: PresignUploadRequest,
  answers: {
    200: { description: 'The link, and the storage key of the file.', schema: PresignedUpload },
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
  description: 'The link is valid for 15 minutes.',
  body: AmbientNoiseUploadRequest,
  answers: {
    200: { description: 'The link, and the storage key of the file.', schema: AmbientNoiseUpload },
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
    'Takes the file at a link from one of the upload endpoints. A second upload replaces the first. An interrupted upload changes nothing.',
  params: record({ ticket: text() }),
  answers: {
    200: { description: 'The file is stored.' },
    400: { description: 'The content type differs from the announced one.', schema: ErrorBody },
    404: { description: 'The link is invalid or expired.', schema: ErrorBody },
    413: { description: 'The file is larger than announced.', schema: ErrorBody },
    ...noStorage,
  },
});

export const signUrl = route({
  method: 'get',
  path: '/s3/signed-url',
  id: 'signUrl',
  tag,
  auth: 'key',
  scope: 'people:read',
  summary: 'Get a link to a file',
  description: 'Anyone with the link can read the file until the link expires.',
  query: record({
    key,
    expires_in: integer({ ge: 1, le: 604_800 })
      .optional()
      .meta({ description: 'Seconds until the link expires. Default 3600.', override: { default: 3600 } }),
    inline: boolean()
      .optional()
      .meta({ override: { default: false } }),
    storage_backend: text()
      .optional()
      .meta({ description: 'Ignored: the service knows which storage holds the file.' }),
  }),
  answers: { 200: { description: 'The link.', schema: SignedUrl }, 404: unknownFile },
});

export const createDownloadTicket = route({
  method: 'post',
  path: '/download-tickets',
  id: 'createDownloadTicket',
  tag,
  auth: 'key',
  scope: 'read',
  group: 'reads',
  summary: 'Get a link to a download that works once',
  description:
    'For programs that cannot send a header with a download, such as a browser that saves a file. `path` is that of a GET with `downloadTicket` under `security`. Whatever refuses the download refuses the link, with the same answer. The link works once, within a minute, as long as the key or session of this request is accepted and has the scope of the download.',
  body: DownloadTicketRequest,
  answers: {
    200: { description: 'The link.', schema: DownloadTicket },
    400: { description: 'The download would be refused with 400.', schema: ErrorBody },
    404: notFound("No such object in the caller's organization."),
    409: { description: 'The download would be refused with 409.', schema: ErrorBody },
    ...noStorage,
  },
});

export const getFileMetadata = route({
  method: 'get',
  path: '/s3/file-metadata',
  id: 'getFileMetadata',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get the metadata of a file',
  description: 'Returns size, content type and time of the upload.',
  query: record({ key }),
  answers: { 200: { description: 'The metadata.', schema: FileMetadata }, 404: unknownFile },
});
