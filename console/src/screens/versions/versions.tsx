import '../../styles/agents.css';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { diffWordsWithSpace } from 'diff';
import { ArrowRight, ChevronDown, ChevronRight, ChevronUp, Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ListedVersion } from '../../../../src/contract/agents.ts';
import { ApiError, call } from '../../app/api.ts';
import { ago, count } from '../../app/format.ts';
import { get, getTagged } from '../../app/query.ts';
import { type Shortcut, useShortcuts } from '../../app/shortcuts.ts';
import { t } from '../../app/words.ts';
import { Count, State } from '../../parts/badge.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Select } from '../../parts/select.tsx';
import { Switch } from '../../parts/switch.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Segmented } from '../../parts/tabs.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { OutcomeBar } from '../agents/outcome-bar.tsx';
import { authorOf } from './author.ts';
import { ChangeList, elementOf, useComparison } from './change-list.tsx';
import { columnsOf } from './columns.ts';
import type { Change, Content } from './compare.ts';
import { settingName } from '../editor/setting-words.ts';
import type { VersionsSearch } from './search.ts';
import { TwoColumns } from './two-columns.tsx';
import { VersionCanvas } from './version-canvas.tsx';

const pageSize = 50;

const views = {
  canvas: t('versions.viewCanvas'),
  columns: t('versions.viewColumns'),
  list: t('versions.viewList'),
};
/** On a phone the canvas stands below what changed; there is no room for two columns. */
const narrowViews = { changes: t('versions.viewChanges'), list: t('versions.viewList') };
const viewOf = (view: string): VersionsSearch['view'] =>
  view === 'columns' || view === 'list' ? view : undefined;

export function VersionsPage() {
  const { agentId } = useParams({ from: '/agents/$agentId/versions' });
  const search = useSearch({ from: '/agents/$agentId/versions' });
  const navigate = useNavigate();
  const id = Number(agentId);
  const agent = useQuery(getTagged('/workflow/fetch/{workflow_id}', { params: { workflow_id: id } }));
  const hasSaves = search.saves === 'every';
  const list = useInfiniteQuery({
    queryKey: ['/workflow/{workflow_id}/versions', id, search.saves],
    queryFn: async ({ pageParam: offset, signal }) =>
      (
        await call('get', '/workflow/{workflow_id}/versions', {
          params: { workflow_id: id },
          query: {
            limit: pageSize,
            ...(offset === 0 ? {} : { offset }),
            ...(hasSaves ? {} : { only: 'published' }),
          },
          signal,
        })
      ).body,
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < pageSize ? undefined : pages.length * pageSize),
    select: ({ pages }) => pages.flat(),
  });
  const [restoring, setRestoring] = useState<number | null>(null);
  const versions = list.data ?? [];
  const to = search.to ?? versions[0]?.version_number;
  const from = search.from ?? versions.find(({ version_number: n }) => n < (to ?? 0))?.version_number;
  const go = (change: {
    from?: number;
    to?: number;
    view?: VersionsSearch['view'] | undefined;
    saves?: 'every' | undefined;
  }) =>
    void navigate({
      to: '/agents/$agentId/versions',
      params: { agentId },
      search: (before) => ({ ...before, ...change }) as typeof search,
      replace: true,
    });
  const name = agent.data?.body.name ?? '';
  const chooseView = (views: Readonly<Record<string, string>>, value: string) => (
    <Segmented
      label={t('versions.view')}
      options={Object.entries(views).map(([id, label]) => ({ id, label }))}
      value={value}
      onChange={(view) => go({ view: viewOf(view) })}
    />
  );
  return (
    <Page
      title={name === '' ? t('versions.title') : `${t('versions.title')} · ${name}`}
      room={{ to: '/agents', label: t('frame.agents') }}
      isFlush
      needs={['agents:write']}
      heading={
        <>
          <Link
            to="/agents/$agentId"
            params={{ agentId }}
            className="inline-flex min-w-0 min-h-6 items-center"
          >
            <span className="cut">{name === '' ? t('calls.agent') : name}</span>
          </Link>
          <ChevronRight className="i" aria-hidden size={14} strokeWidth={1.5} />
          <h1 className="text-13 text-ink font-semibold">{t('versions.title')}</h1>
        </>
      }
      actions={
        versions.length > 1 && (
          <>
            <div className="hide-s">{chooseView(views, search.view ?? 'canvas')}</div>
            {from !== undefined && search.view !== 'list' && (
              <Button icon={Undo2} className="hide-s" needs="agents:write" onPress={() => setRestoring(from)}>
                {t('versions.restore', { n: from })}
              </Button>
            )}
          </>
        )
      }
    >
      {versions.length > 1 && (
        <div className="only-s p-4">
          {chooseView(narrowViews, search.view === 'list' ? 'list' : 'changes')}
        </div>
      )}
      {(search.view === 'list' || (list.data !== undefined && from === undefined)) && (
        <div className="flex px-4 pt-3">
          <Switch
            label={t('versions.everySave')}
            value={hasSaves}
            onChange={(isOn) => go({ saves: isOn ? 'every' : undefined })}
          />
        </div>
      )}
      <Loaded query={list}>
        {(all) =>
          from === undefined || to === undefined ? (
            <Empty title={t('versions.onlyOneTitle')}>{t('versions.onlyOne')}</Empty>
          ) : search.view === 'list' ? (
            <>
              <VersionList
                versions={all}
                onCompare={(to, from) => go({ from, to, view: undefined })}
                onRestore={setRestoring}
              />
              {list.hasNextPage && (
                <div className="p-4">
                  <Button isDisabled={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
                    {t('versions.more')}
                  </Button>
                </div>
              )}
            </>
          ) : (
            <Comparison
              agentId={id}
              versions={all}
              from={from}
              to={to}
              isInColumns={search.view === 'columns'}
              onChoose={go}
              onRestore={setRestoring}
            />
          )
        }
      </Loaded>
      {restoring !== null && (
        <RestoreDialog
          agentId={id}
          version={restoring}
          etag={agent.data?.etag}
          draft={versions.find(({ status }) => status === 'draft')?.version_number}
          onClose={() => setRestoring(null)}
          onDone={(draft) => {
            setRestoring(null);
            go({ from: restoring, to: draft, view: 'list' });
          }}
        />
      )}
    </Page>
  );
}

