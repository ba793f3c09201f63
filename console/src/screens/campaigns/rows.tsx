import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../app/api.ts';
import { count } from '../../app/format.ts';
import { useRowHeight } from '../../app/density.ts';
import { useKeys } from '../../app/shortcuts.ts';
import { t } from '../../app/words.ts';
import { cx } from '../../parts/cx.ts';
import { Button } from '../../parts/button.tsx';
import { Select } from '../../parts/select.tsx';
import { Phone } from '../../parts/phone.tsx';
import { Failure, NothingMatches, Skeleton } from '../../parts/states.tsx';
import { NumbersToggle } from '../calls/numbers-toggle.tsx';
import { type Campaign, outcomesOf, pollMs, type Progress, type RowState } from './facts.ts';
import { RowPanel } from './row-panel.tsx';
import { type CampaignSearch, rowReasons, rowStates } from './search.ts';
import { moment, outcomeText, reasonText, rowLook } from './words.tsx';

const route = getRouteApi('/campaigns/$id');
const path = '/campaign/{campaign_id}/rows';
const pageSize = 100;
/** More pages are read again only when the person asks. */
const maxLivePages = 3;
/** An outcome is looked for in at most so many pages at a time: the API cannot filter by it. */
const searchedPages = 10;
const enoughMatches = 50;
const columns = ['row', 'number', 'state', 'attempts', 'last', 'next'] as const;
const isNumber = (column: (typeof columns)[number]) => column === 'attempts' || column === 'row';
/** On a phone; the panel of the row says it. */
const isHidden = (column: (typeof columns)[number]) => ['attempts', 'last', 'next'].includes(column);

const keys = {
  j: t('campaigns.key.nextRow'),
  k: t('campaigns.key.previousRow'),
  Escape: t('campaigns.key.closeRow'),
};

type Page = Awaited<ReturnType<typeof readPage>>;

const readPage = async (
  id: number,
  query: { state?: CampaignSearch['state']; reason?: CampaignSearch['reason']; after: number },
  signal: AbortSignal,
) => {
  const { after, state, reason } = query;
  const { body } = await call('get', path, {
    params: { campaign_id: id },
    query: {
      limit: pageSize,
      ...(after === 0 ? {} : { after }),
      ...(state === undefined ? {} : { state }),
      ...(reason === undefined ? {} : { reason }),
    },
    signal,
  });
  return body;
};

