import { z } from 'zod';
import { ErrorBody, FieldOrGraphError, IdempotencyHeaders, KeyHeaders, notFound } from './common.ts';
import { freeForm, record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

const phoneNumber =
  'Number to call: digits with country code. A leading `+`, spaces, `-`, `.` and parentheses are ignored.';
const choice = {
  telephony_configuration_id: integer().nullish().meta({
    description:
      "Id of the connection. Defaults to the organization's default connection, otherwise to the first that is ready.",
  }),
  from_phone_number_id: integer().nullish().meta({
    description: 'Id of the phone number to show. Defaults to the default caller of the connection.',
  }),
};

/** Contract 5.1. */
export const TriggerCallRequest = record({
  phone_number: text().meta({ description: phoneNumber }),
  initial_context: freeForm()
    .nullish()
    .meta({ description: "Initial values of the call, for the agent's templates." }),
  ...choice,
}).meta({ id: 'TriggerCallRequest', description: 'A call to make.' });

/** Contract 5.1. The fields after `workflow_run_name` are additions. */
export const TriggeredCall = z
  .object({
    status: z.literal('initiated'),
    workflow_run_id: z.int(),
    workflow_run_name: z.string(),
    call_id: z.string().meta({ description: 'Uuid of the call.' }),
    version_number: z.int(),
    version_status: z.enum(['draft', 'published', 'archived']),
    temporal_workflow_id: z.string().meta({ description: 'Workflow Id of the call in Temporal.' }),
  })
  .meta({
    id: 'TriggeredCall',
    description: 'The started call. It may not be answered yet.',
  });
export type TriggeredCall = z.infer<typeof TriggeredCall>;

/** Contract 5.5. */
export const InitiateCallRequest = record({
  workflow_id: integer(),
  phone_number: text()
    .nullish()
    .meta({ description: `${phoneNumber} Defaults to the organization's test number.` }),
  workflow_run_id: integer().nullish().meta({ description: 'Id of a call that was created to begin later.' }),
  ...choice,
  initial_context: freeForm().nullish().meta({
    description: "Initial values of the call, for the agent's templates. They override the test values.",
  }),
}).meta({ id: 'InitiateCallRequest', description: 'A test call by phone.' });

/** Contract 5.5. */
export const InitiatedCall = z
  .object({ message: z.string(), workflow_run_id: z.int(), workflow_run_name: z.string() })
  .meta({
    id: 'InitiatedCall',
    description: 'The started call. `message` ends with the name of the call.',
  });
export type InitiatedCall = z.infer<typeof InitiatedCall>;

const tag = 'Calls by phone';
const refusals = {
  422: {
    description:
      'Field faults, including a number that cannot or may not be dialed (array), or a graph that cannot run (object).',
    schema: FieldOrGraphError,
  },
  429: {
    description:
      'The organization has reached its limit of concurrent calls or a daily limit, or there were too many requests. Retry after `Retry-After` seconds.',
    schema: ErrorBody,
  },
};
const trigger = {
  method: 'post',
  tag,
  auth: 'key_header',
  scope: 'calls:trigger',
  group: 'calls',
  alsoBare: true,
  headers: KeyHeaders,
  body: TriggerCallRequest,
  answers: {
    200: { description: 'The call.', schema: TriggeredCall },
    400: {
      description: 'No connection can dial, or the connection has no such number.',
      schema: ErrorBody,
    },
    404: notFound('No such agent, trigger or connection, or it is not active.'),
    ...refusals,
  },
} as const;
const byPath = {
  ...trigger,
  params: record({ trigger_path: text() }),
  answers: {
    ...trigger.answers,
    403: {
      description: 'The trigger belongs to another organization, or the API key lacks the required scope.',
      schema: ErrorBody,
    },
  },
} as const;
const byAgent = { ...trigger, params: record({ workflow_uuid: text() }) } as const;

export const callByPathTest = route({
  ...byPath,
  path: '/public/agent/test/{trigger_path}',
  id: 'triggerAgentTest',
  summary: 'Start a test call by trigger path',
  description:
    'Uses the draft, or the published version if there is no draft, without its test values. Also served without `/api/v1`.',
});

export const callByPath = route({
  ...byPath,
  path: '/public/agent/{trigger_path}',
  id: 'triggerAgent',
  summary: 'Start a call by trigger path',
  description:
    'Uses the published version, which must have a trigger with this path. Also served without `/api/v1`.',
});

export const callByAgentTest = route({
  ...byAgent,
  path: '/public/agent/test/workflow/{workflow_uuid}',
  id: 'triggerWorkflowTest',
  summary: 'Start a test call by agent uuid',
  description:
    'Uses the draft, or the published version if there is no draft, without its test values. The agent needs no trigger. Also served without `/api/v1`.',
});

export const callByAgent = route({
  ...byAgent,
  path: '/public/agent/workflow/{workflow_uuid}',
  id: 'triggerWorkflow',
  summary: 'Start a call by agent uuid',
  description: 'Uses the published version. The agent needs no trigger. Also served without `/api/v1`.',
});

export const initiateCall = route({
  method: 'post',
  path: '/telephony/initiate-call',
  id: 'initiateCall',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  group: 'calls',
  summary: 'Start a test call by phone',
  description:
    'Uses the draft, or the published version if there is no draft, with its test values. A call that was created to begin later keeps its version.',
  headers: IdempotencyHeaders,
  body: InitiateCallRequest,
  answers: {
    200: { description: 'The call.', schema: InitiatedCall },
    400: {
      description:
        'No connection can dial, there is no number to call or to show, or no such call was created.',
      schema: ErrorBody,
    },
    404: notFound("No such agent in the caller's organization, or it is not active."),
    409: { description: 'The call has already begun.', schema: ErrorBody },
    ...refusals,
  },
});
