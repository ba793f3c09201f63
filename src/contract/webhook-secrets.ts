import { z } from 'zod';
import { DateTime, ErrorBody, IdempotencyHeaders, notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** A secret that signs webhooks (contract 9.2, 9.4). */
export const WebhookSecret = z
  .object({
    id: z.string(),
    secret: z
      .string()
      .meta({ description: 'The secret, `whsec_…`, in the form that Standard Webhooks libraries take.' }),
    created_at: DateTime,
  })
  .meta({ id: 'WebhookSecret', description: 'A secret that signs every webhook of the organization.' });
export type WebhookSecret = z.infer<typeof WebhookSecret>;

export const RetiredWebhookSecret = z
  .object({ status: z.literal('retired'), id: z.string() })
  .meta({ id: 'RetiredWebhookSecret', description: 'Confirmation. The secret no longer signs webhooks.' });
export type RetiredWebhookSecret = z.infer<typeof RetiredWebhookSecret>;

const tag = 'Webhooks';
const path = '/organizations/webhook-secrets';

export const listWebhookSecrets = route({
  method: 'get',
  path,
  id: 'listWebhookSecrets',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'List webhook secrets',
  description: 'Returns the secrets in use, oldest first. Every webhook has one signature per secret.',
  answers: { 200: { description: 'The secrets in use.', schema: z.array(WebhookSecret) } },
});

export const createWebhookSecret = route({
  method: 'post',
  path,
  id: 'createWebhookSecret',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Create a webhook secret',
  description:
    'At most two secrets may be in use. To rotate, create a secret, configure it in the receivers, and retire the old one.',
  headers: IdempotencyHeaders,
  answers: {
    200: { description: 'The secret, which signs webhooks from now on.', schema: WebhookSecret },
    400: { description: 'Two secrets are already in use.', schema: ErrorBody },
  },
});

export const retireWebhookSecret = route({
  method: 'delete',
  path: `${path}/{secret_id}`,
  id: 'retireWebhookSecret',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Retire a webhook secret',
  description: 'The secret no longer signs webhooks. The last secret cannot be retired.',
  params: record({ secret_id: text() }),
  answers: {
    200: { description: 'Confirmation.', schema: RetiredWebhookSecret },
    400: { description: 'The secret is the only one.', schema: ErrorBody },
    404: notFound("No such secret in the caller's organization."),
  },
});
