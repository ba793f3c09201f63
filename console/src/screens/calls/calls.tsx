import '../../styles/calls.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Columns3, ListFilter } from 'lucide-react';
import { useState } from 'react';
import type { UsageRun } from '../../../../src/contract/usage.ts';
import { nowDate } from '../../app/clock.ts';
import { get } from '../../app/query.ts';
import { useKeys } from '../../app/shortcuts.ts';
import { t } from '../../app/words.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { cx } from '../../parts/cx.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Loaded, NothingMatches } from '../../parts/states.tsx';
import { moreColumns, useMoreColumns } from './columns.ts';
import { Facets } from './facets.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filterWords } from './filter-words.ts';
import {
  type Agent,
  apiFilters,
  type Filter,
  formatFilters,
  parseFilters,
  withoutFilter,
} from './filters.ts';
import { Peek } from './peek.tsx';
import { extended, nothing, type Selection, toggled, withPage } from '../../parts/selection.ts';
import { withoutDays } from './volume.ts';
import { Volume } from './volume-chart.tsx';
import { CallList, idOf, isLive, linkOf } from './call-list.tsx';
import { Export, StatusBar } from './status-bar.tsx';
import { Views } from './views.tsx';

const route = getRouteApi('/calls');
const pageSize = 50;
const liveMs = 5000;
const newCallsMs = 30_000;

const listKeys = {
  j: t('calls.key.next'),
  k: t('calls.key.previous'),
  o: t('calls.key.open'),
  Space: t('calls.key.peek'),
  x: t('calls.key.select'),
  'Shift+ArrowDown': t('calls.key.selectDown'),
  'Shift+ArrowUp': t('calls.key.selectUp'),
  'Shift+Space': t('calls.key.selectTo'),
  '/': t('calls.filter'),
  Escape: t('calls.key.close'),
};

const filtersOfNow = (filters: readonly Filter[], agents: readonly Agent[]) =>
  apiFilters(filters, { agents, now: nowDate() });

