import { z } from 'zod';
import { DateTime, ErrorBody, IdempotencyHeaders, limitRule, timestampPattern, notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { route } from './route.ts';

const DeliveryState = z.enum(['pending', 'succeeded', 'dead_letter']);

/** A message to a customer's webhook address (contract 9.4). */
const deliveryFields = {
  id: z
    .string()
    .meta({ description: 'Also the headers `webhook-id` and `X-Dograh-Delivery-Id` of every attempt.' }),
  workflow_id: z.int(),
  run_id: z.int(),
  node_id: z.string(),
  state: DeliveryState,
  method: z.string(),
  url: z.string(),
  attempt_count: z.int(),
  last_status_code: z.int().nullable(),
  last_error: z
    .string()
    .nullable()
    .meta({ description: 'Why the last attempt failed, or why there will be none.' }),
  next_attempt_at: DateTime.nullable(),
  created_at: DateTime,
  finished_at: DateTime.nullable(),
  erased_at: DateTime.nullable().meta({
    description: 'When the body was erased, by retention or for a person; it cannot be sent again.',
  }),
};

export const WebhookDelivery = z.object(deliveryFields).meta({
  id: 'WebhookDelivery',
  description: "One message to a customer's webhook address; one per call and webhook node.",
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveryPage = z
  .object({
    items: z.array(WebhookDelivery),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'What `cursor` takes to get the next page; null on the last one.' }),
    has_more: z.boolean(),
  })
  .meta({ id: 'WebhookDeliveryPage', description: 'Deliveries, newest first.' });
export type WebhookDeliveryPage = z.infer<typeof WebhookDeliveryPage>;

export const WebhookDeliveryAttempt = z
  .object({
    number: z.int().meta({ description: 'Header `X-Dograh-Delivery-Attempt`.' }),
    state: z.enum(['started', 'succeeded', 'failed']),
    started_at: DateTime,
    duration_ms: z.int().nullable(),
    status_code: z.int().nullable(),
    error: z.string().nullable(),
    response_excerpt: z.string().nullable().meta({ description: 'The first 8 kB of the answer.' }),
  })
  .meta({ id: 'WebhookDeliveryAttempt', description: 'One try to hand a delivery over.' });

export const WebhookDeliveryDetail = z
  .object({
    ...deliveryFields,
    request_headers: z.array(z.object({ name: z.string(), value: z.string() })).meta({
      description:
        'Headers that are the same in every attempt. Values of headers that look secret are masked. Each attempt adds its number, its moment, its signatures and the header of the credential.',
    }),
    credential_uuid: z
      .string()
      .nullable()
      .meta({ description: 'The credential that each attempt looks up.' }),
    body: z.string().nullable().meta({
      description:
        'The exact bytes that every attempt sends; null for GET and DELETE, and once it was erased.',
    }),
    attempts: z.array(WebhookDeliveryAttempt).meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'WebhookDeliveryDetail', description: 'A delivery with every attempt.' });
export type WebhookDeliveryDetail = z.infer<typeof WebhookDeliveryDetail>;

/** Which deliveries; every field narrows. */
const filterFields = {
  state: literal('pending', 'succeeded', 'dead_letter').nullish(),
  workflow_id: integer().nullish(),
  run_id: integer().nullish(),
  from: text({ pattern: timestampPattern })
    .nullish()
    .meta({ description: 'Created at this moment or later; ISO 8601 with a zone.' }),
  to: text({ pattern: timestampPattern })
    .nullish()
    .meta({ description: 'Created before this moment; ISO 8601 with a zone.' }),
};

export const ListWebhookDeliveriesQuery = record({
  ...filterFields,
  cursor: text({ pattern: '^[0-9]{1,15}$' })
    .optional()
    .meta({ description: '`next_cursor` of the page before.' }),
  limit: integer(limitRule)
    .optional()
    .meta({ override: { default: 50 } }),
});

/** The filter of the list, as a body; something must narrow it. */
export const ResendWebhookDeliveriesRequest = record(filterFields).meta({
  id: 'ResendWebhookDeliveriesRequest',
  description: 'Which deliveries are sent again; at least one field.',
});

export const ResentWebhooks = z
  .object({ queued: z.int() })
  .meta({ id: 'ResentWebhooks', description: 'How many deliveries will be sent again.' });
export type ResentWebhooks = z.infer<typeof ResentWebhooks>;

const tag = 'Webhooks';
const path = '/webhook-deliveries';

export const listWebhookDeliveries = route({
  method: 'get',
  path,
  id: 'listWebhookDeliveries',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List webhook deliveries',
  description: 'Newest first. Deliveries that are added meanwhile never move a page.',
  query: ListWebhookDeliveriesQuery,
  answers: { 200: { description: 'One page of deliveries.', schema: WebhookDeliveryPage } },
});

export const getWebhookDelivery = route({
  method: 'get',
  path: `${path}/{delivery_uuid}`,
  id: 'getWebhookDelivery',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read one webhook delivery',
  description: 'With every attempt and what it sends.',
  params: record({ delivery_uuid: text() }),
  answers: {
    200: { description: 'The delivery.', schema: WebhookDeliveryDetail },
    404: notFound("No such delivery in the caller's organization."),
  },
});

export const resendWebhookDelivery = route({
  method: 'post',
  path: `${path}/{delivery_uuid}/resend`,
  id: 'resendWebhookDelivery',
  tag,
  auth: 'key',
  scope: 'webhooks:replay',
  summary: 'Send one webhook again',
  description:
    'A new attempt of the same delivery, at once: same id, same bytes, fresh signature. When it fails, the schedule begins anew. A delivery that waits for its next attempt is attempted now.',
  params: record({ delivery_uuid: text() }),
  headers: IdempotencyHeaders,
  answers: {
    200: { description: 'It is on its way.', schema: ResentWebhooks },
    404: notFound("No such delivery in the caller's organization."),
    409: { description: 'Its body was erased, or its endpoint answered 410 and is off.', schema: ErrorBody },
  },
});

export const resendWebhookDeliveries = route({
  method: 'post',
  path: `${path}/resend`,
  id: 'resendWebhookDeliveries',
  tag,
  auth: 'key',
  scope: 'webhooks:replay',
  summary: 'Send many webhooks again',
  description:
    'Oldest first, each after the attempt of the one before. At most 10,000; those that are added meanwhile stay out.',
  headers: IdempotencyHeaders,
  body: ResendWebhookDeliveriesRequest,
  answers: {
    200: { description: 'They are on their way.', schema: ResentWebhooks },
    400: { description: 'The filter narrows nothing, or finds too many.', schema: ErrorBody },
  },
});
