import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { AnyObject } from './common.ts';

/** What a webhook node sends when a call has ended (contract 9.2; docs/webhooks.md). */
const CallCompletedHeaders = z.object({
  'webhook-id': z.string().meta({
    description: 'The delivery; the same in every attempt. Drop what you have seen.',
    examples: ['0b6f6f0e-53f4-4a5e-9b1b-0a4a1c1d6a11'],
  }),
  'webhook-timestamp': z.string().meta({
    description: 'Seconds since 1970 of this attempt. Refuse what is older than five minutes.',
    examples: ['1769854360'],
  }),
  'webhook-signature': z
    .string()
    .optional()
    .meta({
      description:
        '`v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`; several, divided by blanks, while secrets rotate. Absent when the organization has no secret.',
      examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
    }),
  'X-Dograh-Delivery-Id': z.string().meta({ description: 'The same as `webhook-id`.' }),
  'X-Dograh-Delivery-Attempt': z
    .string()
    .meta({ description: '1, 2, …; grows with every attempt.', examples: ['1'] }),
  'X-Dograh-Workflow-Run-Id': z.string().meta({ description: 'Id of the call.', examples: ['501'] }),
});

const CallCompletedPayload = AnyObject.meta({
  id: 'CallCompletedPayload',
  description: "What the node's `payload_template` makes of the call; without a template an empty object.",
});

const answers = {
  '2XX': { description: 'Taken. The delivery has succeeded.' },
  '410': {
    description: 'Nobody will ever take it: the endpoint is switched off until somebody turns it on.',
  },
  '429': {
    description:
      'Tried again, for about three days, as with 408, 409, 425 and silence of 20 s. `Retry-After` is honored.',
  },
  '5XX': { description: 'Tried again, for about three days.' },
  default: { description: 'Final: the delivery is a dead letter, which can be sent again by hand.' },
};

export const webhooks: ZodOpenApiPathsObject = {
  callCompleted: {
    post: {
      operationId: 'callCompleted',
      tags: ['Webhooks'],
      summary: 'A call has ended',
      description:
        "Sent by each enabled webhook node of the agent, once its data is extracted and judged. Method, address, headers, credential and payload are the node's; this is what every such request has. Signed by Standard Webhooks.",
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
                  'Of the template {"call": "{{workflow_run_id}}", "day": "{{gathered_context.day}}", "outcome": "{{disposition_code}}"}',
                value: { call: 501, day: 'Monday', outcome: 'user_qualified' },
              },
            },
          },
        },
      },
      responses: answers,
    },
  },
};
