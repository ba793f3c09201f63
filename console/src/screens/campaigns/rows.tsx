import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { targetOutcomes } from '../../../../src/domain/campaign/outcome.ts';
import { call } from '../../app/api.ts';
import { count } from '../../app/format.ts';
import { useMay } from '../../app/may.ts';
import { useKeys } from '../../app/shortcuts.ts';
import { t } from '../../app/words.ts';
import { cx } from '../../parts/cx.ts';
import { type Column, DataList } from '../../parts/data-list.tsx';
import { Select } from '../../parts/select.tsx';
import { Phone } from '../../parts/phone.tsx';
import { Failure, NothingMatches, Skeleton } from '../../parts/states.tsx';
import { NumbersToggle } from '../calls/numbers-toggle.tsx';
import { type Campaign, pollMs, type Progress, type RowState } from './facts.ts';
import { RowPanel } from './row-panel.tsx';
import { type CampaignSearch, rowReasons, rowStates } from './search.ts';
import { moment, outcomeText, reasonText, rowLook } from './words.tsx';

const route = getRouteApi('/campaigns/$id');
const path = '/campaign/{campaign_id}/rows';
const pageSize = 100;
/** More pages are read again only when the person asks. */
const maxLivePages = 3;

const keys = {
  j: t('campaigns.key.nextRow'),
  k: t('campaigns.key.previousRow'),
  Escape: t('campaigns.key.closeRow'),
};

type RowFilter = Omit<CampaignSearch, 'row'>;
type Page = Awaited<ReturnType<typeof readPage>>;

const readPage = async (
  id: number,
  { after, ...filter }: RowFilter & { after: number },
  signal: AbortSignal,
) => {
  const { body } = await call('get', path, {
    params: { campaign_id: id },
    query: {
      limit: pageSize,
      ...(after === 0 ? {} : { after }),
      ...filter,
    },
    signal,
  });
  return body;
};

/** The rows of the campaign with their state, filtered; one of them beside the list. */
export function Rows({ campaign, progress }: { campaign: Campaign; progress: Progress }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { row, ...filter } = search;
  const { state, reason, outcome, number } = filter;
  const { id } = campaign;
  const seesNumbers = useMay()('people:read');
  const query = useInfiniteQuery<Page, Error, InfiniteData<Page>, readonly unknown[], number>({
    queryKey: [path, { id, ...filter }],
    queryFn: async ({ pageParam, signal }) => await readPage(id, { ...filter, after: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next_after: next }) => next,
    staleTime: 0,
    // Each page is a request.
    refetchInterval: ({ state: { data } }) => {
      const read = Math.max(1, data?.pages.length ?? 0);
      return read > maxLivePages ? false : read * pollMs(progress, { isHidden: document.hidden });
    },
  });
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;

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
  const isFiltered = Object.keys(filter).length > 0;
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
          onChange={(value) => change({ outcome: targetOutcomes.find((each) => each === value) })}
          options={[
            { value: 'all', label: t('campaigns.anyOutcome') },
            ...targetOutcomes.map((value) => ({ value, label: outcomeText(value) })),
          ]}
        />
        {seesNumbers && (
          <NumberSearch
            key={filter.number ?? ''}
            number={filter.number ?? ''}
            onSearch={(number) => change({ number })}
          />
        )}
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
          ) : rows.length === 0 ? (
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
                  number === undefined
                    ? null
                    : { words: number, remove: () => change({ number: undefined }) },
                ]}
                onClear={() =>
                  change({ state: undefined, reason: undefined, outcome: undefined, number: undefined })
                }
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
              isMore={hasNextPage}
              onEnd={() => {
                if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
              }}
            />
          )}
        </div>
        {row !== undefined && (
          <RowPanel
            key={row}
            campaign={campaign}
            row={row}
            pollMs={pollMs(progress, { isHidden: document.hidden })}
            onStep={step}
            onClose={() => change({ row: undefined })}
          />
        )}
      </div>
    </section>
  );
}

/** Finds a person of the campaign by the first digits of the number. */
function NumberSearch({
  number,
  onSearch,
}: {
  number: string;
  onSearch: (number: string | undefined) => void;
}) {
  const [text, setText] = useState(number);
  return (
    <form
      role="search"
      className="find input"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(/\d/.test(text) ? text.trim() : undefined);
      }}
    >
      <Search className="i" aria-hidden size={14} strokeWidth={1.5} />
      <input
        type="search"
        inputMode="tel"
        aria-label={t('campaigns.rowNumber')}
        placeholder={t('campaigns.rowNumberHint')}
        maxLength={32}
        value={text}
        onChange={({ target }) => {
          const typed = target.value.replaceAll(/[^-+\d ().]/g, '');
          setText(typed);
          if (typed === '' && number !== '') onSearch(undefined);
        }}
      />
    </form>
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
  return (
    <div className="campaign-scroll" role="region" aria-label={t('campaigns.rows')} tabIndex={0}>
      <DataList
        label={t('campaigns.rows')}
        rows={rows}
        columns={columns}
        idOf={({ row }) => String(row)}
        linkOf={({ row }) => ({
          to: '/campaigns/$id',
          params: { id: String(campaignId) },
          search: { ...search, row },
          resetScroll: false,
        })}
        selectedId={search.row === undefined ? undefined : String(search.row)}
        isPart={isMore}
        onEnd={onEnd}
      />
    </div>
  );
}

/** The panel of the row says on a phone what these columns say. */
const columns: readonly Column<RowState>[] = [
  {
    id: 'row',
    label: t('campaigns.column.row'),
    isNumber: true,
    className: 'col-row',
    cell: ({ row }) => <span className="text-muted">{count(row)}</span>,
  },
  {
    id: 'number',
    label: t('campaigns.column.number'),
    isMain: true,
    className: 'col-number',
    cell: ({ row, phone_number: number }) => (
      <span className="text-12">
        <span className="vh">{t('campaigns.openRow', { row })} </span>
        {number === null ? '–' : <Phone number={`+${number}`} isBare />}
      </span>
    ),
  },
  { id: 'state', label: t('campaigns.column.state'), cell: (row) => <Look of={row} /> },
  {
    id: 'attempts',
    label: t('campaigns.column.attempts'),
    isNumber: true,
    isWide: true,
    className: 'col-attempts',
    cell: ({ attempts }) => attempts,
  },
  {
    id: 'last',
    label: t('campaigns.column.last'),
    isWide: true,
    className: 'col-last text-muted',
    cell: ({ settled_at: at }) => (at === null ? '–' : moment(at)),
  },
  {
    id: 'next',
    label: t('campaigns.column.next'),
    isWide: true,
    className: 'col-next text-muted',
    cell: ({ due_at: at }) => (at === null ? '–' : moment(at)),
  },
];

function Look({ of }: { of: RowState }) {
  const { icon: Icon, color, words } = rowLook(of);
  return (
    <span className="row">
      <Icon className={cx('i', color)} aria-hidden size={14} strokeWidth={1.5} />
      <span className="cut">{words}</span>
    </span>
  );
}
