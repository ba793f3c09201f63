import { QueryClient, queryOptions } from '@tanstack/react-query';
import type { AnswerOf, PathOf, RequestParts } from '../../../src/contract/client-types.ts';
import { ApiError, call, onReturn, type Answer } from './api.ts';

const halfMinuteMs = 30_000;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: halfMinuteMs,
      // `send` repeats what may be repeated. A server that cannot be reached is asked again here.
      retry: (count, error) => error instanceof ApiError && error.status === 0 && count < 5,
      retryDelay: (count) => Math.min(1000 * 2 ** count, 10_000),
      refetchOnWindowFocus: true,
      // Whether the browser has a network says nothing about a service on the same machine.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

onReturn(() => void queries.refetchQueries({ type: 'active', stale: true }));

/** The query of a GET route; its key is the path with what was sent. */
export function get<P extends PathOf<'get'>>(path: P, input: RequestParts<'get', P>) {
  return queryOptions<AnswerOf<'get', P>>({
    queryKey: [path, input],
    queryFn: async ({ signal }) => (await call('get', path, { ...input, signal })).body,
  });
}

/** The same with the `ETag` of the answer. */
export function getTagged<P extends PathOf<'get'>>(path: P, input: RequestParts<'get', P>) {
  return queryOptions<Answer<AnswerOf<'get', P>>>({
    queryKey: [path, input, 'tagged'],
    queryFn: async ({ signal }) => await call('get', path, { ...input, signal }),
  });
}