/** All calls: filters at the left and above, the list, and one call beside it. */
export function CallsPage() {
  const { q = '', page = 1, sort = 'created_at', order = 'desc' } = route.useSearch();
  const navigate = route.useNavigate();
  const [cursor, setCursor] = useState<string>();
  const [isPeeking, setPeeking] = useState(false);
  const [selection, setSelection] = useState<Selection<UsageRun>>(nothing);
  const [areAllSelected, setAllSelected] = useState(false);
  const [isNarrowing, setNarrowing] = useState(false);
  const { columns, toggle } = useMoreColumns();

  const agents = useQuery(get('/organizations/reports/workflows', {}));
  const codes = useQuery(get('/organizations/disposition-codes', {}));
  const { filters, faults } = parseFilters(q);
  // Until the agents are known, a filter by name cannot be sent.
  const isKnown = agents.data !== undefined || !filters.some(({ field }) => field === 'agent');
  const asked = filtersOfNow(filters, agents.data ?? []);
  const query = useQuery({
    ...get('/organizations/usage/runs', {
      query: {
        page,
        limit: pageSize,
        sort_by: sort,
        sort_order: order,
        ...(asked.text === undefined ? {} : { filters: asked.text }),
      },
    }),
    enabled: isKnown || agents.isError,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.runs.some(isLive) === true ? liveMs : newCallsMs),
  });
  const calls = query.data?.runs ?? [];
  const isEmpty = q === '' && page === 1 && query.data?.runs.length === 0;
  const outcomes = outcomesOf(calls, filters, codes.data?.codes ?? []);

  const pageCalls = new Map(calls.map((call) => [idOf(call), call]));
  const choose = (next: Selection<UsageRun>) => {
    setSelection(next);
    setAllSelected(false);
  };
  const change = (next: readonly Filter[], { isStep }: { isStep: boolean } = { isStep: false }) => {
    const text = formatFilters(next);
    choose(nothing());
    void navigate({
      search: (now) => ({ ...now, q: text === '' ? undefined : text, page: undefined }),
      replace: isStep,
    });
  };
  const index = calls.findIndex((call) => idOf(call) === cursor);
  const current = calls[index];
  const move = (by: number) => {
    const next = calls[Math.min(calls.length - 1, Math.max(0, index + by))];
    if (next === undefined) return undefined;
    setCursor(idOf(next));
    document.querySelector<HTMLElement>(`tr[data-row="${idOf(next)}"] .row-link`)?.focus();
    return next;
  };
  const select = (call: UsageRun | undefined, isRange = false) => {
    if (call === undefined) return;
    setCursor(idOf(call));
    choose(isRange ? extended(selection, pageCalls, idOf(call)) : toggled(selection, idOf(call), call));
  };
  /** The range to the call beside the present one; without a range, it begins at the present one. */
  const selectTo = (by: number) => {
    const begun =
      selection.anchor === null && current !== undefined
        ? extended(selection, pageCalls, idOf(current))
        : selection;
    const next = move(by);
    if (next !== undefined) choose(extended(begun, pageCalls, idOf(next)));
  };
  const peek = (call: UsageRun | undefined) => {
    setPeeking(call !== undefined && !(isPeeking && current === call));
    if (call !== undefined) setCursor(idOf(call));
  };
  const open = (call: UsageRun | undefined) => call !== undefined && void navigate(linkOf(call));
  useKeys(listKeys, {
    j: () => void move(1),
    k: () => void move(-1),
    o: () => open(current),
    Space: () => peek(current ?? calls[0]),
    x: () => select(current),
    'Shift+ArrowDown': () => selectTo(1),
    'Shift+ArrowUp': () => selectTo(-1),
    'Shift+Space': () => select(current, true),
    '/': () => document.querySelector<HTMLElement>('#calls-filter')?.focus(),
    Escape: () => setPeeking(false),
  });

  const facets = (
    <Facets filters={filters} agents={agents.data ?? []} outcomes={outcomes} onChange={change} />
  );
  return (
    <Page
      title={t('frame.calls')}
      isFlush
      needs={['people:read']}
      actions={
        <>
          <span className="hide-s">
            <CopyButton text={location.href} label={t('calls.copyLink')} />
          </span>
          <Export filters={asked.text} total={query.data?.total_count} />
        </>
      }
    >
      <div className="calls">
        <div className="facets" role="group" aria-label={t('calls.narrow')}>
          {facets}
        </div>
        <div className="calls-main">
          <div className="calls-head">
            <div className="flex items-center gap-2">
              <Views q={q} onChoose={(view) => change(parseFilters(view).filters)} />
              <Button
                className="calls-narrow"
                kind="ghost"
                icon={ListFilter}
                onPress={() => setNarrowing(true)}
              >
                {t('calls.filters')}
              </Button>
              <span className="hide-s ms-auto">
                <Menu
                  label={t('calls.columns')}
                  trigger={<IconButton icon={Columns3} label={t('calls.columns')} />}
                  entries={moreColumns.map((id) => ({
                    id,
                    label: t(`calls.${id}`),
                    note: t(columns.includes(id) ? 'calls.columnShown' : 'calls.columnHidden'),
                    onAction: () => toggle(id),
                  }))}
                />
              </span>
            </div>
            <FilterBar
              filters={filters}
              agents={agents.data ?? []}
              faults={[...faults, ...(isKnown ? asked.faults : [])]}
              onChange={change}
            />
            {!isEmpty && (
              <Volume
                filters={filters}
                others={filtersOfNow(withoutDays(filters), agents.data ?? []).text}
                isEnabled={isKnown || agents.isError}
                onChange={change}
              />
            )}
          </div>
          <div className={cx('listpeek', isPeeking && current !== undefined && 'is-open')}>
            <div className="listpeek-list">
              <Loaded query={query} rows={12}>
                {({ runs }) =>
                  runs.length === 0 ? (
                    isEmpty ? (
                      <NoCalls />
                    ) : (
                      <NothingMatches
                        filters={filters.map((filter) => ({
                          words: filterWords(filter, agents.data ?? []).join(' '),
                          remove: () => change(withoutFilter(filters, filter)),
                        }))}
                        onClear={() => change([])}
                      />
                    )
                  ) : (
                    <CallList
                      calls={runs}
                      page={{ offset: (page - 1) * pageSize, total: query.data?.total_count ?? runs.length }}
                      more={columns}
                      cursor={isPeeking || selection.rows.size > 0 ? cursor : undefined}
                      isSelected={(call) => areAllSelected || selection.rows.has(idOf(call))}
                      sort={{ id: sort, direction: order === 'asc' ? 'ascending' : 'descending' }}
                      onSort={(id) =>
                        void navigate({
                          search: (now) => ({
                            ...now,
                            sort: id === 'duration' ? ('duration' as const) : undefined,
                            order: id === sort && order === 'desc' ? ('asc' as const) : undefined,
                            page: undefined,
                          }),
                        })
                      }
                      onSelect={select}
                      onPeek={peek}
                    />
                  )
                }
              </Loaded>
            </div>
            {isPeeking && current !== undefined && (
              <Peek key={idOf(current)} call={current} onClose={() => setPeeking(false)} />
            )}
          </div>
          <StatusBar
            total={query.data?.total_count}
            page={page}
            pages={query.data?.total_pages ?? 1}
            selected={[...selection.rows.values()]}
            areAllSelected={areAllSelected}
            filters={asked.text}
            onSelectAll={() => {
              setSelection(withPage(selection, pageCalls));
              setAllSelected(true);
            }}
            onClear={() => choose(nothing())}
            onPage={(next) =>
              void navigate({ search: (now) => ({ ...now, page: next === 1 ? undefined : next }) })
            }
          />
        </div>
      </div>
      <Dialog
        kind="sheet"
        title={t('calls.filters')}
        isOpen={isNarrowing}
        onClose={() => setNarrowing(false)}
        footer={
          <Button kind="primary" onPress={() => setNarrowing(false)}>
            {t('calls.showCalls', { count: query.data?.total_count ?? 0 })}
          </Button>
        }
      >
        <div className="facets-sheet">{facets}</div>
      </Dialog>
    </Page>
  );
}

/** Outcomes of what is shown and chosen first, then the usual ones. */
function outcomesOf(
  calls: readonly UsageRun[],
  filters: readonly Filter[],
  codes: readonly string[],
): string[] {
  const chosen = filters.flatMap(({ field, value }) => (field === 'outcome' ? [value] : []));
  const shown = calls.flatMap(({ disposition }) => (disposition === null ? [] : [disposition]));
  return [...new Set([...chosen, ...shown, ...codes])].slice(0, Math.max(10, new Set(shown).size));
}

function NoCalls() {
  return (
    <Empty
      title={t('calls.none')}
      action={
        <Link to="/agents" className="btn">
          {t('calls.noneAction')}
        </Link>
      }
    >
      {t('calls.noneWhy')}
    </Empty>
  );
}
