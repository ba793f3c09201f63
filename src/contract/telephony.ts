import { z } from 'zod';
import { ErrorBody, FieldOrGraphError, IdempotencyHeaders, KeyHeaders, notFound } from './common.ts';
import { freeForm, record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

const phoneNumber = 'Digits with country code; a leading `+`, spaces, `-`, `.` and brackets are ignored.';
const choice = {
  telephony_configuration_id: integer().nullish().meta({
    description:
      "The carrier connection; absent = the organization's default one, else the first that is ready.",
  }),
  from_phone_number_id: integer()
    .nullish()
    .meta({ description: 'The number of that connection to show; absent = its default one.' }),
};

/** Contract 5.1. */
export const TriggerCallRequest = record({
  phone_number: text().meta({ description: phoneNumber }),
  initial_context: freeForm().nullish().meta({ description: "Values for the agent's templates." }),
  ...choice,
}).meta({ id: 'TriggerCallRequest', description: 'Whom to call.' });

/** Contract 5.1; keys after `workflow_run_name` are ours. */
export const TriggeredCall = z
  .object({
    status: z.literal('initiated'),
    workflow_run_id: z.int(),
    workflow_run_name: z.string(),
    call_id: z.string().meta({ description: "The call's uuid." }),
    version_number: z.int(),
    version_status: z.enum(['draft', 'published', 'archived']),
    temporal_workflow_id: z.string().meta({ description: 'Workflow Id of the call in Temporal.' }),
  })
  .meta({
    id: 'TriggeredCall',
    description: 'The carrier has taken the call; it does not say that anyone answered.',
  });
export type TriggeredCall = z.infer<typeof TriggeredCall>;

/** Contract 5.5. */
export const InitiateCallRequest = record({
  workflow_id: integer(),
  phone_number: text()
    .nullish()
    .meta({ description: `${phoneNumber} Absent = the organization's test number.` }),
  workflow_run_id: integer().nullish().meta({ description: 'A call that was made ahead.' }),
  ...choice,
  initial_context: freeForm()
    .nullish()
    .meta({ description: "Values for the agent's templates, over the test values." }),
}).meta({ id: 'InitiateCallRequest', description: 'A test call by phone.' });

/** Contract 5.5. */
export const InitiatedCall = z
  .object({ message: z.string(), workflow_run_id: z.int(), workflow_run_name: z.string() })
  .meta({
    id: 'InitiatedCall',
    description: "The carrier has taken the call. `message` ends with the call's name.",
  });
export type InitiatedCall = z.infer<typeof InitiatedCall>;

const tag = 'Calls by phone';
const refusals = {
  422: {
    description:
      'Field faults, among them a number that cannot be dialed (array), or a graph that cannot run (object).',
    schema: FieldOrGraphError,
  },
  429: {
    description:
      'The organization has as many calls as it may have at once, or there were too many requests; `Retry-After` says when to ask again.',
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
      description: 'There is no carrier connection that can dial, or it has no such number.',
      schema: ErrorBody,
    },
    404: notFound('No such agent, trigger or carrier connection, or one that is not active.'),
    ...refusals,
  },
} as const;
const byPath = {
  ...trigger,
  params: record({ trigger_path: text() }),
  answers: {
    ...trigger.answers,
    403: {
      description: "The trigger is another organization's, or the API key lacks the scope that this needs.",
      schema: ErrorBody,
    },
  },
} as const;
const byAgent = { ...trigger, params: record({ workflow_uuid: text() }) } as const;

export const callByPathTest = route({
  ...byPath,
  path: '/public/agent/test/{trigger_path}',
  id: 'triggerAgentTest',
  summary: 'Call with the draft of the agent of a trigger',
  description:
    'With the published version when there is no draft. Test values do not count. Also served without `/api/v1`.',
});

export const callByPath = route({
  ...byPath,
  path: '/public/agent/{trigger_path}',
  id: 'triggerAgent',
  summary: 'Call with the agent of a trigger',
  description: 'With the published version: the path must stand in it. Also served without `/api/v1`.',
});

export const callByAgentTest = route({
  ...byAgent,
  path: '/public/agent/test/workflow/{workflow_uuid}',
  id: 'triggerWorkflowTest',
  summary: 'Call with the draft of an agent',
  description:
    'With the published version when there is no draft. The agent needs no trigger. Also served without `/api/v1`.',
});

export const callByAgent = route({
  ...byAgent,
  path: '/public/agent/workflow/{workflow_uuid}',
  id: 'triggerWorkflow',
  summary: 'Call with an agent',
  description: 'With the published version. The agent needs no trigger. Also served without `/api/v1`.',
});

export const initiateCall = route({
  method: 'post',
  path: '/telephony/initiate-call',
  id: 'initiateCall',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  group: 'calls',
  summary: 'Make a test call by phone',
  description:
    'With the draft, or the published version when there is no draft, and its test values; a call that was made ahead keeps its version.',
  headers: IdempotencyHeaders,
  body: InitiateCallRequest,
  answers: {
    200: { description: 'The call.', schema: InitiatedCall },
    400: {
      description: 'There is no carrier connection that can dial, no number, or no such call made ahead.',
      schema: ErrorBody,
    },
    404: notFound("No such agent in the caller's organization, or it is not active."),
    409: { description: 'The call was begun already.', schema: ErrorBody },
    ...refusals,
  },
});
