import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../app/api.ts';
import { nowDate } from '../../app/clock.ts';
import { t } from '../../app/words.ts';
import { Confirm, Refusal } from '../../parts/action.tsx';
import { toast } from '../../parts/toast.tsx';
import { countDeliveries } from './count-deliveries.ts';
import type { DeliveryState } from './search.ts';
import { refreshDeliveries } from './shared.tsx';

/** Says how many deliveries would be sent again, and sends them. */
export function ResendMany({
  state = 'dead_letter',
  place,
  bounds,
  of,
  onResent,
  onClose,
}: {
  state: DeliveryState | undefined;
  place: { workflow_id?: number; node_id?: string; run_id?: number };
  /** When they were made. */
  bounds: { from?: string; to?: string };
  /** The agent, or agent and node, in words. */
  of: string;
  onResent: () => void;
  onClose: () => void;
}) {
  // Those that are made meanwhile are not among the counted ones.
  const [filter] = useState(() => ({ state, ...place, to: nowDate().toISOString(), ...bounds }));
  const counted = useQuery({
    queryKey: ['count', filter],
    queryFn: async ({ signal }) => await countDeliveries(filter, signal),
    staleTime: Infinity,
  });
  const { data } = counted;
  const n = data?.count ?? 0;
  const more = String(data?.isMore ?? false);
  return (
    <Confirm
      title={t('webhooks.resendManyTitle')}
      button={n === 0 ? t('webhooks.resend') : t('webhooks.resendN', { n, more })}
      isDanger={false}
      isBlocked={n === 0}
      onClose={onClose}
      onConfirm={async () => {
        const { body } = await call('post', '/webhook-deliveries/resend', { body: filter });
        onResent();
        await refreshDeliveries();
        toast(t('webhooks.queued', { n: body.queued }));
      }}
    >
      <p>{t('webhooks.resendWhat', { state, of })}</p>
      <p role="status" className="text-ink mt-2 font-medium">
        {data === undefined ? t('webhooks.counting') : t('webhooks.willBeSent', { n, more })}
      </p>
      <Refusal error={counted.error} />
    </Confirm>
  );
}
