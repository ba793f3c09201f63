import {
  getDelivery,
  listDeliveries,
  resendDeliveries,
  resendDelivery,
  type DeliveryFilter,
} from '../../services/webhooks/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import type { Handlers } from '../bind.ts';

type WebhookDeliveryRoute =
  | 'listWebhookDeliveries'
  | 'getWebhookDelivery'
  | 'resendWebhookDelivery'
  | 'resendWebhookDeliveries';

export interface WebhookDeliveryRouteDeps {
  deliveries: Parameters<typeof resendDelivery>[0]['starter'];
}

/** Deliveries, and sending them again (contract 9.4). */
export function webhookDeliveryHandlers({
  deliveries: starter,
}: WebhookDeliveryRouteDeps): Pick<Handlers<ServiceContext>, WebhookDeliveryRoute> {
  return {
    listWebhookDeliveries: ({ ctx, input: { query } }) =>
      listDeliveries({
        ctx,
        input: { filter: filterOf(query), cursor: query.cursor ?? null, limit: query.limit ?? 50 },
      }),
    getWebhookDelivery: ({ ctx, input: { params } }) =>
      getDelivery({ ctx, input: { uuid: params.delivery_uuid } }),
    resendWebhookDelivery: ({ ctx, input: { params } }) =>
      resendDelivery({ ctx, starter, input: { uuid: params.delivery_uuid } }),
    resendWebhookDeliveries: ({ ctx, input: { body } }) =>
      resendDeliveries({ ctx, starter, input: { filter: filterOf(body) } }),
  };
}

interface WireFilter {
  state?: DeliveryFilter['state'] | null | undefined;
  workflow_id?: number | null | undefined;
  node_id?: string | null | undefined;
  run_id?: number | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
}

function filterOf({ state, workflow_id, node_id, run_id, from, to }: WireFilter): DeliveryFilter {
  const timestamp = (text: string | null | undefined) => (text == null ? undefined : new Date(text));
  return {
    state: state ?? undefined,
    agentId: workflow_id ?? undefined,
    nodeId: node_id ?? undefined,
    callId: run_id ?? undefined,
    from: timestamp(from),
    to: timestamp(to),
  };
}
