import { NotFoundError, PreconditionError } from '../../domain/errors.ts';
import type { Handlers } from '../bind.ts';

type DocumentRoute =
  | 'listDocuments'
  | 'presignDocument'
  | 'processDocument'
  | 'getDocument'
  | 'deleteDocument'
  | 'searchDocuments';

/**
 * Documents that graphs may refer to (contract 14.1, 15.2). None can be added yet: lists and searches are
 * empty, and no document exists.
 */
export function libraryHandlers<Caller>(): Pick<Handlers<Caller>, DocumentRoute> {
  return {
    listDocuments: ({ input: { query } }) =>
      Promise.resolve({
        documents: [],
        total: 0,
        limit: query.limit ?? 100,
        offset: Math.min(query.offset ?? 0, Number.MAX_SAFE_INTEGER),
      }),
    presignDocument: () => Promise.reject(notKept()),
    processDocument: () => Promise.reject(notKept()),
    getDocument: () => Promise.reject(notFound()),
    deleteDocument: () => Promise.reject(notFound()),
    searchDocuments: ({ input: { body } }) =>
      Promise.resolve({ chunks: [], query: body.query, total_results: 0 }),
  };
}

const notFound = () => new NotFoundError('Document not found');
const notKept = () =>
  new PreconditionError(
    'This service keeps no documents: write what the agent must know into a prompt, or give it an http_api tool that looks it up',
  );
