import { z } from 'zod';
import { AnyObject, DateTime, limitRule } from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
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

export const listDocuments = route({
  method: 'get',
  path: '/knowledge-base/documents',
  id: 'listDocuments',
  tag: 'Knowledge base',
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