const stateOf = { draft: 'draft', published: 'published', archived: 'none' } as const;

function VersionList({
  versions,
  onCompare,
  onRestore,
}: {
  versions: readonly ListedVersion[];
  onCompare: (to: number, from: number) => void;
  onRestore: (version: number) => void;
}) {
  const before = (n: number) => versions.find((each) => each.version_number < n)?.version_number ?? n;
  return (
    <DataList
      label={t('versions.list')}
      className="version-list"
      isTall
      rows={versions}
      idOf={({ version_number: n }) => String(n)}
      columns={[
        {
          id: 'version',
          label: t('versions.version'),
          cell: ({ version_number: n, created_at: at }) => (
            <>
              <button
                type="button"
                className="link min-h-6 font-semibold"
                aria-label={t('versions.compareWith', { from: before(n), to: n })}
                onClick={() => onCompare(n, before(n))}
              >
                v{n}
              </button>
              <span className="only-s text-12 text-muted ms-2 font-normal">
                <When at={at} />
              </span>
            </>
          ),
        },
        {
          id: 'state',
          label: t('versions.state'),
          cell: ({ status, pinned_by: campaigns }) => (
            <span className="grid justify-items-start gap-1 py-1">
              <State is={stateOf[status]}>{t(`versions.state.${status}`)}</State>
              {campaigns.map(({ id, name }) => (
                <Link
                  key={id}
                  className="link text-12 font-normal"
                  to="/campaigns/$id"
                  params={{ id: String(id) }}
                >
                  {t('versions.pinnedBy', { name })}
                </Link>
              ))}
            </span>
          ),
        },
        {
          id: 'when',
          label: t('versions.when'),
          isWide: true,
          cell: ({ created_at: at }) => <When at={at} />,
        },
        { id: 'who', label: t('versions.who'), isWide: true, cell: authorOf },
        {
          id: 'note',
          label: t('versions.note'),
          isWide: true,
          cell: ({ note }) => <span className="whitespace-normal">{note ?? '–'}</span>,
        },
        {
          id: 'calls',
          label: t('versions.calls'),
          isNumber: true,
          isWide: true,
          cell: ({ calls }) => count(calls),
        },
        {
          id: 'outcomes',
          label: t('versions.outcomes'),
          isWide: true,
          cell: (version) => (version.calls === 0 ? '–' : <OutcomeBar of={version} />),
        },
        {
          id: 'restore',
          label: t('common.more'),
          isLabelHidden: true,
          cell: ({ version_number: n, status }) =>
            status === 'draft' ? null : (
              <span className="block text-end">
                <Button size="xs" needs="agents:write" onPress={() => onRestore(n)}>
                  {t('versions.restore', { n })}
                </Button>
              </span>
            ),
        },
      ]}
    />
  );
}

