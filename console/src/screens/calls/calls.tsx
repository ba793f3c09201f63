import '../../styles/calls.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Bookmark, Columns3, Download, ListFilter, PanelRightOpen, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { UsageRun } from '../../../../src/contract/usage.ts';
import { nowDate } from '../../app/clock.ts';
import { count, date, duration, isToday, seconds, timeOfDay } from '../../app/format.ts';
import { get } from '../../app/query.ts';
import { rootPath } from '../../app/root.ts';
import { saveFile } from '../../app/save-file.ts';
import { useKeys } from '../../app/shortcuts.ts';
import { t } from '../../app/words.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { cx } from '../../parts/cx.ts';
import { type Column, DataList } from '../../parts/data-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Page } from '../../parts/page.tsx';
import { Phone } from '../../parts/phone.tsx';
import { Empty, Loaded, NothingMatches } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { campaignRowOf, costText, flagsOf, numberOf, personOf, valuesOf } from '../call/facts.ts';
import { filtersOfCalls } from './bulk.ts';
import { type MoreColumn, moreColumns, useMoreColumns } from './columns.ts';
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
import { type ChosenCalls, JudgeMany } from './judge-many.tsx';
import { nameOf } from './names.ts';
import { ChannelIcon, Flags, Outcome } from './outcome.tsx';
import { Peek } from './peek.tsx';
import { NumbersToggle } from './numbers-toggle.tsx';
import { useNumberText } from '../../app/numbers.ts';
import { useSavedViews } from './saved-views.ts';
import { extended, nothing, type Selection, toggled, withPage } from '../../parts/selection.ts';
import { withoutDays } from './volume.ts';
import { Volume } from './volume-chart.tsx';

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

const idOf = ({ id }: UsageRun): string => String(id);
const linkOf = ({ id, workflow_id: agentId }: UsageRun) => ({
  to: '/calls/$agentId/$runId' as const,
  params: { agentId: String(agentId), runId: String(id) },
});

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

/** A call that has no outcome yet. */
const isLive = ({ disposition, call_duration_seconds: length }: UsageRun): boolean =>
  disposition === null && length === 0;

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

interface CallListProps {
  calls: readonly UsageRun[];
  more: readonly MoreColumn[];
  cursor: string | undefined;
  isSelected: (call: UsageRun) => boolean;
  sort: { id: string; direction: 'ascending' | 'descending' };
  onSort: (id: string) => void;
  /** `isRange`: with all calls since the one that was last selected. */
  onSelect: (call: UsageRun, isRange: boolean) => void;
  onPeek: (call: UsageRun) => void;
}

function CallList({ calls, more, cursor, isSelected, sort, onSort, onSelect, onPeek }: CallListProps) {
  const numberText = useNumberText();
  return (
    <DataList
      label={t('frame.calls')}
      className="call-list"
      hasOwnChooser
      isTall
      rows={calls}
      idOf={idOf}
      linkOf={linkOf}
      selectedId={cursor}
      sort={sort}
      onSort={onSort}
      sortable={['created_at', 'duration']}
      selecting={{
        label: t('calls.select'),
        isSelected,
        onSelect,
        nameOf: (call) => t('calls.selectOne', { name: nameOf(call, numberText) }),
      }}
      columns={[
        {
          id: 'created_at',
          label: t('calls.when'),
          isWide: true,
          width: '112px',
          cell: ({ created_at: at }) => <Moment at={at} />,
        },
        {
          id: 'who',
          label: t('calls.who'),
          isMain: true,
          cell: (call) => <Who call={call} numberText={numberText} />,
        },
        {
          id: 'agent',
          label: t('calls.agent'),
          isWide: true,
          cell: ({ workflow_name: name }) => <span className="cut call-agent">{name ?? '–'}</span>,
        },
        {
          id: 'outcome',
          label: t('calls.outcome'),
          cell: (call) =>
            call.disposition === null ? (
              <span className="live-mark">
                <i className="dot pulse is-ok" aria-hidden />
                {t(isLive(call) ? 'calls.status.live' : 'calls.noOutcome')}
              </span>
            ) : (
              <Outcome code={call.disposition} />
            ),
        },
        {
          id: 'duration',
          label: t('calls.length'),
          isNumber: true,
          cell: (call) => (isLive(call) ? '–' : duration(call.call_duration_seconds)),
        },
        {
          id: 'flags',
          label: t('calls.flags'),
          isWide: true,
          width: '96px',
          cell: (call) => <Flags of={flagsOf(call)} />,
        },
        ...more.map((id) => optional[id]),
        {
          id: 'peek',
          label: t('calls.peek'),
          isLabelHidden: true,
          isWide: true,
          width: '44px',
          cell: (call) => (
            <IconButton
              icon={PanelRightOpen}
              label={t('calls.peekAt', { name: nameOf(call, numberText) })}
              size="xs"
              onPress={() => onPeek(call)}
            />
          ),
        },
      ]}
    />
  );
}

