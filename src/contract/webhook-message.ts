import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { AnyObject } from './common.ts';

/** The request that a webhook node sends after a call (contract 9.2, docs/webhooks.md). */
const CallCompletedHeaders = z.object({
  'webhook-id': z.string().meta({
    description: 'Id of the delivery, the same in every attempt. Use it to drop repeats.',
    examples: ['0b6f6f0e-53f4-4a5e-9b1b-0a4a1c1d6a11'],
  }),
  'webhook-timestamp': z.string().meta({
    description:
      'Time of the attempt in seconds since 1970. Refuse requests that are older than five minutes.',
    examples: ['1769854360'],
  }),
  'webhook-signature': z
    .string()
    .optional()
    .meta({
      description:
        '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. Several signatures, separated by spaces, while two secrets are in use. Absent if the organization has no secret.',
      examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
    }),
  'X-Dograh-Delivery-Id': z.string().meta({ description: 'Same value as `webhook-id`.' }),
  'X-Dograh-Delivery-Attempt': z
    .string()
    .meta({ description: 'Number of the attempt, counted from 1.', examples: ['1'] }),
  'X-Dograh-Workflow-Run-Id': z.string().meta({ description: 'Id of the call.', examples: ['501'] }),
});

const CallCompletedPayload = AnyObject.meta({
  id: 'CallCompletedPayload',
  description:
    'The rendered `payload_template` of the node, with `call_disposition` added if the template does not set it.',
});

const answers = {
  '2XX': { description: 'Accepted. The delivery has succeeded.' },
  '410': {
    description: 'Gone. The endpoint is switched off until it is turned on by a request.',
  },
  '429': {
    description:
      'Retried for about three days, as are 408, 409, 425 and a timeout of 20 s. `Retry-After` is honored.',
  },
  '5XX': { description: 'Retried for about three days.' },
  default: {
    description: 'Final. The delivery becomes a dead letter, which can be sent again by a request.',
  },
};

export const webhooks: ZodOpenApiPathsObject = {
  callCompleted: {
    post: {
      operationId: 'callCompleted',
      tags: ['Webhooks'],
      summary: 'A call has ended',
      description:
        'Sent by each enabled webhook node of the agent after a call, when data extraction and QA are done. The node sets method, URL, headers, credential and payload. Every request has the headers below and is signed according to Standard Webhooks.',
      security: [],
      requestParams: { header: CallCompletedHeaders },
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: CallCompletedPayload,
            examples: {
              rendered: {
                summary:
                  'From the template {"call": "{{workflow_run_id}}", "day": "{{gathered_context.day}}"}',
                value: { call: '501', day: 'Monday', call_disposition: 'user_qualified' },
              },
            },
          },
        },
      },
      responses: answers,
    },
  },
};
