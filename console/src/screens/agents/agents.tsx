import '../../styles/agents.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Archive, FolderInput, Plus, Search, X } from 'lucide-react';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Input, SearchField } from 'react-aria-components';
import type { WorkflowOverview } from '../../../../src/contract/agent-overviews.ts';
import { ApiError, call } from '../../app/api.ts';
import { count } from '../../app/format.ts';
import { type Shortcut, useShortcuts } from '../../app/shortcuts.ts';
import { useMay } from '../../app/may.ts';
import { t } from '../../app/words.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import type { MenuEntry } from '../../parts/menu.tsx';
import { Page } from '../../parts/page.tsx';
import { nothing, type Selection } from '../../parts/selection.ts';
import { Empty, Loaded, NothingMatches } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { AgentTable } from './agent-table.tsx';
import { type AgentsSearch, isInFolder, selectAgents } from './filter.ts';
import { folders as folderQuery, overviews } from './queries.ts';
import { FolderDialog, type FolderTask, FolderTabs } from './folders.tsx';
import { usesOf } from './use-of.ts';

export function AgentsPage() {
  const isBuilding = useMay()('agents:write');
  const query = useQuery(overviews);
  return (
    <Page
      title={t('frame.agents')}
      isFlush
      needs={['agents:write']}
      actions={
        isBuilding && (
          <Link to="/agents/new" className="btn primary">
            <Plus className="i" aria-hidden size={16} strokeWidth={1.5} />
            <span className="btn-text">{t('agents.new')}</span>
          </Link>
        )
      }
    >
      <Loaded query={query}>
        {({ items, total_count: total }) =>
          total === 0 ? (
            <Empty
              title={t('agents.emptyTitle')}
              action={
                isBuilding && (
                  <Link to="/agents/new" className="btn">
                    {t('agents.emptyAction')}
                  </Link>
                )
              }
            >
              {t('agents.empty')}
            </Empty>
          ) : (
            <Agents agents={items} total={total} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Agents({ agents, total }: { agents: readonly WorkflowOverview[]; total: number }) {
  const search = useSearch({ from: '/agents' });
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: folders = [] } = useQuery(folderQuery);
  const [text, setText] = useState(search.q ?? '');
  const [selection, setSelection] = useState<Selection<WorkflowOverview>>(nothing);
  const [archiving, setArchiving] = useState<readonly WorkflowOverview[] | null>(null);
  const [moving, setMoving] = useState<readonly WorkflowOverview[] | null>(null);
  const [folderTask, setFolderTask] = useState<FolderTask | null>(null);
  const field = useRef<HTMLInputElement>(null);

  // Typing is drawn at once; the rows follow when the browser has time.
  const typed = useDeferredValue(text);
  const rows = useMemo(() => selectAgents(agents, { ...search, q: typed }), [agents, search, typed]);
  const go = useCallback(
    (change: Partial<Record<keyof AgentsSearch, string | undefined>>) => {
      void navigate({
        to: '/agents',
        search: { ...search, ...change } as AgentsSearch,
        replace: true,
      });
    },
    [navigate, search],
  );
  useEffect(() => {
    const timer = setTimeout(() => {
      if ((search.q ?? '') !== text) go({ q: text === '' ? undefined : text });
    }, 300);
    return () => clearTimeout(timer);
  }, [text, search.q, go]);
  useShortcuts(
    useMemo<Shortcut[]>(
      () => [{ keys: '/', words: t('agents.filter'), run: () => field.current?.focus() }],
      [],
    ),
  );

  const refresh = async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: overviews.queryKey }),
      client.invalidateQueries({ queryKey: folderQuery.queryKey }),
    ]);
  };
  const attempt = async (work: () => Promise<string>, undo?: () => Promise<void>) => {
    try {
      toast(await work(), undo === undefined ? undefined : () => void undo().then(refresh));
      setSelection(nothing());
    } catch (error) {
      toast(error instanceof ApiError ? error.message : t('common.unexpected'));
    }
    await refresh();
  };
  const setStatus = async (of: readonly WorkflowOverview[], status: 'active' | 'archived') => {
    for (const { id } of of)
      await call('put', '/workflow/{workflow_id}/status', { params: { workflow_id: id }, body: { status } });
  };
  const archive = (of: readonly WorkflowOverview[]) =>
    attempt(
      async () => {
        await setStatus(of, 'archived');
        return t('agents.archived', { n: of.length, name: of[0]?.name ?? '' });
      },
      () => setStatus(of, 'active'),
    );
  const askArchive = (of: readonly WorkflowOverview[]) =>
    of.some((each) => usesOf(each).length > 0) ? setArchiving(of) : void archive(of);
  const restore = (of: readonly WorkflowOverview[]) =>
    attempt(async () => {
      await setStatus(of, 'active');
      return t('agents.restored', { n: of.length, name: of[0]?.name ?? '' });
    });
  const move = (of: readonly WorkflowOverview[], folder: { id: number; name: string } | null) =>
    attempt(async () => {
      for (const { id } of of)
        await call('put', '/workflow/{workflow_id}/folder', {
          params: { workflow_id: id },
          body: { folder_id: folder?.id ?? null },
        });
      return t('agents.moved', { folder: folder?.name ?? t('agents.noFolder') });
    });
  const copy = (agent: WorkflowOverview) =>
    attempt(async () => {
      const { body } = await call('post', '/workflow/{workflow_id}/duplicate', {
        params: { workflow_id: agent.id },
      });
      return t('agents.copied', { name: body.name });
    });

  const entriesOf = (agent: WorkflowOverview): MenuEntry[] => [
    {
      id: 'open',
      label: t('agents.open'),
      onAction: () => void navigate({ to: '/agents/$agentId', params: { agentId: String(agent.id) } }),
    },
    {
      id: 'versions',
      label: t('agents.versions'),
      onAction: () =>
        void navigate({ to: '/agents/$agentId/versions', params: { agentId: String(agent.id) } }),
    },
    { id: 'copy', label: t('agents.copy'), needs: 'agents:write', onAction: () => void copy(agent) },
    { id: 'move', label: t('agents.move'), needs: 'agents:write', onAction: () => setMoving([agent]) },
    agent.status === 'active'
      ? {
          id: 'archive',
          label: t('agents.archive'),
          needs: 'agents:write',
          onAction: () => askArchive([agent]),
        }
      : {
          id: 'restore',
          label: t('agents.restore'),
          needs: 'agents:write',
          onAction: () => void restore([agent]),
        },
  ];
  const chosen = agents.filter(({ id }) => selection.rows.has(String(id)));
  const clear = () => {
    setText('');
    go({ q: undefined });
  };

  return (
    <div className="agents-page">
      <div className="agents-tools">
        {chosen.length === 0 ? (
          <>
            <SearchField
              aria-label={t('agents.filter')}
              value={text}
              onChange={setText}
              className="input find"
            >
              <Search className="i" aria-hidden size={16} strokeWidth={1.5} />
              <Input ref={field} placeholder={t('agents.filter')} />
              <kbd aria-hidden>/</kbd>
            </SearchField>
            <span className="grow" />
            <span role="status" className="text-muted text-12">
              {t('agents.count', { n: rows.length })}
            </span>
          </>
        ) : (
          <>
            <span role="status" className="text-ink font-semibold">
              {t('agents.selected', { n: chosen.length })}
            </span>
            <Button icon={FolderInput} needs="agents:write" onPress={() => setMoving(chosen)}>
              {t('agents.move')}
            </Button>
            {search.folder === 'archived' ? (
              <Button needs="agents:write" onPress={() => void restore(chosen)}>
                {t('agents.restore')}
              </Button>
            ) : (
              <Button icon={Archive} needs="agents:write" onPress={() => askArchive(chosen)}>
                {t('agents.archive')}
              </Button>
            )}
            <IconButton icon={X} label={t('agents.unselect')} onPress={() => setSelection(nothing())} />
          </>
        )}
      </div>
      <FolderTabs folders={folders} agents={agents} selected={search.folder} onTask={setFolderTask} />
      {total > agents.length && (
        <p className="text-muted text-12 px-6 py-2">
          {t('agents.onlySome', { n: count(agents.length), total: count(total) })}
        </p>
      )}
      <div className="agents-scroll">
        {rows.length > 0 ? (
          <AgentTable
            rows={rows}
            search={search}
            selection={selection}
            onSelect={setSelection}
            onSort={go}
            entriesOf={entriesOf}
          />
        ) : typed === '' ? (
          <Empty title={t('agents.folderEmptyTitle')}>
            {t(search.folder === 'archived' ? 'agents.archiveEmpty' : 'agents.folderEmpty')}
          </Empty>
        ) : (
          <NothingMatches filters={[{ words: `“${typed}”`, remove: clear }]} onClear={clear} />
        )}
      </div>
      <ArchiveDialog
        agents={archiving}
        onClose={() => setArchiving(null)}
        onArchive={(of) => {
          setArchiving(null);
          void archive(of);
        }}
      />
      <Dialog
        title={t('agents.moveTitle', { n: moving?.length ?? 0, name: moving?.[0]?.name ?? '' })}
        isOpen={moving !== null}
        onClose={() => setMoving(null)}
      >
        <div className="grid gap-1">
          {[...folders, null].map((folder) => (
            <Button
              key={folder?.id ?? 'none'}
              kind="ghost"
              size="md"
              className="justify-start"
              onPress={() => {
                void move(moving ?? [], folder);
                setMoving(null);
              }}
            >
              {folder?.name ?? t('agents.noFolder')}
            </Button>
          ))}
          <Button
            icon={Plus}
            size="md"
            className="justify-start"
            onPress={() => {
              setFolderTask({ kind: 'create', done: (folder) => void move(moving ?? [], folder) });
              setMoving(null);
            }}
          >
            {t('agents.folderNew')}
          </Button>
        </div>
      </Dialog>
      {folderTask !== null && (
        <FolderDialog
          task={folderTask}
          onClose={() => setFolderTask(null)}
          onDone={() => {
            if (folderTask.kind === 'delete') go({ folder: undefined });
            setFolderTask(null);
            void refresh();
          }}
          agents={agents.filter((each) => isInFolder(each, search.folder)).length}
        />
      )}
    </div>
  );
}

/** Names what would be left without an agent. */
function ArchiveDialog({
  agents,
  onClose,
  onArchive,
}: {
  agents: readonly WorkflowOverview[] | null;
  onClose: () => void;
  onArchive: (agents: readonly WorkflowOverview[]) => void;
}) {
  const title = t('agents.archiveTitle', { n: agents?.length ?? 0, name: agents?.[0]?.name ?? '' });
  return (
    <Dialog
      title={title}
      isOpen={agents !== null}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button kind="danger" onPress={() => onArchive(agents ?? [])}>
            {t('agents.archive')}
          </Button>
        </>
      }
    >
      <p className="mb-2">{t('agents.archiveWhy')}</p>
      <ul className="grid gap-1">
        {(agents ?? []).flatMap((agent) =>
          usesOf(agent).map((use) => (
            <li key={`${agent.id} ${use}`} className="text-ink">
              {(agents?.length ?? 0) > 1 ? `${agent.name}: ${use}` : use}
            </li>
          )),
        )}
      </ul>
    </Dialog>
  );
}
