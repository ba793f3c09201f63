import { infiniteQueryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../app/api.ts';
import { get, queries } from '../../app/query.ts';
import { useTopic } from '../../live/topics.ts';

const pageSize = 100;
const followMs = 1500;

/** Directories, all or those with a text in their name, newest first, page by page; asked again while one is checked. */
export const directoriesWith = (search = '') =>
  infiniteQueryOptions({
    queryKey: ['/directories', 'pages', search],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call('get', '/directories', {
          query: { limit: pageSize, offset: pageParam, ...(search === '' ? {} : { search }) },
          signal,
        })
      ).body,
    initialPageParam: 0,
    getNextPageParam: ({ offset, limit, total_count: total }) =>
      offset + limit < total ? offset + limit : undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.directories.some((each) => each.state === 'importing')) === true
        ? followMs
        : false,
  });

/** The query of one directory. */
export const directoryOf = (id: number) =>
  get('/directories/{directory_id}', { params: { directory_id: id } });

/** One directory; while it is checked, as the stream of events tells it, else asked again. */
export function useDirectory(id: number) {
  const query = directoryOf(id);
  const isTold = useTopic(
    `directory:${id}`,
    () => void queries.invalidateQueries({ queryKey: query.queryKey }),
  );
  return useQuery({
    ...query,
    refetchInterval: ({ state: { data } }) => (data?.state === 'importing' ? (isTold ? 5000 : 1000) : false),
  });
}

/** The first rows of a directory as it says, or as one of its alternatives would read them. */
export const preview = (
  id: number,
  instead: {
    encoding?: string;
    separator?: ',' | ';' | '\t' | '|';
    sheet?: string;
    default_country?: string;
  } = {},
) => get('/directories/{directory_id}/preview', { params: { directory_id: id }, query: instead });

/** Reads again what a change of a directory may have changed. */
export async function refreshDirectory(id: number): Promise<void> {
  await Promise.all(
    [
      ['/directories'],
      ['/directories/{directory_id}', { params: { directory_id: id } }],
      ['/directories/{directory_id}/preview'],
      ['/directories/{directory_id}/rows'],
      ['/directories/{directory_id}/fit'],
    ].map(async (queryKey) => await queries.invalidateQueries({ queryKey })),
  );
}