/** The rows of the campaign with their state, filtered; one of them beside the list. */
export function Rows({ campaign, progress }: { campaign: Campaign; progress: Progress }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { state, reason, outcome, row } = search;
  const { id } = campaign;
  const [searched, setSearched] = useState(searchedPages);
  const query = useInfiniteQuery<Page, Error, InfiniteData<Page>, readonly unknown[], number>({
    queryKey: [path, { id, state, reason }],
    queryFn: async ({ pageParam, signal }) => await readPage(id, { state, reason, after: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next_after: next }) => next,
    staleTime: 0,
    // Each page is a request.
    refetchInterval: ({ state: { data } }) => {
      const read = Math.max(1, data?.pages.length ?? 0);
      return read > maxLivePages ? false : read * pollMs(progress, document.hidden);
    },
  });
  const all = query.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const rows = outcome === undefined ? all : all.filter((each) => each.outcome === outcome);
  const pages = query.data?.pages.length ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const isSearching = outcome !== undefined && hasNextPage && rows.length < enoughMatches && pages < searched;
  useEffect(() => {
    if (isSearching && !isFetchingNextPage) void fetchNextPage();
  }, [isSearching, isFetchingNextPage, fetchNextPage]);

  const change = (next: Partial<CampaignSearch>) =>
    void navigate({ search: (now) => ({ ...now, ...next }), resetScroll: false, replace: true });
  const step = (by: number) => {
    const index = rows.findIndex((each) => each.row === row);
    const next = rows[Math.min(rows.length - 1, Math.max(0, index + by))];
    if (next !== undefined) change({ row: next.row });
  };
  useKeys(keys, { j: () => step(1), k: () => step(-1), Escape: () => change({ row: undefined }) });
  // A link to a row leads there: what stands above fills the window.
  const section = useRef<HTMLElement>(null);
  useEffect(
    () => (row === undefined ? undefined : keepInView(section.current)),
    // oxlint-disable-next-line react/exhaustive-deps -- the row of the link, not those that are pressed
    [],
  );
  const isFiltered = state !== undefined || reason !== undefined || outcome !== undefined;
  const outcomes = outcomesOf(progress).map((each) => each.outcome);
  return (
    <section ref={section} id="rows" className="card campaign-rows" aria-labelledby="rows-title">
      <div className="filter-line">
        <h2 className="h2" id="rows-title">
          {t('campaigns.rows')}
        </h2>
        <Select
          label={t('campaigns.rowState')}
          isLabelHidden
          value={state ?? 'all'}
          onChange={(value) => change({ state: rowStates.find((each) => each === value) })}
          options={['all', ...rowStates].map((value) => ({ value, label: t(`campaigns.rowState.${value}`) }))}
        />
        <Select
          label={t('campaigns.rowReason')}
          isLabelHidden
          value={reason ?? 'all'}
          onChange={(value) => change({ reason: rowReasons.find((each) => each === value) })}
          options={[
            { value: 'all', label: t('campaigns.anyReason') },
            ...rowReasons.map((value) => ({ value, label: reasonText(value) })),
          ]}
        />
        <Select
          label={t('campaigns.rowOutcome')}
          isLabelHidden
          value={outcome ?? 'all'}
          onChange={(value) => change({ outcome: value === 'all' ? undefined : value })}
          options={[
            { value: 'all', label: t('campaigns.anyOutcome') },
            ...[...new Set([...outcomes, ...(outcome === undefined ? [] : [outcome])])].map((value) => ({
              value,
              label: outcomeText(value),
            })),
          ]}
        />
        <span className="grow" />
        <NumbersToggle />
        {progress.rows.left_out > 0 && (
          <Link
            to="/contacts/$directoryId"
            params={{ directoryId: String(campaign.directory_id) }}
            className="link text-12 hide-s"
          >
            {t('campaigns.leftOutRows', { rows: progress.rows.left_out })}
          </Link>
        )}
      </div>
      <div className={cx('campaign-split', row !== undefined && 'is-open')}>
        <div className="min-w-0">
          {query.data === undefined ? (
            query.isError ? (
              <Failure error={query.error} onRetry={() => void query.refetch()} />
            ) : (
              <Skeleton />
            )
          ) : rows.length === 0 && !isSearching && !(outcome !== undefined && hasNextPage) ? (
            isFiltered ? (
              <NothingMatches
                filters={[
                  state === undefined
                    ? null
                    : {
                        words: t(`campaigns.rowState.${state}`),
                        remove: () => change({ state: undefined }),
                      },
                  reason === undefined
                    ? null
                    : { words: reasonText(reason), remove: () => change({ reason: undefined }) },
                  outcome === undefined
                    ? null
                    : { words: outcomeText(outcome), remove: () => change({ outcome: undefined }) },
                ]}
                onClear={() => change({ state: undefined, reason: undefined, outcome: undefined })}
              />
            ) : (
              <p className="text-muted p-4">
                {t(campaign.state === 'created' ? 'campaigns.rowsLater' : 'campaigns.noRows')}
              </p>
            )
          ) : (
            <RowTable
              rows={rows}
              search={search}
              campaignId={id}
              isMore={hasNextPage && outcome === undefined}
              onEnd={() => {
                if (hasNextPage && !isFetchingNextPage && outcome === undefined) void fetchNextPage();
              }}
            />
          )}
          {outcome !== undefined && hasNextPage && (
            <p role="status" className="row text-12 text-muted p-3">
              {t('campaigns.searchedRows', { rows: all.length })}
              {!isSearching && (
                <Button size="xs" onPress={() => setSearched(pages + searchedPages)}>
                  {t('campaigns.searchOn')}
                </Button>
              )}
            </p>
          )}
        </div>
        {row !== undefined && (
          <RowPanel
            key={row}
            campaign={campaign}
            row={row}
            pollMs={pollMs(progress, document.hidden)}
            onStep={step}
            onClose={() => change({ row: undefined })}
          />
        )}
      </div>
    </section>
  );
}

