import { AlertTriangle, CheckCircle2, CircleDashed, OctagonAlert } from 'lucide-react';
import type { WebhookEndpoint } from '../../../../src/contract/webhook-endpoints.ts';
import { count, seconds } from '../../app/format.ts';
import { t } from '../../app/words.ts';
import { Tag } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { When } from '../../parts/when.tsx';
import { HealthStrip } from './health-strip.tsx';
import type { WebhooksSearch } from './search.ts';
import { clockOf, sinceOf } from './shared.tsx';

/** Where webhooks go, and how each address does. A press on one narrows the deliveries to it. */
export function Endpoints({
  endpoints,
  search,
  onTry,
}: {
  endpoints: readonly WebhookEndpoint[];
  search: WebhooksSearch;
  onTry: (endpoint: WebhookEndpoint) => void;
}) {
  return (
    <DataList
      label={t('webhooks.endpoints')}
      rows={endpoints}
      idOf={({ id }) => id}
      linkOf={({ id }) => ({
        to: '/webhooks',
        search: {
          ...search,
          endpoint: search.endpoint === id ? undefined : id,
          agent: undefined,
          delivery: undefined,
        },
      })}
      selectedId={search.endpoint ?? ''}
      columns={[
        {
          id: 'address',
          label: t('webhooks.endpoint'),
          cell: (endpoint) => (
            <>
              <span className="cut block" title={endpoint.address}>
                {endpoint.address}
              </span>
              <span className="endpoint-node text-hint text-12 cut font-normal">{nodeOf(endpoint)}</span>
            </>
          ),
        },
        {
          id: 'node',
          label: t('webhooks.agentNode'),
          isWide: true,
          cell: (endpoint) => (
            <span className="text-muted cut block" title={nodeOf(endpoint)}>
              {nodeOf(endpoint)}
            </span>
          ),
        },
        {
          id: 'strip',
          label: t('webhooks.lastAttempts'),
          isWide: true,
          cell: ({ attempts }) => <HealthStrip attempts={attempts} />,
        },
        {
          id: 'answers',
          label: t('webhooks.answersIn'),
          isNumber: true,
          isWide: true,
          cell: ({ median_answer_ms: ms }) =>
            ms === null ? <span className="text-hint">–</span> : seconds(ms),
        },
        {
          id: 'last',
          label: t('webhooks.last'),
          isNumber: true,
          isWide: true,
          cell: ({ last_attempt_at: at }) => (
            <span className="text-muted whitespace-nowrap">
              <When at={at} />
            </span>
          ),
        },
        {
          id: 'waiting',
          label: t('webhooks.waiting'),
          isNumber: true,
          isWide: true,
          cell: ({ waiting, next_attempt_at: next }) =>
            waiting === 0 ? (
              <span className="text-hint">–</span>
            ) : (
              <span className="inline-flex flex-wrap items-baseline justify-end gap-x-2">
                <span>{count(waiting)}</span>
                {next !== null && (
                  <span className="text-hint text-12 whitespace-nowrap">
                    {t('webhooks.nextAt', { at: clockOf(next) })}
                  </span>
                )}
              </span>
            ),
        },
        {
          id: 'state',
          label: t('webhooks.state'),
          cell: (endpoint) => (
            <span className="endpoint-state">
              <EndpointState of={endpoint} />
              {endpoint.state === 'off' && (
                <Button size="xs" needs="webhooks:replay" onPress={() => onTry(endpoint)}>
                  {t('webhooks.tryTurnOn')}
                </Button>
              )}
            </span>
          ),
        },
      ]}
    />
  );
}

/** `Agent › node`, as people know it. */
export const nodeOf = ({ workflow_name: agent, node_name: name, node_id: id }: WebhookEndpoint): string =>
  `${agent} › ${name ?? id}`;

/** How an endpoint does: shape, word and color. */
export function EndpointState({ of }: { of: WebhookEndpoint }) {
  switch (of.state) {
    case 'healthy':
      return (
        <Tag is="ok" icon={CheckCircle2}>
          {t('webhooks.healthy')}
        </Tag>
      );
    case 'failing':
      return (
        <Tag is="warn" icon={AlertTriangle}>
          {t('webhooks.failingSince', { at: sinceOf(of.failing_since ?? '') })}
        </Tag>
      );
    case 'off':
      return (
        <Tag is="bad" icon={OctagonAlert}>
          {t('webhooks.offSince', { at: sinceOf(of.switched_off_at ?? '') })}
        </Tag>
      );
    case 'unused':
      return (
        <Tag is="machine" icon={CircleDashed}>
          {t('webhooks.unused')}
        </Tag>
      );
  }
}
