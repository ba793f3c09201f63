import { z } from 'zod';
import { DateTime, ErrorBody, IdempotencyHeaders, notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { withoutNumbers } from './personal.ts';
import { route } from './route.ts';
import { ResentWebhooks } from './webhook-deliveries.ts';

/** A webhook node of an agent and its address (contract 9.4). */
export const WebhookEndpoint = z
  .object({
    id: z.string(),
    workflow_id: z.int(),
    workflow_name: z.string(),
    node_id: z.string(),
    node_name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the node. Null if the published version does not have it.' }),
    address: withoutNumbers(z.string()).meta({
      description: 'Host and path of the URL. Its query, which may carry a secret, is not shown.',
    }),
    is_published: z
      .boolean()
      .meta({ description: 'Whether the published version of the workflow sends to the endpoint.' }),
    state: z.enum(['healthy', 'failing', 'off', 'unused']).meta({
      description:
        '`failing`: the last attempt failed. `off`: it answered 410; nothing is sent to it, and its deliveries become dead letters. `unused`: no attempt in the last 30 days.',
    }),
    failing_since: DateTime.nullable().meta({
      description:
        'When the attempts began that have failed since the last success. Null if the last attempt succeeded.',
    }),
    switched_off_at: DateTime.nullable().meta({
      description: 'When the endpoint answered 410. Null if it is on.',
    }),
    delivery_id: z.string().nullable().meta({
      description: 'Id of the delivery that the endpoint answered with 410. Null if it is on.',
    }),
    waiting: z.int().meta({
      description: 'Pending deliveries, and, for an endpoint that is off, those that turning it on sends.',
    }),
    next_attempt_at: DateTime.nullable().meta({
      description:
        'When the first of its pending deliveries is attempted next. Null if no attempt is planned.',
    }),
    last_attempt_at: DateTime.nullable(),
    median_answer_ms: z
      .int()
      .nullable()
      .meta({ description: 'Median time of its answers in milliseconds. Null without an answer.' }),
    attempts: z
      .array(
        z.object({
          at: DateTime,
          result: z.enum(['ok', 'retried', 'failed']).meta({
            description: '`retried`: it failed, and a later attempt delivered the message.',
          }),
        }),
      )
      .meta({ description: 'The last 100 finished attempts of the last 30 days, oldest first.' }),
  })
  .meta({ id: 'WebhookEndpoint', description: 'A webhook node of a workflow and its address.' });
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

const headers = z.array(z.object({ name: z.string(), value: z.string() }));

export const WebhookEndpointTest = z
  .object({
    status: z
      .enum(['success', 'error'])
      .meta({ description: '`success` if the endpoint answered with a 2xx status.' }),
    status_code: z.int().nullable(),
    duration_ms: z.int(),
    error: z.string().nullable(),
    answer: z
      .string()
      .nullable()
      .meta({ description: 'The first 1024 bytes of the response. Null if there was none.' }),
    method: z.string(),
    address: z.string(),
    request_headers: headers.meta({ description: 'Headers of the request. Secrets are masked.' }),
    request_body: z.string().nullable(),
  })
  .meta({ id: 'WebhookEndpointTest', description: 'A test request and its response.' });
export type WebhookEndpointTest = z.infer<typeof WebhookEndpointTest>;

export const WebhookPreview = z
  .object({
    run_id: z.int(),
    method: z.string(),
    address: z.string(),
    request_headers: headers.meta({
      description:
        'Headers of the node. Values of headers that look secret are masked. Each attempt adds its own and that of the credential.',
    }),
    body: z.string().nullable(),
  })
  .meta({ id: 'WebhookPreview', description: 'The request that a webhook node would send for a run.' });
export type WebhookPreview = z.infer<typeof WebhookPreview>;

const tag = 'Webhooks';
const path = '/webhook-endpoints';
const EndpointPath = record({ endpoint_id: text() });
const unknown = notFound("No such endpoint in the caller's organization.");

export const listWebhookEndpoints = route({
  method: 'get',
  path,
  id: 'listWebhookEndpoints',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List webhook endpoints',
  description:
    'Returns the endpoints of published versions, those that got deliveries in the last 30 days, and those that are off: newest workflow first.',
  query: record({
    state: literal('healthy', 'failing', 'off', 'unused')
      .optional()
      .meta({ description: 'Only endpoints in this state.' }),
  }),
  answers: {
    200: { description: 'The endpoints.', schema: z.array(WebhookEndpoint) },
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
  params: EndpointPath,
  headers: IdempotencyHeaders,
  answers: {
    200: { description: 'The endpoint is on.', schema: ResentWebhooks },
    404: notFound("No such switched-off endpoint in the caller's organization."),
  },
});

export const testWebhookEndpoint = route({
  method: 'post',
  path: `${path}/{endpoint_id}/test`,
  id: 'testWebhookEndpoint',
  tag,
  auth: 'key',
  scope: 'webhooks:replay',
  summary: 'Test a webhook endpoint',
  description:
    'Sends one signed request with `"test": true` in its body and the header `X-Dograh-Test`, and waits up to 10 seconds. The response is 200 whatever the endpoint does. The request is not repeated and is not a delivery. `Idempotency-Key` is ignored, so each request sends one.',
  params: EndpointPath,
  answers: {
    200: { description: 'The request and its response.', schema: WebhookEndpointTest },
    404: unknown,
  },
});

export const previewWebhook = route({
  method: 'get',
  path: `${path}/{endpoint_id}/preview`,
  id: 'previewWebhook',
  tag,
  auth: 'key',
  scope: 'people:read',
  summary: 'Preview a webhook',
  description:
    'Returns the request that the published webhook node would send for a past run of its workflow. Nothing is sent.',
  params: EndpointPath,
  query: record({ run_id: integer() }),
  answers: {
    200: { description: 'The request.', schema: WebhookPreview },
    404: notFound("No such endpoint, or no such run of its workflow, in the caller's organization."),
    409: {
      description:
        'The published version does not send to the endpoint, the run has not begun, or its values were erased.',
      schema: ErrorBody,
    },
  },
});
