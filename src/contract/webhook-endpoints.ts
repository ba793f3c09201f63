import { z } from 'zod';
import { DateTime, IdempotencyHeaders, notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';
import { ResentWebhooks } from './webhook-deliveries.ts';

/** A webhook node whose address answered 410 (contract 9.4). */
export const SwitchedOffEndpoint = z
  .object({
    id: z.string(),
    workflow_id: z.int(),
    node_id: z.string(),
    url: z.string(),
    switched_off_at: DateTime,
    delivery_id: z.string().meta({ description: 'The delivery that was answered 410.' }),
  })
  .meta({
    id: 'SwitchedOffEndpoint',
    description:
      'A webhook node and its address, to which nothing is sent. Its deliveries become dead letters that say so.',
  });
export type SwitchedOffEndpoint = z.infer<typeof SwitchedOffEndpoint>;

const tag = 'Webhooks';
const path = '/webhook-endpoints';

export const listSwitchedOffEndpoints = route({
  method: 'get',
  path,
  id: 'listSwitchedOffWebhookEndpoints',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List the webhook endpoints that are off',
  description: 'An endpoint that answers 410 is switched off until somebody turns it on.',
  answers: {
    200: { description: 'The endpoints that are off, oldest first.', schema: z.array(SwitchedOffEndpoint) },
  },
});

export const turnOnWebhookEndpoint = route({
  method: 'post',
  path: `${path}/{endpoint_id}/turn-on`,
  id: 'turnOnWebhookEndpoint',
  tag,
  auth: 'key',
  scope: 'webhooks:replay',
  summary: 'Turn a webhook endpoint on',
  description: 'What became a dead letter while it was off is sent, oldest first, one after another.',
  params: record({ endpoint_id: text() }),
  headers: IdempotencyHeaders,
  answers: {
    200: { description: 'It is on.', schema: ResentWebhooks },
    404: notFound("No such endpoint of the caller's organization was switched off."),
  },
});