const optional: Record<MoreColumn, Column<UsageRun>> = {
  version: {
    id: 'version',
    label: t('calls.version'),
    isWide: true,
    width: '72px',
    cell: ({ version_number: version }) => (version === null ? '–' : t('calls.versionOf', { version })),
  },
  turns: {
    id: 'turns',
    label: t('calls.turns'),
    isNumber: true,
    isWide: true,
    cell: ({ turn_count: turns }) => turns ?? '–',
  },
  p95: {
    id: 'p95',
    label: t('calls.p95'),
    isNumber: true,
    isWide: true,
    cell: ({ latency_p95_ms: ms }) => (ms === null ? '–' : seconds(ms)),
  },
  qa: {
    id: 'qa',
    label: t('calls.qa'),
    isNumber: true,
    isWide: true,
    cell: ({ qa_score: score }) => score ?? '–',
  },
  cost: {
    id: 'cost',
    label: t('calls.cost'),
    isNumber: true,
    isWide: true,
    cell: ({ charge_usd: usd }) => (usd === null ? '–' : costText(usd)),
  },
  campaign: {
    id: 'campaign',
    label: t('calls.campaign'),
    isWide: true,
    cell: (call) => <CampaignRow call={call} />,
  },
};

function CampaignRow({ call }: { call: UsageRun }) {
  const of = campaignRowOf(call);
  if (of === null) return '–';
  const { campaignId, row } = of;
  return (
    <Link
      className="link"
      to="/campaigns/$id"
      params={{ id: String(campaignId) }}
      search={row === null ? {} : { row }}
    >
      {t('calls.campaignRow', { campaign: campaignId, row: row ?? 'none' })}
    </Link>
  );
}

function Who({ call, numberText }: { call: UsageRun; numberText: (number: string) => string }) {
  const number = numberOf(call);
  const values = valuesOf(call).filter(([, value]) => value !== '–');
  return (
    <span className="who">
      <span className="flex min-w-0 items-center gap-2">
        <ChannelIcon mode={call.mode} isInbound={call.call_type === 'inbound'} />
        <span className="text-ink cut font-medium">{nameOf(call, numberText)}</span>
        {number !== null && personOf(call) !== null && (
          <Phone number={number} isBare className="text-12 text-muted" />
        )}
      </span>
      <span className="snip">
        <span className="only-s">
          <Moment at={call.created_at} />
          {' · '}
        </span>
        {values.length === 0
          ? call.name
          : values.slice(0, 3).map(([name, value]) => (
              <span key={name} className="snip-value">
                {name} <b>{value}</b>
              </span>
            ))}
      </span>
    </span>
  );
}

/** The time of a call of today, else its day with the time. */
function Moment({ at }: { at: string }) {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={moment.toISOString()} className="text-muted whitespace-nowrap">
      {isToday(moment) ? timeOfDay(moment) : `${date(moment)}, ${timeOfDay(moment).slice(0, 5)}`}
    </time>
  );
}

function Views({ q, onChoose }: { q: string; onChoose: (q: string) => void }) {
  const { views, save, remove } = useSavedViews();
  const [name, setName] = useState<string>();
  const current = views.find((view) => view.q === q);
  return (
    <>
      <Menu
        label={t('calls.views')}
        trigger={
          <AriaButton className="btn ghost">
            <Bookmark className="i" aria-hidden size={16} strokeWidth={1.5} />
            {current?.name ?? t(q === '' ? 'calls.all' : 'calls.notSaved')}
          </AriaButton>
        }
        entries={[
          {
            id: 'all',
            label: t('calls.all'),
            ...(q === '' ? { note: '✓' } : {}),
            onAction: () => onChoose(''),
          },
          ...views.map((view, index) => ({
            id: `view-${index}`,
            label: view.name,
            ...(view === current ? { note: '✓' } : {}),
            onAction: () => onChoose(view.q),
          })),
          null,
          {
            id: 'save',
            label: t('calls.saveView'),
            isDisabled: q === '' || current !== undefined,
            onAction: () => setName(''),
          },
          ...(current === undefined
            ? []
            : [
                {
                  id: 'remove',
                  label: t('calls.removeView', { name: current.name }),
                  isDanger: true,
                  onAction: () => {
                    remove(current.name);
                    toast(t('calls.viewRemoved', { name: current.name }), () => save(current));
                  },
                },
              ]),
        ]}
      />
      <Dialog
        title={t('calls.saveView')}
        isOpen={name !== undefined}
        onClose={() => setName(undefined)}
        footer={
          <>
            <Button onPress={() => setName(undefined)}>{t('common.cancel')}</Button>
            <Button
              kind="primary"
              isDisabled={(name ?? '').trim() === ''}
              onPress={() => {
                save({ name: (name ?? '').trim(), q });
                setName(undefined);
              }}
            >
              {t('common.save')}
            </Button>
          </>
        }
      >
        <TextField
          label={t('calls.viewName')}
          hint={t('calls.viewHint')}
          value={name ?? ''}
          onChange={setName}
          hasFocus
          maxLength={60}
        />
      </Dialog>
    </>
  );
}

