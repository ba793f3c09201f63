import { z } from 'zod';
import { DateTime, ErrorBody, IdempotencyHeaders, notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** What webhooks are signed with (contract 9.2, 9.4). */
export const WebhookSecret = z
  .object({
    id: z.string(),
    secret: z.string().meta({ description: '`whsec_…`, as libraries of Standard Webhooks take it.' }),
    created_at: DateTime,
  })
  .meta({ id: 'WebhookSecret', description: 'A secret that signs every webhook of the organization.' });
export type WebhookSecret = z.infer<typeof WebhookSecret>;

export const RetiredWebhookSecret = z
  .object({ status: z.literal('retired'), id: z.string() })
  .meta({ id: 'RetiredWebhookSecret', description: 'The secret signs nothing any more.' });
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
  summary: 'List the secrets that sign webhooks',
  description: 'Oldest first. Every webhook carries one signature of each.',
  answers: { 200: { description: 'The secrets in use.', schema: z.array(WebhookSecret) } },
});

export const createWebhookSecret = route({
  method: 'post',
  path,
  id: 'createWebhookSecret',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Add a secret',
  description: 'To rotate: add one, let receivers know it, retire the old one. Two may be in use.',
  headers: IdempotencyHeaders,
  answers: {
    200: { description: 'Added; it signs from now on.', schema: WebhookSecret },
    400: { description: 'Two are in use already.', schema: ErrorBody },
  },
});

export const retireWebhookSecret = route({
  method: 'delete',
  path: `${path}/{secret_id}`,
  id: 'retireWebhookSecret',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Retire a secret',
  description: 'It signs nothing from now on. The last one stays.',
  params: record({ secret_id: text() }),
  answers: {
    200: { description: 'Retired.', schema: RetiredWebhookSecret },
    400: { description: 'It is the only one.', schema: ErrorBody },
    404: notFound("No such secret in the caller's organization."),
  },
});
