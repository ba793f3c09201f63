import { z } from 'zod';
import { Author, DateTime, ErrorBody, IdempotencyHeaders, notFound, PathInteger } from './common.ts';
import { record } from './lax/collections.ts';
import { boolean, integer } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** Routes for those who follow a spoken call (contract 6.12), additions to the published interface. */

const RequestedIntervention = z
  .object({
    id: z.uuid().meta({ description: 'Id of the entry in the audit log.' }),
    action: z
      .enum(['hang_up', 'say', 'whisper', 'goto', 'transfer', 'pause', 'resume'])
      .meta({ description: 'What was asked for.' }),
    requested_at: DateTime.meta({ description: 'When it was asked for.' }),
  })
  .meta({ id: 'RequestedIntervention', description: 'What the call was asked to do.' });
export type RequestedIntervention = z.infer<typeof RequestedIntervention>;

export const Intervened = z
  .object({ ...RequestedIntervention.shape, requested_by: Author })
  .meta({ id: 'Intervened', description: 'What somebody asked of the call, without the words.' });
export type Intervened = z.infer<typeof Intervened>;

const shared = {
  method: 'post',
  tag: 'Calls',
  auth: 'key',
  scope: 'calls:trigger',
  params: record({ workflow_id: PathInteger, run_id: PathInteger }),
  headers: IdempotencyHeaders,
} as const;

const answers = {
  202: { description: 'The call was asked.', schema: RequestedIntervention },
  404: notFound("No such call of this agent in the caller's organization."),
  409: { description: 'The call is not one that can do this now; `detail` says why.', schema: ErrorBody },
} as const;

export const hangUpRun = route({
  ...shared,
  path: '/workflow/{workflow_id}/runs/{run_id}/hangup',
  id: 'hangUpWorkflowRun',
  summary: 'Hang up a call',
  description:
    'Ends a phone or browser call, also one that rings. It gets its record and its webhooks, with the disposition `system_cancelled`.',
  body: record({
    politely: boolean()
      .optional()
      .meta({
        override: { default: false },
        description: 'Whether the agent says goodbye first. A call that is not answered ends at once.',
      }),
  }).meta({ id: 'HangUpRequest', description: 'How to hang up.' }),
  answers,
});

export const sayInRun = route({
  ...shared,
  path: '/workflow/{workflow_id}/runs/{run_id}/say',
  id: 'sayInWorkflowRun',
  summary: 'Let the agent say a line',
  description:
    'The agent breaks off, says the line in its own voice, and listens. A person who speaks may finish first, for up to two seconds.',
  body: record({
    text: text({ min: 1, max: 1000 }).meta({ description: 'The line.', examples: ['One moment, please.'] }),
  }).meta({ id: 'SayRequest', description: 'What the agent is to say.' }),
  answers,
});

export const whisperInRun = route({
  ...shared,
  path: '/workflow/{workflow_id}/runs/{run_id}/whisper',
  id: 'whisperInWorkflowRun',
  summary: 'Give the model a note',
  description:
    'The model gets the note with its next question, and with each further one until the conversation leaves the node. The caller does not hear it.',
  body: record({
    text: text({ min: 1, max: 2000 }).meta({
      description: 'The note.',
      examples: ['Offer the appointment on Friday.'],
    }),
  }).meta({ id: 'WhisperRequest', description: 'What the model is to know.' }),
  answers,
});

export const moveRun = route({
  ...shared,
  path: '/workflow/{workflow_id}/runs/{run_id}/goto',
  id: 'moveWorkflowRun',
  summary: 'Move a call to a node',
  description:
    'The agent breaks off, and the conversation goes on at the node. An agent that is paused speaks again.',
  body: record({
    node_id: text({ min: 1, max: 255 }).meta({
      description: 'Id of a node of the version that the call is pinned to.',
    }),
  }).meta({ id: 'MoveRunRequest', description: 'Where the conversation is to go on.' }),
  answers,
});

export const transferRun = route({
  ...shared,
  path: '/workflow/{workflow_id}/runs/{run_id}/transfer',
  id: 'transferWorkflowRun',
  summary: 'Transfer a call',
  description:
    'The agent breaks off, and the caller hears music while the destination rings. When it answers, both are joined, and the call ends with the disposition `transfer_call` when they hang up. If it does not, the agent goes on, and its model knows why. Phone calls only.',
  body: record({
    to: text({ min: 1, max: 255 }).meta({
      description: 'A number with its country code, or a `sip:` address, that the organization may dial.',
      examples: ['+493012345678'],
    }),
    timeout_seconds: integer({ ge: 5, le: 120 })
      .optional()
      .meta({ override: { default: 30 }, description: 'How long the destination may ring.' }),
  }).meta({ id: 'TransferRunRequest', description: 'Where the call is to go.' }),
  answers,
});

export const pauseRun = route({
  ...shared,
  path: '/workflow/{workflow_id}/runs/{run_id}/pause',
  id: 'pauseWorkflowRun',
  summary: 'Silence the agent',
  description: 'The agent breaks off and stays silent, but keeps listening, until it is resumed or moved.',
  answers,
});

export const resumeRun = route({
  ...shared,
  path: '/workflow/{workflow_id}/runs/{run_id}/resume',
  id: 'resumeWorkflowRun',
  summary: 'Let a silenced agent speak again',
  description: 'The agent answers what was said meanwhile.',
  answers,
});