const isSame =
  ({ version_number: n }: ListedVersion) =>
  (other: ListedVersion): boolean =>
    other.version_number === n;

const newestFirst = (a: ListedVersion, b: ListedVersion): number => b.version_number - a.version_number;

const contentOf = (version: ListedVersion): Content => ({
  definition: version.workflow_json,
  settings: version.workflow_configurations ?? {},
  testValues: version.template_context_variables ?? {},
});

interface ChooseProps {
  agentId: number;
  versions: readonly ListedVersion[];
  from: number;
  to: number;
  /** Instead of on the canvas. */
  isInColumns: boolean;
  onChoose: (change: { from?: number; to?: number }) => void;
  onRestore: (version: number) => void;
}

function Comparison(props: ChooseProps) {
  const { agentId, versions, from, to } = props;
  // A version of the list is whole; an older one is read by itself.
  const read = (n: number) => ({
    ...get('/workflow/{workflow_id}/versions/{version_number}', {
      params: { workflow_id: agentId, version_number: n },
    }),
    enabled: versions.every(({ version_number: listed }) => listed !== n),
  });
  const [older, newer] = [useQuery(read(from)), useQuery(read(to))];
  const before = versions.find(({ version_number: n }) => n === from) ?? older.data;
  const after = versions.find(({ version_number: n }) => n === to) ?? newer.data;
  if (before === undefined) return <Loaded query={older}>{() => null}</Loaded>;
  if (after === undefined) return <Loaded query={newer}>{() => null}</Loaded>;
  return <Compared {...props} before={before} after={after} />;
}

function Compared({
  versions,
  before,
  after,
  from,
  to,
  isInColumns,
  onChoose,
  onRestore,
}: ChooseProps & { before: ListedVersion; after: ListedVersion }) {
  const [old, now] = useMemo(() => [contentOf(before), contentOf(after)], [before, after]);
  const { changes, rows, picture, lines } = useComparison(old, now);
  const [at, setAt] = useState(0);
  const row = rows[at];
  const step = (by: number) => setAt((now) => Math.max(0, Math.min(rows.length - 1, now + by)));
  useShortcuts(
    useMemo<Shortcut[]>(
      () => [
        {
          keys: 'j',
          words: t('versions.next'),
          run: () => setAt((now) => Math.min(rows.length - 1, now + 1)),
        },
        { keys: 'k', words: t('versions.previous'), run: () => setAt((now) => Math.max(0, now - 1)) },
      ],
      [rows.length],
    ),
  );
  const listed = [...versions, ...[before, after].filter((each) => !versions.some(isSame(each)))];
  const options = listed.toSorted(newestFirst).map((version) => ({
    value: String(version.version_number),
    label: `v${version.version_number}`,
    description: [ago(new Date(version.created_at)), authorOf(version)].join(', '),
  }));
  const moved = changes.filter(({ kind, of }) => kind === 'moved' && of === 'node');
  return (
    <div className="versions">
      {isInColumns ? (
        <TwoColumns
          blocks={columnsOf(old, now, { changes, settingName })}
          label={t('versions.columns', { from, to })}
          from={from}
          to={to}
          selected={elementOf(row)}
        />
      ) : (
        <VersionCanvas
          key={`${from} ${to}`}
          picture={picture}
          label={t('versions.canvas', { from, to })}
          lines={lines}
          selected={elementOf(row)}
          onSelect={(key) => {
            const found = rows.findIndex((each) => elementOf(each) === key);
            if (found >= 0) setAt(found);
          }}
        />
      )}
      <aside className="changes" aria-label={t('versions.whatChanged')}>
        <header>
          <h2 className="text-14 text-ink font-semibold">{t('versions.whatChanged')}</h2>
          <Count of={rows.length} />
          <span className="grow" />
          <IconButton icon={ChevronUp} label={t('versions.previous')} onPress={() => step(-1)} />
          <IconButton icon={ChevronDown} label={t('versions.next')} onPress={() => step(1)} />
        </header>
        <div className="pick-two">
          <Select
            label={t('versions.from')}
            isLabelHidden
            options={options}
            value={String(from)}
            onChange={(value) => onChoose({ from: Number(value) })}
          />
          <ArrowRight className="i" aria-hidden size={16} strokeWidth={1.5} />
          <Select
            label={t('versions.to')}
            isLabelHidden
            options={options}
            value={String(to)}
            onChange={(value) => onChoose({ to: Number(value) })}
          />
        </div>
        <Legend changes={changes} />
        {rows.length === 0 ? (
          <p className="text-muted px-4 py-3">{t('versions.nothing')}</p>
        ) : (
          <ChangeList rows={rows} at={at} onChoose={setAt} />
        )}
        {moved.length > 0 && (
          <p className="text-hint text-12 px-4 pb-3">
            {t('versions.onlyMoved', { names: moved.map(({ name }) => name).join(', ') })}
          </p>
        )}
        {row?.sentence.words !== undefined && (
          <section className="words-of">
            <h3 className="h2">
              {t('versions.wordsOf', {
                name:
                  row.change.of === 'setting'
                    ? t('editor.change.of.settings')
                    : row.change.of === 'edge'
                      ? row.change.source
                      : row.change.name,
                field: row.sentence.values['field'] ?? '',
              })}
            </h3>
            <Words {...row.sentence.words} />
          </section>
        )}
        <footer>
          {[before, after].map((version) => (
            <p key={version.version_number} className="text-12 text-muted">
              <b className="text-ink font-medium">v{version.version_number}</b>
              {' · '}
              {t('versions.callsOf', { n: version.calls })}
              {version.note !== null && ` · ${version.note}`}
            </p>
          ))}
          <Button
            icon={Undo2}
            className="only-s"
            size="md"
            needs="agents:write"
            onPress={() => onRestore(from)}
          >
            {t('versions.restore', { n: from })}
          </Button>
        </footer>
      </aside>
    </div>
  );
}

