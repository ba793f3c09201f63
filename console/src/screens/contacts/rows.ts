import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type {
  ContactFinding,
  ContactPage,
  Directory,
  DirectoryPreview,
} from '../../../../src/contract/directories.ts';
import { call } from '../../app/api.ts';
import { isLeftOut, repeated } from './cell-findings.ts';
import type { DirectorySearch } from './search.ts';

const path = '/directories/{directory_id}/rows';
const pageSize = 100;
/** Pages out of view are forgotten soon: a file may have a million rows. */
const keptMs = 60_000;

type Contact = ContactPage['items'][number];

/** A line of the grid. `above` and `header` are lines of the file that are not contacts. */
export interface GridRow extends Pick<Contact, 'cells' | 'findings' | 'phone_number'> {
  kind: 'above' | 'header' | 'row' | 'blank';
  /** What stands at its left: its line in a preview, its row after the check. */
  number: number;
  isLeftOut: boolean;
  /** Rows that are left out because they have its number. */
  repeats: readonly number[];
}

/** The rows of a grid, of which those in view are loaded. */
export interface GridRows {
  /** How many there are, or are known so far. */
  count: number;
  /** Undefined while it loads. */
  rowAt: (index: number) => GridRow | undefined;
  /** Says which rows are in view. */
  onView: (first: number, end: number) => void;
  /** Index of the row with a number, if the grid can jump there. */
  indexOf?: (number: number) => number;
  error: unknown;
  isPending: boolean;
  retry: () => void;
}

const plain = (kind: GridRow['kind'], number: number, cells: readonly string[]): GridRow => ({
  kind,
  number,
  cells: [...cells],
  findings: [],
  phone_number: null,
  isLeftOut: false,
  repeats: [],
});

type Read = Omit<Contact, 'repeated_in'> & Partial<Pick<Contact, 'repeated_in'>>;

const rowOf = (contact: Read, number = contact.row_number): GridRow => ({
  kind: 'row',
  number,
  cells: contact.cells,
  findings: [...contact.findings, ...repeatsOf(contact)],
  phone_number: contact.phone_number,
  isLeftOut: isLeftOut(contact),
  repeats: contact.repeated_in ?? [],
});

/** The counterpart of the findings of the rows that repeat the number of this one. */
const repeatsOf = ({ repeated_in: rows = [] }: Read): ContactFinding[] =>
  rows.slice(0, 1).map((row) => ({
    code: repeated,
    level: 'warning',
    column: null,
    other_row: row,
    message: '',
    suggestion: '',
  }));

/** The lines of a preview: those above the header, the header, and the first rows. */
export function previewRows({ above, reading, columns, rows }: DirectoryPreview): GridRow[] {
  const header = reading.header_line;
  return [
    ...above.map((cells, index) => plain('above', header - above.length + index, cells)),
    plain('header', header, columns),
    // Findings without a phone column would only say that no number is known.
    ...rows.map((each) => rowOf(each, each.line)),
  ];
}

interface Rows {
  directory: Directory;
  search: DirectorySearch;
}

/** What of a directory is asked for. */
export function filterOf({ state, finding, q }: DirectorySearch) {
  const search = q?.trim() ?? '';
  return {
    ...(state === undefined ? {} : { state }),
    ...(finding === undefined ? {} : { finding }),
    ...(search === '' ? {} : { search }),
  };
}

export const isFiltered = (search: DirectorySearch): boolean => Object.keys(filterOf(search)).length > 0;

/**
 * All rows of a checked directory. Rows are numbered through, so that any place of the file is one request away and
 * only what is in view is kept.
 */
export function useAllRows({ directory, isOn }: Pick<Rows, 'directory'> & { isOn: boolean }): GridRows {
  const { id, totals, import_number: check } = directory;
  const [[from, to], setPages] = useState<[number, number]>([0, 0]);
  const onView = useCallback((first: number, end: number) => {
    const next = [Math.floor(first / pageSize), Math.floor(Math.max(first, end - 1) / pageSize)] as const;
    setPages((now) => (now[0] === next[0] && now[1] === next[1] ? now : [next[0], next[1]]));
  }, []);
  const pages = Array.from({ length: isOn ? to - from + 1 : 0 }, (_, index) => from + index);
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: [path, id, check, 'page', page],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const { body } = await call('get', path, {
          params: { directory_id: id },
          query: { limit: pageSize, cursor: String(page * pageSize) },
          signal,
        });
        return new Map(body.items.map((contact) => [contact.row_number, rowOf(contact)]));
      },
      gcTime: keptMs,
    })),
  });
  const failed = results.find(({ isError, data }) => isError && data === undefined);
  return {
    count: totals === null ? 0 : totals.rows + totals.blank,
    rowAt: (index) => {
      const page = results[Math.floor(index / pageSize) - from]?.data;
      return page === undefined ? undefined : (page.get(index + 1) ?? plain('blank', index + 1, []));
    },
    onView,
    indexOf: (number) => number - 1,
    error: failed?.error ?? null,
    isPending: results.some(({ isPending }) => isPending),
    retry: () => results.forEach((each) => each.isError && void each.refetch()),
  };
}

/** The rows that match, which are read on as the grid comes to their end. */
export function useFilteredRows({ directory, search, isOn }: Rows & { isOn: boolean }): GridRows {
  const { id, import_number: check } = directory;
  const filter = filterOf(search);
  const query = useInfiniteQuery({
    queryKey: [path, id, check, filter],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call('get', path, {
          params: { directory_id: id },
          query: { ...filter, limit: pageSize, ...(pageParam === '' ? {} : { cursor: pageParam }) },
          signal,
        })
      ).body,
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
    enabled: isOn,
    gcTime: keptMs,
  });
  const pages = query.data?.pages ?? [];
  const loaded = pages.reduce((sum, { items }) => sum + items.length, 0);
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  return {
    count: loaded + (hasNextPage ? 1 : 0),
    rowAt: (index) => {
      const contact = pages[Math.floor(index / pageSize)]?.items[index % pageSize];
      return contact === undefined ? undefined : rowOf(contact);
    },
    onView: (_first, end) => {
      if (end >= loaded && hasNextPage && !isFetching && !isError) void fetchNextPage();
    },
    error: query.data === undefined ? query.error : null,
    isPending: query.isPending,
    retry: () => void query.refetch(),
  };
}
