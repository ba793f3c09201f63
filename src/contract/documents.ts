import { z } from 'zod';
import { AnyObject, DateTime, ErrorBody, limitRule, notFound } from './common.ts';
import { freeForm, list, record } from './lax/collections.ts';
import { integer, number } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** Contract 14.1, 15.2: published clients list documents. */
export const Document = z
  .object({
    id: z.int(),
    document_uuid: z.string(),
    filename: z.string(),
    file_size_bytes: z.int(),
    file_hash: z.string(),
    mime_type: z.string(),
    processing_status: z.string(),
    processing_error: z.string().nullable(),
    total_chunks: z.int(),
    retrieval_mode: z.string().nullable(),
    custom_metadata: AnyObject,
    docling_metadata: AnyObject,
    source_url: z.string().nullable(),
    created_at: DateTime,
    updated_at: DateTime,
    organization_id: z.int(),
    created_by: z.int(),
    is_active: z.boolean(),
  })
  .meta({ id: 'Document', description: 'A document that agents can search.' });

export const DocumentPage = z
  .object({ documents: z.array(Document), total: z.int(), limit: z.int(), offset: z.int() })
  .meta({ id: 'DocumentPage', description: 'A page of documents.' });

/** Contract 15.2. */
export const UploadDocumentRequest = record({
  filename: text({ min: 1 }),
  mime_type: text({ max: 255 }),
  custom_metadata: freeForm().nullish(),
}).meta({ id: 'UploadDocumentRequest', description: 'A document to upload.' });

/** Contract 15.2. */
export const ProcessDocumentRequest = record({
  document_uuid: text(),
  s3_key: text({ min: 1 }),
  retrieval_mode: text().default('chunked'),
}).meta({ id: 'ProcessDocumentRequest', description: 'An uploaded document to read.' });

/** Contract 15.2. */
export const DocumentSearch = record({
  query: text({ min: 1 }),
  limit: integer({ ge: 1, le: 50 }).default(5),
  document_uuids: list(text()).nullish(),
  min_similarity: number({ ge: 0, le: 1 }).nullish(),
}).meta({ id: 'DocumentSearch', description: 'What to search in documents.' });

export const FoundChunks = z
  .object({ chunks: z.array(AnyObject), query: z.string(), total_results: z.int() })
  .meta({ id: 'FoundChunks', description: 'Pieces of documents.' });

const tag = 'Knowledge base';
const DocumentPath = record({ document_uuid: text() });
const unknown = notFound('No such document. This service keeps none.');
const notKept = {
  409: {
    description: 'This service keeps no documents.',
    schema: ErrorBody,
  },
};

export const presignDocument = route({
  method: 'post',
  path: '/knowledge-base/upload-url',
  id: 'presignDocument',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Get a link to upload a document',
  description: 'Always refused: documents cannot be added yet.',
  body: UploadDocumentRequest,
  answers: notKept,
});

export const processDocument = route({
  method: 'post',
  path: '/knowledge-base/process-document',
  id: 'processDocument',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Read an uploaded document',
  description: 'Always refused: documents cannot be added yet.',
  body: ProcessDocumentRequest,
  answers: notKept,
});

export const getDocument = route({
  method: 'get',
  path: '/knowledge-base/documents/{document_uuid}',
  id: 'getDocument',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get a document',
  description: 'Always 404: documents cannot be added yet.',
  params: DocumentPath,
  answers: { 404: unknown },
});

export const deleteDocument = route({
  method: 'delete',
  path: '/knowledge-base/documents/{document_uuid}',
  id: 'deleteDocument',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Delete a document',
  description: 'Always 404: documents cannot be added yet.',
  params: DocumentPath,
  answers: { 404: unknown },
});

export const searchDocuments = route({
  method: 'post',
  path: '/knowledge-base/search',
  id: 'searchDocuments',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Search in documents',
  description: 'Always finds nothing: documents cannot be added yet.',
  body: DocumentSearch,
  answers: { 200: { description: 'Nothing.', schema: FoundChunks } },
});

export const listDocuments = route({
  method: 'get',
  path: '/knowledge-base/documents',
  id: 'listDocuments',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List documents',
  description: 'Always returns an empty list: documents cannot be added yet.',
  query: record({
    status: text().optional(),
    limit: integer(limitRule)
      .optional()
      .meta({ override: { default: 100 } }),
    offset: integer({ ge: 0 })
      .optional()
      .meta({ override: { default: 0 } }),
  }),
  answers: { 200: { description: 'A page of documents.', schema: DocumentPage } },
});