/** Saves the CSV of exactly the calls that pass the filters. */
function Export({
  filters,
  total,
  children,
}: {
  filters: string | undefined;
  total: number | undefined;
  /** Its words, if it is not all that the list has. */
  children?: string;
}) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const save = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      const query = filters === undefined ? '' : `?${new URLSearchParams({ filters }).toString()}`;
      await saveFile(`/organizations/usage/runs/report${query}`);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        icon={Download}
        isDisabled={isBusy || total === undefined || total === 0}
        onPress={() => void save()}
        {...(children === undefined ? {} : { kind: 'ghost' })}
      >
        {isBusy ? t('calls.exporting') : (children ?? t('calls.export', { count: total ?? 0 }))}
      </Button>
      <Dialog
        title={t('calls.exportFailed')}
        isOpen={fault !== undefined}
        onClose={() => setFault(undefined)}
        footer={
          <Button kind="primary" onPress={() => void save()}>
            {t('common.retry')}
          </Button>
        }
      >
        <p>{fault}</p>
      </Dialog>
    </>
  );
}

interface StatusBarProps {
  total: number | undefined;
  page: number;
  pages: number;
  selected: readonly UsageRun[];
  /** All that match the filters, on all pages. */
  areAllSelected: boolean;
  filters: string | undefined;
  onSelectAll: () => void;
  onClear: () => void;
  onPage: (page: number) => void;
}

function StatusBar({ total, page, pages, selected, onPage, ...rest }: StatusBarProps) {
  return (
    <div className="statusbar">
      {selected.length === 0 ? (
        <>
          <span>{total === undefined ? '' : t('calls.total', { count: total, shown: count(total) })}</span>
          <NumbersToggle />
          <kbd className="hide-s">p</kbd>
        </>
      ) : (
        <ForSelected total={total ?? 0} selected={selected} {...rest} />
      )}
      <span className="grow" />
      {pages > 1 && (
        <nav aria-label={t('calls.pages')} className="flex items-center gap-2">
          <Button size="xs" isDisabled={page <= 1} onPress={() => onPage(page - 1)}>
            {t('calls.previous')}
          </Button>
          <span>{t('calls.page', { page, pages })}</span>
          <Button size="xs" isDisabled={page >= pages} onPress={() => onPage(page + 1)}>
            {t('calls.next')}
          </Button>
        </nav>
      )}
      {selected.length === 0 && (
        <span className="hide-s calls-keys">
          <kbd>x</kbd> {t('calls.keySelect')} <kbd>Space</kbd> {t('calls.keyPeek')} <kbd>o</kbd>{' '}
          {t('calls.keyOpen')}
        </span>
      )}
    </div>
  );
}

/** What can be done with the selected calls together. */
function ForSelected({
  total,
  selected,
  areAllSelected,
  filters,
  onSelectAll,
  onClear,
}: Pick<StatusBarProps, 'selected' | 'areAllSelected' | 'filters' | 'onSelectAll' | 'onClear'> & {
  total: number;
}) {
  const [judged, setJudged] = useState<ChosenCalls>();
  const chosen = areAllSelected ? total : selected.length;
  const links = areAllSelected
    ? [location.href]
    : selected.map(({ id, workflow_id: agentId }) => `${location.origin}${rootPath}/calls/${agentId}/${id}`);
  return (
    <>
      <span role="status" className="text-ink font-medium">
        {t('calls.selected', { count: chosen })}
      </span>
      {!areAllSelected && total > selected.length && (
        <Button kind="ghost" className="text-accent-text" onPress={onSelectAll}>
          {t('calls.selectAll', { count: total })}
        </Button>
      )}
      <Export
        filters={areAllSelected ? filters : filtersOfCalls(selected.map(({ id }) => id))}
        total={chosen}
      >
        {t('calls.exportSelected')}
      </Export>
      <Button
        kind="ghost"
        icon={RotateCcw}
        needs="calls:trigger"
        onPress={() =>
          setJudged(areAllSelected ? { filters, until: nowDate().toISOString(), total } : { calls: selected })
        }
      >
        {t('call.judgeAgain')}
      </Button>
      <CopyButton text={links.join('\n')} label={t(areAllSelected ? 'calls.copyLink' : 'calls.copyLinks')} />
      <Button kind="ghost" onPress={onClear}>
        {t('calls.clearSelection')}
      </Button>
      {judged !== undefined && <JudgeMany chosen={judged} onClose={() => setJudged(undefined)} />}
    </>
  );
}
