import '../../styles/rooms.css';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Import, Plus } from 'lucide-react';
import { useState } from 'react';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { State, Tag } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { DataList } from '../../parts/data-list.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { When } from '../../parts/when.tsx';
import { Credentials, EditCredential } from './credentials.tsx';
import { ImportTool } from './import-dialog.tsx';
import type { ImportedTool } from './imported.ts';
import { ToolPanel } from './tool-panel.tsx';

const route = getRouteApi('/tools');

/** What agents can do in a call beside talking, and the credentials of such requests. */
export function ToolsPage() {
  const { tab, tool } = route.useSearch();
  const navigate = route.useNavigate();
  const isCredentials = tab === 'credentials';
  const [isAdding, setAdding] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const [imported, setImported] = useState<ImportedTool | null>(null);
  const { data: tools } = useQuery(get('/tools/', {}));
  const { data: credentials } = useQuery(get('/credentials/', {}));
  const open = (next: string | undefined, from: ImportedTool | null = null) => {
    setImported(from);
    void navigate({ search: (now) => ({ ...now, tool: next }) });
  };
  const add = () => (isCredentials ? setAdding(true) : open('new'));
  return (
    <Page
      title={t('tools.title')}
      needs={['agents:write']}
      isFlush
      actions={
        <>
          {!isCredentials && (
            <Button icon={Import} needs="agents:write" onPress={() => setImporting(true)}>
              {t('tools.import')}
            </Button>
          )}
          <Button kind="primary" icon={Plus} needs="agents:write" onPress={add}>
            {isCredentials ? t('tools.newCredential') : t('tools.new')}
          </Button>
        </>
      }
    >
      <div className={cx('split-view', !isCredentials && tool !== undefined && 'is-open')}>
        <div className="main-side min-w-0">
          <Tabs
            label={t('tools.title')}
            selected={tab ?? 'tools'}
            onSelect={(id) => void navigate({ search: id === 'credentials' ? { tab: 'credentials' } : {} })}
            entries={[
              {
                id: 'tools',
                label: t('tools.tools'),
                ...(tools === undefined ? {} : { count: tools.length }),
                content: <ToolList onAdd={add} />,
              },
              {
                id: 'credentials',
                label: t('tools.credentials'),
                ...(credentials === undefined ? {} : { count: credentials.length }),
                content: <Credentials onAdd={() => setAdding(true)} />,
              },
            ]}
          />
        </div>
        {!isCredentials && tool !== undefined && (
          <aside className="side" aria-label={t('tools.tool')}>
            <ToolPanel
              key={imported === null ? tool : `${imported.name} ${imported.definition.config.url}`}
              uuid={tool}
              imported={imported}
              onOpen={open}
            />
          </aside>
        )}
      </div>
      {isImporting && (
        <ImportTool
          onRead={(read) => {
            setImporting(false);
            open('new', read);
          }}
          onClose={() => setImporting(false)}
        />
      )}
      {isAdding && <EditCredential credential={null} onClose={() => setAdding(false)} />}
    </Page>
  );
}

function ToolList({ onAdd }: { onAdd: () => void }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(
    get('/tools/', {
      query: { with_uses: true, ...(search.archived === true ? { status: 'active,archived,draft' } : {}) },
    }),
  );
  return (
    <>
      <div className="filter-line">
        <Checkbox
          isSelected={search.archived === true}
          onChange={(is) => void navigate({ search: (now) => ({ ...now, archived: is ? true : undefined }) })}
        >
          {t('tools.showArchived')}
        </Checkbox>
      </div>
      <Loaded query={query}>
        {(tools) =>
          tools.length === 0 ? (
            <Empty
              title={t('tools.none')}
              action={
                <Button icon={Plus} needs="agents:write" onPress={onAdd}>
                  {t('tools.new')}
                </Button>
              }
            >
              {t('tools.noneWhy')}
            </Empty>
          ) : (
            <DataList
              label={t('tools.tools')}
              rows={tools}
              idOf={({ tool_uuid: uuid }) => uuid}
              selectedId={search.tool}
              linkOf={({ tool_uuid: uuid }) => ({ to: '/tools', search: { ...search, tool: uuid } })}
              columns={[
                {
                  id: 'name',
                  label: t('tools.name'),
                  cell: ({ name }) => <span className="cut block max-w-[32ch]">{name}</span>,
                },
                {
                  id: 'type',
                  label: t('tools.type'),
                  cell: ({ category }) => <Tag is="tool">{t(`tools.type.${category}`)}</Tag>,
                },
                {
                  id: 'use',
                  label: t('tools.use'),
                  isWide: true,
                  cell: ({ used_by: uses = [] }) =>
                    uses.length === 0 ? (
                      <span className="text-hint">–</span>
                    ) : (
                      <span className="num">{t('tools.nodes', { count: uses.length })}</span>
                    ),
                },
                {
                  id: 'state',
                  label: t('tools.state'),
                  isWide: true,
                  cell: ({ status }) => (
                    <State is={status === 'active' ? 'published' : 'none'}>
                      {t(`tools.state.${status}`)}
                    </State>
                  ),
                },
                {
                  id: 'changed',
                  label: t('tools.changed'),
                  isWide: true,
                  cell: ({ updated_at: updated, created_at: created }) => <When at={updated ?? created} />,
                },
              ]}
            />
          )
        }
      </Loaded>
    </>
  );
}
