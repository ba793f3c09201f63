import { addWebhookSecret, listWebhookSecrets, retireWebhookSecret } from '../../services/identity/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import type { Handlers } from '../bind.ts';

type WebhookSecretRoute = 'listWebhookSecrets' | 'createWebhookSecret' | 'retireWebhookSecret';

/** Dependencies of these routes besides the caller's context. */
export type WebhookSecretRouteDeps = Pick<Parameters<typeof addWebhookSecret>[0], 'secrets'>;

/** Secrets that sign webhooks (contract 9.4). */
export function webhookSecretHandlers({
  secrets,
}: WebhookSecretRouteDeps): Pick<Handlers<ServiceContext>, WebhookSecretRoute> {
  return {
    listWebhookSecrets: ({ ctx }) => listWebhookSecrets({ ctx, secrets }),
    createWebhookSecret: ({ ctx }) => addWebhookSecret({ ctx, secrets }),
    retireWebhookSecret: ({ ctx, input: { params } }) =>
      retireWebhookSecret({ ctx, input: { uuid: params.secret_id } }),
  };
}
