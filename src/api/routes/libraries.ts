import type { Handlers } from '../bind.ts';

/**
 * What graphs may refer to beside tools (contract 14.1). Nothing can be added yet, so there is nothing of
 * anybody.
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
