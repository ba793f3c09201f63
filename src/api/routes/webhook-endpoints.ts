import { listSwitchedOff, turnOnEndpoint } from '../../services/webhooks/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import type { Handlers } from '../bind.ts';
import type { WebhookDeliveryRouteDeps } from './webhook-deliveries.ts';

/** Endpoints that answered 410 (contract 9.4). */
export function webhookEndpointHandlers({
  deliveries: starter,
}: WebhookDeliveryRouteDeps): Pick<
  Handlers<ServiceContext>,
  'listSwitchedOffEndpoints' | 'turnOnWebhookEndpoint'
> {
  return {
    listSwitchedOffEndpoints: ({ ctx }) => listSwitchedOff({ ctx }),
    turnOnWebhookEndpoint: ({ ctx, input: { params } }) =>
      turnOnEndpoint({ ctx, starter, input: { endpointKey: params.endpoint_id } }),
  };
}
