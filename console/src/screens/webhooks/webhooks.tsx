import '../../styles/rooms.css';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMay } from '../../app/may.ts';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Braces, FlaskConical, Lock, Repeat, Shield, X } from 'lucide-react';
import { useState } from 'react';
import type { WebhookEndpoint } from '../../../../src/contract/webhook-endpoints.ts';
import { call } from '../../app/api.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Count } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { DataList } from '../../parts/data-list.tsx';
import { Select } from '../../parts/select.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Failure, NothingMatches, Skeleton } from '../../parts/states.tsx';
import { When } from '../../parts/when.tsx';
import { DeliveryPanel } from './delivery-panel.tsx';
import { PreviewDialog, TestDialog } from './endpoint-dialogs.tsx';
import { Endpoints, nodeOf } from './endpoints.tsx';
import { ResendMany } from './resend-many.tsx';
import { deliveryStates, type WebhooksSearch } from './search.ts';
import { DeliveryBadge, useAgentNames } from './shared.tsx';
import { VerifyDialog } from './verify-dialog.tsx';

const route = getRouteApi('/webhooks');
const path = '/webhook-deliveries';
const liveMs = 3000;
const endpointsMs = 5000;
/** How long the deliveries are watched after some were sent again: workers begin a moment later. */
const followedMs = 30_000;

type Opened = { kind: 'resend' | 'verify' } | { kind: 'test' | 'preview'; endpoint: WebhookEndpoint };

