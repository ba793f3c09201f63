import type { Handlers } from '../bind.ts';

/**
 * Documents that graphs may refer to (contract 14.1). None can be added yet, so the list is always empty.
 */
export function libraryHandlers<Caller>(): Pick<Handlers<Caller>, 'listDocuments'> {
  return {
    listDocuments: ({ input: { query } }) =>
      Promise.resolve({
        documents: [],
        total: 0,
        limit: query.limit ?? 100,
        offset: Math.min(query.offset ?? 0, Number.MAX_SAFE_INTEGER),
      }),
  };
}