const settledMs = 5000;

/** Scrolls the page to a part of it, again when others above it get their data, until the person does something. */
function keepInView(part: HTMLElement | null): (() => void) | undefined {
  const page = part?.closest('.overflow-auto');
  const content = page?.firstElementChild;
  if (part === null || page == null || content == null) return undefined;
  const observer = new ResizeObserver(() => {
    page.scrollTop += part.getBoundingClientRect().top - page.getBoundingClientRect().top - 12;
  });
  observer.observe(content);
  const done = new AbortController();
  const stop = () => {
    observer.disconnect();
    done.abort();
  };
  for (const act of ['wheel', 'pointerdown', 'keydown'])
    window.addEventListener(act, stop, { signal: done.signal, passive: true });
  const timer = setTimeout(stop, settledMs);
  return () => {
    clearTimeout(timer);
    stop();
  };
}

function RowTable({
  rows,
  search,
  campaignId,
  isMore,
  onEnd,
}: {
  rows: readonly RowState[];
  search: CampaignSearch;
  campaignId: number;
  isMore: boolean;
  onEnd: () => void;
}) {
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const rowHeight = useRowHeight(false);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    overscan: 8,
    initialRect: { width: 0, height: 400 },
  });
  const drawn = virtual.getVirtualItems();
  const last = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (isMore && last >= rows.length - 20) onEnd();
  });
  const above = drawn[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0);
  return (
    <div
      className="campaign-scroll"
      ref={setScroller}
      role="region"
      aria-label={t('campaigns.rows')}
      tabIndex={0}
    >
      <table className="table" aria-label={t('campaigns.rows')} aria-rowcount={isMore ? -1 : rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className={cx(`col-${column}`, isNumber(column) && 'num', isHidden(column) && 'hide-s')}
              >
                {t(`campaigns.column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <Gap height={above} />}
          {drawn.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const { icon: Icon, color, words } = rowLook(row);
            return (
              <tr
                key={row.row}
                className="is-link"
                aria-rowindex={index + 2}
                aria-selected={row.row === search.row}
              >
                <td className="num text-muted">{count(row.row)}</td>
                <td className="name">
                  <Link
                    to="/campaigns/$id"
                    params={{ id: String(campaignId) }}
                    search={{ ...search, row: row.row }}
                    resetScroll={false}
                    className="row-link text-12"
                  >
                    <span className="vh">{t('campaigns.openRow', { row: row.row })} </span>
                    {row.phone_number === null ? '–' : <Phone number={`+${row.phone_number}`} isBare />}
                  </Link>
                </td>
                <td>
                  <span className="row">
                    <Icon className={cx('i', color)} aria-hidden size={14} strokeWidth={1.5} />
                    <span className="cut">{words}</span>
                  </span>
                </td>
                <td className="num hide-s col-attempts">{row.attempts}</td>
                <td className="text-muted hide-s col-last">
                  {row.settled_at === null ? '–' : moment(row.settled_at)}
                </td>
                <td className="text-muted hide-s">{row.due_at === null ? '–' : moment(row.due_at)}</td>
              </tr>
            );
          })}
          {below > 0 && <Gap height={below} />}
        </tbody>
      </table>
    </div>
  );
}

const Gap = ({ height }: { height: number }) => (
  <tr aria-hidden>
    <td colSpan={columns.length} style={{ height, border: 0, padding: 0 }} />
  </tr>
);