/** Where webhooks go, what was sent there and what they answered, and sending it again. */
export function WebhooksPage() {
  const search = route.useSearch();
  const { state, agent, delivery } = search;
  const navigate = route.useNavigate();
  const names = useAgentNames();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const [follows, setFollows] = useState(0);
  const isFollowed = follows > 0;
  const follow = () => {
    setFollows((now) => now + 1);
    setTimeout(() => setFollows((now) => now - 1), followedMs);
  };
  const endpoints = useQuery({
    ...get('/webhook-endpoints', { query: {} }),
    refetchInterval: isFollowed ? liveMs : endpointsMs,
  });
  const seesSecrets = useMay()('admin');
  const secrets = useQuery({ ...get('/organizations/webhook-secrets', {}), enabled: seesSecrets });
  const endpoint = endpoints.data?.find(({ id }) => id === search.endpoint);
  const ofAgent = agent === undefined ? {} : { workflow_id: agent };
  const place =
    endpoint === undefined ? ofAgent : { workflow_id: endpoint.workflow_id, node_id: endpoint.node_id };
  const filters = { ...(state === undefined ? {} : { state }), ...place };
  const query = useInfiniteQuery({
    queryKey: [path, filters],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call('get', path, {
          query: { ...filters, limit: 50, ...(pageParam === '' ? {} : { cursor: pageParam }) },
          signal,
        })
      ).body,
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
    // An endpoint in the address is a filter only when it is known.
    enabled: search.endpoint === undefined || !endpoints.isPending,
    refetchInterval: ({ state: { data } }) =>
      isFollowed || data?.pages[0]?.items.some((each) => each.state === 'pending') === true ? liveMs : false,
  });
  const rows = query.data?.pages.flatMap(({ items }) => items);
  const change = (next: Partial<WebhooksSearch>) => void navigate({ search: (now) => ({ ...now, ...next }) });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title={t('frame.webhooks')}
      needs={['webhooks:replay']}
      isFlush
      actions={
        <>
          <Button
            kind="ghost"
            icon={Shield}
            className="hide-s"
            needs="admin"
            onPress={() => setOpened({ kind: 'verify' })}
          >
            {t('webhooks.verify')}
          </Button>
          <Link to="/developers" search={{ tab: 'secrets' }} className="btn ghost hide-s">
            <Lock className="i" aria-hidden size={16} strokeWidth={1.5} />
            {t('webhooks.secrets')}
            {secrets.data !== undefined && <Count of={secrets.data.length} />}
          </Link>
          <Button
            icon={Repeat}
            needs="webhooks:replay"
            isDisabled={rows === undefined || rows.length === 0}
            onPress={() => setOpened({ kind: 'resend' })}
          >
            {t('webhooks.resendMany')}
          </Button>
        </>
      }
    >
      <div className={cx('webhooks', delivery !== undefined && 'is-open')}>
        {endpoints.data !== undefined && endpoints.data.length > 0 && (
          <div className="endpoints">
            <Endpoints
              endpoints={endpoints.data}
              search={search}
              onTry={(tried) => setOpened({ kind: 'test', endpoint: tried })}
            />
          </div>
        )}
        {endpoints.isPending && <Skeleton />}
        {endpoints.isError && endpoints.data === undefined && (
          <Failure error={endpoints.error} onRetry={() => void endpoints.refetch()} />
        )}
        <div
          className={cx('split-view', delivery !== undefined && 'is-open')}
          // Nothing moves down when the endpoints come.
          hidden={endpoints.isPending}
        >
          <div className="main-side min-w-0">
            <div className="filter-line" hidden={rows?.length === 0 && !isFiltered}>
              <h2 className="h2">{t('webhooks.deliveries')}</h2>
              {endpoint === undefined ? (
                <Select
                  label={t('webhooks.agent')}
                  isLabelHidden
                  value={agent === undefined ? 'all' : String(agent)}
                  onChange={(value) => change({ agent: value === 'all' ? undefined : Number(value) })}
                  options={[
                    { value: 'all', label: t('webhooks.allAgents') },
                    ...[...names].map(([id, name]) => ({ value: String(id), label: name })),
                  ]}
                />
              ) : (
                <button
                  type="button"
                  className="chip"
                  aria-label={t('webhooks.clearEndpoint', { address: endpoint.address })}
                  onClick={() => change({ endpoint: undefined })}
                >
                  <span className="text-muted">{t('webhooks.to')}</span>{' '}
                  <b className="cut max-w-[28ch]">{endpoint.address}</b>
                  <X className="i" aria-hidden />
                </button>
              )}
              <Select
                label={t('webhooks.state')}
                isLabelHidden
                value={state ?? 'all'}
                onChange={(value) => change({ state: deliveryStates.find((each) => each === value) })}
                options={['all', ...deliveryStates].map((value) => ({
                  value,
                  label: t(`webhooks.state.${value}`),
                }))}
              />
              {endpoint !== undefined && (
                <>
                  <span className="flex-1" />
                  {endpoint.is_published && (
                    <Button
                      kind="ghost"
                      size="xs"
                      icon={Braces}
                      needs="people:read"
                      onPress={() => setOpened({ kind: 'preview', endpoint })}
                    >
                      {t('webhooks.preview')}
                    </Button>
                  )}
                  <Button
                    size="xs"
                    icon={FlaskConical}
                    needs="webhooks:replay"
                    onPress={() => setOpened({ kind: 'test', endpoint })}
                  >
                    {t('webhooks.sendTest')}
                  </Button>
                </>
              )}
            </div>
            {rows === undefined ? (
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
                          words: t(`webhooks.state.${state}`),
                          remove: () => change({ state: undefined }),
                        },
                    agent === undefined
                      ? null
                      : {
                          words: names.get(agent) ?? t('webhooks.agentN', { id: agent }),
                          remove: () => change({ agent: undefined }),
                        },
                    endpoint === undefined
                      ? null
                      : { words: endpoint.address, remove: () => change({ endpoint: undefined }) },
                  ]}
                  onClear={() => change({ state: undefined, agent: undefined, endpoint: undefined })}
                />
              ) : (
                <Empty
                  title={t('webhooks.none')}
                  action={
                    <Link to="/agents" className="btn">
                      {t('webhooks.toAgents')}
                    </Link>
                  }
                >
                  {t('webhooks.noneWhy')}
                </Empty>
              )
            ) : (
              <>
                <DataList
                  label={t('webhooks.deliveries')}
                  rows={rows}
                  isPart={query.hasNextPage}
                  idOf={({ id }) => id}
                  linkOf={({ id }) => ({ to: '/webhooks', search: { ...search, delivery: id } })}
                  selectedId={delivery}
                  columns={[
                    {
                      id: 'when',
                      label: t('webhooks.created'),
                      isWide: true,
                      cell: ({ created_at: at }) => (
                        <span className="text-muted whitespace-nowrap">
                          <When at={at} />
                        </span>
                      ),
                    },
                    {
                      id: 'call',
                      label: t('webhooks.call'),
                      isMain: true,
                      cell: (row) => (
                        <span className="flex max-w-[44ch] gap-1">
                          <span className="cut">
                            {names.get(row.workflow_id) ?? t('webhooks.agentN', { id: row.workflow_id })}
                          </span>{' '}
                          <span className="text-muted font-normal">#{row.run_id}</span>
                        </span>
                      ),
                    },
                    { id: 'state', label: t('webhooks.state'), cell: (row) => <DeliveryBadge of={row} /> },
                    {
                      id: 'tries',
                      label: t('webhooks.tries'),
                      isNumber: true,
                      isWide: true,
                      cell: ({ attempt_count: tries }) => tries,
                    },
                  ]}
                />
                {query.hasNextPage && (
                  <div className="p-4">
                    <Button isDisabled={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
                      {t('webhooks.more')}
                    </Button>
                  </div>
                )}
              </>
            )}
          </div>
          {delivery !== undefined && (
            <aside className="side" aria-label={t('webhooks.delivery')}>
              <DeliveryPanel
                key={delivery}
                id={delivery}
                names={names}
                isFollowed={isFollowed}
                onResent={follow}
                onClose={() => change({ delivery: undefined })}
              />
            </aside>
          )}
        </div>
      </div>
      {opened?.kind === 'resend' && (
        <ResendMany
          state={state}
          place={place}
          of={
            endpoint === undefined
              ? agent === undefined
                ? t('webhooks.allAgents')
                : (names.get(agent) ?? '')
              : nodeOf(endpoint)
          }
          onResent={follow}
          onClose={close}
        />
      )}
      {opened?.kind === 'verify' && <VerifyDialog onClose={close} />}
      {opened?.kind === 'test' && <TestDialog of={opened.endpoint} onTurnedOn={follow} onClose={close} />}
      {opened?.kind === 'preview' && <PreviewDialog of={opened.endpoint} onClose={close} />}
    </Page>
  );
}