function Legend({ changes }: { changes: readonly Change[] }) {
  const parts = (['added', 'removed', 'changed'] as const).flatMap((kind) => {
    const numberOf = (of: Change['of']) =>
      changes.filter((change) => change.kind === kind && change.of === of).length;
    const [nodes, edges] = [numberOf('node'), numberOf('edge')];
    const words = [
      ...(nodes > 0 ? [t('versions.countNodes', { n: nodes })] : []),
      ...(edges > 0 ? [t('versions.countEdges', { n: edges })] : []),
    ];
    return words.length === 0 ? [] : [{ kind, words: words.join(', ') }];
  });
  if (parts.length === 0) return null;
  return (
    <p className="change-legend">
      {parts.map(({ kind, words }) => (
        <span key={kind} className={`is-${kind}`}>
          <b aria-hidden>{kind === 'added' ? '+' : kind === 'removed' ? '–' : '~'}</b> {words}
        </span>
      ))}
    </p>
  );
}

function Words({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => diffWordsWithSpace(before, after), [before, after]);
  return (
    <p className="word-diff">
      {parts.map(({ added, removed, value }, index) =>
        added ? <ins key={index}>{value}</ins> : removed ? <del key={index}>{value}</del> : value,
      )}
    </p>
  );
}

/** Restoring makes a draft; nothing that callers meet changes until it is published. */
function RestoreDialog({
  agentId,
  version,
  etag,
  draft,
  onClose,
  onDone,
}: {
  agentId: number;
  version: number;
  etag: string | undefined;
  draft: number | undefined;
  onClose: () => void;
  onDone: (draft: number) => void;
}) {
  const client = useQueryClient();
  const [note, setNote] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | undefined>();
  const refresh = () =>
    client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/workflow/') });
  const restore = async () => {
    setBusy(true);
    try {
      const { body } = await call('post', '/workflow/{workflow_id}/versions/{version_number}/restore', {
        params: { workflow_id: agentId, version_number: version },
        ...(note.trim() === '' ? {} : { query: { note: note.trim() } }),
        ifMatch: etag,
      });
      await refresh();
      toast(t('versions.restored', { n: version, draft: body.version_number }));
      onDone(body.version_number);
    } catch (error) {
      setBusy(false);
      if (error instanceof ApiError && error.status === 412) await refresh();
      setFault(
        error instanceof ApiError
          ? error.status === 412
            ? t('versions.stale')
            : error.message
          : t('common.unexpected'),
      );
    }
  };
  return (
    <Dialog
      title={t('versions.restoreTitle', { n: version })}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" sends isDisabled={isBusy} onPress={() => void restore()}>
            {t('versions.restoreDo', { n: version })}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p>{t('versions.restoreWhy', { n: version })}</p>
        {draft !== undefined && <p>{t('versions.restoreDraft', { draft })}</p>}
        <TextField
          label={t('versions.restoreNote')}
          hint={t('versions.restoreNoteHint')}
          value={note}
          onChange={setNote}
          error={fault}
          maxLength={500}
          hasFocus
        />
      </div>
    </Dialog>
  );
}
