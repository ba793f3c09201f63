import { previewWebhook } from '../../services/calls/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import {
  listEndpoints,
  testEndpoint,
  turnOnEndpoint,
  type EndpointTestDeps,
} from '../../services/webhooks/index.ts';
import type { Handlers } from '../bind.ts';
import type { WebhookDeliveryRouteDeps } from './webhook-deliveries.ts';

type WebhookEndpointRoute =
  | 'listWebhookEndpoints'
  | 'turnOnWebhookEndpoint'
  | 'testWebhookEndpoint'
  | 'previewWebhook';

export interface WebhookEndpointRouteDeps extends WebhookDeliveryRouteDeps, EndpointTestDeps {
  publicUrl: string;
}

/** Endpoints of webhook nodes (contract 9.4). */
export function webhookEndpointHandlers({
  deliveries: starter,
  http,
  secrets,
  sign,
  publicUrl,
}: WebhookEndpointRouteDeps): Pick<Handlers<ServiceContext>, WebhookEndpointRoute> {
  return {
    listWebhookEndpoints: ({ ctx, input: { query } }) =>
      listEndpoints({ ctx, input: { state: query.state ?? null } }),
    turnOnWebhookEndpoint: ({ ctx, input: { params } }) =>
      turnOnEndpoint({ ctx, starter, input: { endpointKey: params.endpoint_id } }),
    testWebhookEndpoint: ({ ctx, input: { params } }) =>
      testEndpoint({
        ctx,
        deps: { http, secrets, sign },
        input: { endpointKey: params.endpoint_id },
      }),
    previewWebhook: ({ ctx, input: { params, query } }) =>
      previewWebhook({
        ctx,
        publicUrl,
        input: { endpointKey: params.endpoint_id, callId: query.run_id },
      }),
  };
}
