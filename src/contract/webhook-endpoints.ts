import { z } from 'zod';
import { DateTime, IdempotencyHeaders, notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';
import { ResentWebhooks } from './webhook-deliveries.ts';

/** A webhook node whose endpoint answered 410 (contract 9.4). */
export const SwitchedOffEndpoint = z
  .object({
    id: z.string(),
    workflow_id: z.int(),
    node_id: z.string(),
    url: z.string(),
    switched_off_at: DateTime,
    delivery_id: z.string().meta({ description: 'Id of the delivery that the endpoint answered with 410.' }),
  })
  .meta({
    id: 'SwitchedOffEndpoint',
    description:
      'A webhook endpoint that is switched off. Nothing is sent to it, and its deliveries become dead letters.',
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
  summary: 'List switched-off webhook endpoints',
  description:
    'Returns the endpoints that are off, oldest first. An endpoint that answers 410 is switched off until it is turned on by a request.',
  answers: {
    200: { description: 'The endpoints.', schema: z.array(SwitchedOffEndpoint) },
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
  description:
    'Deliveries that became dead letters while the endpoint was off are sent, oldest first, one after another.',
  params: record({ endpoint_id: text() }),
  headers: IdempotencyHeaders,
  answers: {
    200: { description: 'The endpoint is on.', schema: ResentWebhooks },
    404: notFound("No such switched-off endpoint in the caller's organization."),
  },
});
