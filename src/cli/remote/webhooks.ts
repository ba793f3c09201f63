import type { WebhookDeliveryPage } from '../../contract/webhook-deliveries.ts';
import type { ApiClient } from './client.ts';

export interface WebhookApi {
  list(query: { state?: 'dead_letter'; limit: number; cursor?: string }): Promise<WebhookDeliveryPage>;
  /** Returns the secrets, `whsec_…`. */
  secrets(): Promise<string[]>;
  resend(deliveryUuid: string): Promise<number>;
  /** Sends dead letters created since then again. Returns their number. */
  resendFailed(since: Date): Promise<number>;
}

export function createWebhookApi(api: ApiClient): WebhookApi {
  return {
    list: async (query) => (await api.call('get', '/webhook-deliveries', { query })).body,
    secrets: async () =>
      (await api.call('get', '/organizations/webhook-secrets', {})).body.map(({ secret }) => secret),
    resend: async (uuid) =>
      (
        await api.call('post', '/webhook-deliveries/{delivery_uuid}/resend', {
          params: { delivery_uuid: uuid },
        })
      ).body.queued,
    resendFailed: async (since) =>
      (
        await api.call('post', '/webhook-deliveries/resend', {
          body: { state: 'dead_letter', from: since.toISOString() },
        })
      ).body.queued,
  };
}
