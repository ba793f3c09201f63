import { z } from 'zod';
import { DateTime, ErrorBody, IdempotencyHeaders, limitRule, timestampPattern, notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { masked, withoutNumbers } from './personal.ts';
import { route } from './route.ts';

const DeliveryState = z.enum(['pending', 'succeeded', 'dead_letter']);

/** A message to a customer's webhook endpoint (contract 9.4). */
const deliveryFields = {
  id: z.string().meta({
    description:
      'Uuid of the delivery. Every attempt sends it in the headers `webhook-id` and `X-Dograh-Delivery-Id`.',
  }),
  workflow_id: z.int(),
  run_id: z.int(),
  node_id: z.string(),
  state: DeliveryState,
  method: z.string(),
  url: masked(z.string()),
  attempt_count: z.int(),
  last_status_code: z.int().nullable(),
  last_error: withoutNumbers(z.string().nullable()).meta({
    description: 'Why the last attempt failed, or why no attempt will be made. Null if there was no error.',
  }),
  next_attempt_at: DateTime.nullable(),
  created_at: DateTime,
  finished_at: DateTime.nullable(),
  erased_at: DateTime.nullable().meta({
    description:
      'When the body was erased, by retention, by request or by the erasure of a person. Such a delivery cannot be sent again. Null if it was not.',
  }),
};

export const WebhookDelivery = z.object(deliveryFields).meta({
  id: 'WebhookDelivery',
  description: "A message to a customer's webhook endpoint. Each webhook node sends one per call.",
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveryPage = z
  .object({
    items: z.array(WebhookDelivery),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Value of `cursor` for the next page. Null on the last page.' }),
    has_more: z.boolean(),
  })
  .meta({ id: 'WebhookDeliveryPage', description: 'A page of deliveries, newest first.' });
export type WebhookDeliveryPage = z.infer<typeof WebhookDeliveryPage>;

export const WebhookDeliveryAttempt = z
  .object({
    number: z
      .int()
      .meta({ description: 'Number of the attempt, also in the header `X-Dograh-Delivery-Attempt`.' }),
    state: z.enum(['started', 'succeeded', 'failed']),
    started_at: DateTime,
    duration_ms: z.int().nullable(),
    status_code: z.int().nullable(),
    error: withoutNumbers(z.string().nullable()),
    response_excerpt: masked(z.string().nullable()).meta({
      description: 'The first 8 kB of the response. Null if there was none.',
    }),
  })
  .meta({ id: 'WebhookDeliveryAttempt', description: 'An attempt of a delivery.' });

export const WebhookDeliveryDetail = z
  .object({
    ...deliveryFields,
    request_headers: z.array(z.object({ name: z.string(), value: masked(z.string()) })).meta({
      description:
        'Headers that are the same in every attempt. Values of headers that look secret are masked. Each attempt adds its number, timestamp, signatures and the header of the credential.',
    }),
    credential_uuid: z
      .string()
      .nullable()
      .meta({ description: 'Uuid of the credential, which is looked up at each attempt. Null if none.' }),
    body: masked(z.string().nullable()).meta({
      description: 'Body that every attempt sends. Null for GET and DELETE, and after it was erased.',
    }),
    attempts: z.array(WebhookDeliveryAttempt).meta({ description: 'Attempts, oldest first.' }),
  })
  .meta({ id: 'WebhookDeliveryDetail', description: 'A delivery with every attempt.' });
export type WebhookDeliveryDetail = z.infer<typeof WebhookDeliveryDetail>;

/** Filters, combined with AND. */
const filterFields = {
  state: literal('pending', 'succeeded', 'dead_letter').nullish(),
  workflow_id: integer().nullish(),
  node_id: text({ max: 255 }).nullish().meta({ description: 'Only deliveries of the webhook node.' }),
  run_id: integer().nullish(),
  from: text({ pattern: timestampPattern })
    .nullish()
    .meta({ description: 'Only deliveries created at this timestamp or later: ISO 8601 with a time zone.' }),
  to: text({ pattern: timestampPattern })
    .nullish()
    .meta({ description: 'Only deliveries created before this timestamp: ISO 8601 with a time zone.' }),
};

export const ListWebhookDeliveriesQuery = record({
  ...filterFields,
  cursor: text({ pattern: '^[0-9]{1,15}$' })
    .optional()
    .meta({ description: '`next_cursor` of the previous page.' }),
  limit: integer(limitRule)
    .optional()
    .meta({ override: { default: 50 } }),
});

/** The filters of the list as a body. At least one is required. */
export const ResendWebhookDeliveriesRequest = record(filterFields).meta({
  id: 'ResendWebhookDeliveriesRequest',
  description: 'Filters of the deliveries to send again. At least one is required.',
});

export const ResentWebhooks = z
  .object({ queued: z.int() })
  .meta({ id: 'ResentWebhooks', description: 'Number of deliveries to be sent again.' });
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
  description: 'Returns deliveries, newest first. New deliveries do not shift the pages.',
  query: ListWebhookDeliveriesQuery,
  answers: { 200: { description: 'A page of deliveries.', schema: WebhookDeliveryPage } },
});

export const getWebhookDelivery = route({
  method: 'get',
  path: `${path}/{delivery_uuid}`,
  id: 'getWebhookDelivery',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get a webhook delivery',
  description: 'Returns the delivery with its body and all attempts.',
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
  summary: 'Resend a webhook delivery',
  description:
    'Makes a new attempt at once, with the same id and body and a new signature. If it fails, the schedule of attempts begins again. A pending delivery is attempted now.',
  params: record({ delivery_uuid: text() }),
  headers: IdempotencyHeaders,
  answers: {
    200: { description: 'The delivery will be sent.', schema: ResentWebhooks },
    404: notFound("No such delivery in the caller's organization."),
    409: {
      description: 'The body was erased, or the endpoint answered 410 and is switched off.',
      schema: ErrorBody,
    },
  },
});

export const resendWebhookDeliveries = route({
  method: 'post',
  path: `${path}/resend`,
  id: 'resendWebhookDeliveries',
  tag,
  auth: 'key',
  scope: 'webhooks:replay',
  summary: 'Resend webhook deliveries',
  description:
    'Sends up to 10,000 deliveries again, oldest first, one after another. Deliveries created after the request are not included.',
  headers: IdempotencyHeaders,
  body: ResendWebhookDeliveriesRequest,
  answers: {
    200: { description: 'The deliveries will be sent.', schema: ResentWebhooks },
    400: { description: 'There is no filter, or more than 10,000 deliveries match.', schema: ErrorBody },
  },
});
