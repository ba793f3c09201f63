import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { SwitchedOffEndpoint } from '../../../../src/contract/webhook-endpoints.ts';
import { call } from '../../app/api.ts';
import { get, queries } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Confirm, Refusal } from '../../parts/action.tsx';
import { Tag } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { DataList } from '../../parts/data-list.tsx';
import { Select } from '../../parts/fields.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Failure, NothingMatches, Skeleton } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { countDeliveries } from './count-deliveries.ts';
import { DeliveryPanel } from './delivery-panel.tsx';
import { DeliveryBadge, refreshDeliveries, useAgentNames } from './shared.tsx';
import { deliveryStates, type DeliveryState, type WebhooksSearch } from './search.ts';

const route = getRouteApi('/webhooks');
const path = '/webhook-deliveries';
const liveMs = 3000;

/** What was sent to the customers' endpoints, what they answered, and sending it again. */
export function WebhooksPage() {
  const search = route.useSearch();
  const { state, agent, delivery } = search;
  const navigate = route.useNavigate();
  const names = useAgentNames();
  const [isResending, setResending] = useState(false);
  const filters = {
    ...(state === undefined ? {} : { state }),
    ...(agent === undefined ? {} : { workflow_id: agent }),
  };
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
    refetchInterval: ({ state: { data } }) =>
      data?.pages[0]?.items.some((each) => each.state === 'pending') === true ? liveMs : false,
  });
  const rows = query.data?.pages.flatMap(({ items }) => items);
  const change = (next: Partial<WebhooksSearch>) => void navigate({ search: (now) => ({ ...now, ...next }) });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title={t('frame.webhooks')}
      isFlush
      actions={
        <>
          <Link to="/developers" search={{ tab: 'secrets' }} className="btn ghost hide-s">
            {t('webhooks.secrets')}
          </Link>
          <Button
            icon={RotateCw}
            isDisabled={rows === undefined || rows.length === 0}
            onPress={() => setResending(true)}
          >
            {t('webhooks.resendMany')}
          </Button>
        </>
      }
    >
      <div className={cx('split-view', delivery !== undefined && 'is-open')}>
        <div className="main-side min-w-0">
          <Endpoints names={names} />
          <div className="filter-line">
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
          </div>
          {rows === undefined ? (
            query.isError ? (
              <Failure error={query.error} onRetry={() => void query.refetch()} />
            ) : (
              <Skeleton />
            )
          ) : rows.length === 0 ? (
            isFiltered ? (
              <NothingMatches onClear={() => change({ state: undefined, agent: undefined })} />
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
                idOf={({ id }) => id}
                linkOf={({ id }) => ({ to: '/webhooks', search: { ...search, delivery: id } })}
                selectedId={delivery}
                columns={[
                  {
                    id: 'call',
                    label: t('webhooks.call'),
                    cell: (row) => (
                      <span className="cut block max-w-[30ch]">
                        {names.get(row.workflow_id) ?? t('webhooks.agentN', { id: row.workflow_id })}{' '}
                        <span className="text-hint font-normal">#{row.run_id}</span>
                      </span>
                    ),
                  },
                  {
                    id: 'url',
                    label: t('webhooks.endpoint'),
                    isWide: true,
                    cell: ({ url }) => (
                      <span className="cut block max-w-[34ch]" title={url}>
                        {url.replace(/^https?:\/\//, '')}
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
                  {
                    id: 'when',
                    label: t('webhooks.created'),
                    isWide: true,
                    cell: ({ created_at: at }) => <When at={at} />,
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
              onClose={() => change({ delivery: undefined })}
            />
          </aside>
        )}
      </div>
      {isResending && (
        <ResendMany state={state} agent={agent} names={names} onClose={() => setResending(false)} />
      )}
    </Page>
  );
}

/** Endpoints that answered 410 and get nothing until somebody turns them on. */
function Endpoints({ names }: { names: ReadonlyMap<number, string> }) {
  const { data = [] } = useQuery(get('/webhook-endpoints', {}));
  const [turned, setTurned] = useState<SwitchedOffEndpoint | null>(null);
  return (
    <>
      {data.map((endpoint) => (
        <div key={endpoint.id} className="room-row">
          <Tag is="bad">{t('webhooks.off')}</Tag>
          <span className="grow">
            <span className="text-ink">{endpoint.url}</span>
            <span className="text-hint text-12 block">
              {t('webhooks.offWhy', { agent: names.get(endpoint.workflow_id) ?? '' })}{' '}
              <When at={endpoint.switched_off_at} />
            </span>
          </span>
          <Button onPress={() => setTurned(endpoint)}>{t('webhooks.turnOn')}</Button>
        </div>
      ))}
      {turned !== null && (
        <Confirm
          title={t('webhooks.turnOnTitle')}
          button={t('webhooks.turnOn')}
          isDanger={false}
          onClose={() => setTurned(null)}
          onConfirm={async () => {
            const { body } = await call('post', '/webhook-endpoints/{endpoint_id}/turn-on', {
              params: { endpoint_id: turned.id },
            });
            await queries.invalidateQueries({ queryKey: ['/webhook-endpoints'] });
            await refreshDeliveries();
            toast(t('webhooks.queued', { n: body.queued }));
          }}
        >
          <p className="[overflow-wrap:anywhere]">{t('webhooks.turnOnWhy', { url: turned.url })}</p>
        </Confirm>
      )}
    </>
  );
}

const stateToResend = (state: DeliveryState | undefined): DeliveryState => state ?? 'dead_letter';

function ResendMany({
  state,
  agent,
  names,
  onClose,
}: {
  state: DeliveryState | undefined;
  agent: number | undefined;
  names: ReadonlyMap<number, string>;
  onClose: () => void;
}) {
  const [filter] = useState(() => ({
    state: stateToResend(state),
    ...(agent === undefined ? {} : { workflow_id: agent }),
    to: new Date().toISOString(),
  }));
  const counted = useQuery({
    queryKey: ['count', filter],
    queryFn: async ({ signal }) => await countDeliveries(filter, signal),
    staleTime: Infinity,
  });
  const { data } = counted;
  const what = t('webhooks.resendWhat', {
    state: filter.state,
    agent: agent === undefined ? t('webhooks.allAgents') : (names.get(agent) ?? ''),
  });
  const n = data?.count ?? 0;
  return (
    <Confirm
      title={t('webhooks.resendManyTitle')}
      button={n === 0 ? t('webhooks.resend') : t('webhooks.resendN', { n, more: String(data?.isMore) })}
      isDanger={false}
      isBlocked={n === 0}
      onClose={onClose}
      onConfirm={async () => {
        const { body } = await call('post', '/webhook-deliveries/resend', { body: filter });
        await refreshDeliveries();
        toast(t('webhooks.queued', { n: body.queued }));
      }}
    >
      <p>{what}</p>
      <p role="status" className="text-ink mt-2 font-medium">
        {data === undefined
          ? t('webhooks.counting')
          : t('webhooks.willBeSent', { n, more: String(data.isMore) })}
      </p>
      <Refusal error={counted.error} />
    </Confirm>
  );
}
