import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { WebhookDelivery } from '../../../../src/contract/webhook-deliveries.ts';
import { get, queries } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { State } from '../../parts/badge.tsx';

const path = '/webhook-deliveries';

export const refreshDeliveries = async (): Promise<void> => {
  await queries.invalidateQueries({ queryKey: [path] });
  await queries.invalidateQueries({ queryKey: [`${path}/{delivery_uuid}`] });
};

const looks = { pending: 'draft', succeeded: 'published', dead_letter: 'bad' } as const;

/** The state of a delivery in words: what came of it, or when it is tried again. */
export function DeliveryBadge({ of }: { of: Pick<WebhookDelivery, 'state' | 'last_status_code'> }) {
  const { state, last_status_code: status } = of;
  return (
    <State is={looks[state]}>
      {state === 'dead_letter' && status !== null
        ? t('webhooks.refused', { status })
        : t(`webhooks.state.${state}`)}
    </State>
  );
}

/** Names of agents by id. */
export function useAgentNames(): ReadonlyMap<number, string> {
  const { data } = useQuery(get('/workflow/fetch', {}));
  return useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data]);
}
