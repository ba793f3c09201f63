import { z } from 'zod';
import { Workflow } from './agents.ts';
import { AnyObject, DateTime, ErrorBody, IdempotencyHeaders, notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { route } from './route.ts';

/** Shipped agents, copies of them, and agents generated from a description (contract 1.4). */

export const DuplicateTemplateRequest = record({ template_id: integer(), workflow_name: text() }).meta({
  id: 'DuplicateTemplateRequest',
  description: 'The template and the name of the new agent.',
});

export const GenerateWorkflowRequest = record({
  call_type: literal('inbound', 'outbound'),
  use_case: text({ min: 1, max: 1000, trim: true }).meta({
    description: 'Purpose of the agent, in a few words.',
  }),
  activity_description: text({ min: 1, max: 10_000, trim: true }).meta({
    description: 'What the agent should do and find out in a call.',
  }),
}).meta({ id: 'GenerateWorkflowRequest', description: 'Description of an agent to generate.' });

export const WorkflowTemplate = z
  .object({
    id: z.int().meta({ description: 'Id of the template. The same in all releases.' }),
    template_name: z.string(),
    template_description: z.string(),
    template_json: AnyObject.meta({ description: 'Graph of the template.' }),
    created_at: DateTime,
    caller_name: z.string().meta({ description: 'Name of the organization in the test values of a copy.' }),
    tagline: z.string().meta({ description: 'What the call asks, in a few words.' }),
    sample_replies: z.record(z.string(), z.array(z.string()).readonly()).readonly().meta({
      description:
        'Replies to try, by id of the node that asks. Said in order at each node, they lead to an end with the simulated model.',
    }),
  })
  .meta({ id: 'WorkflowTemplate', description: 'An agent that ships with the service.' });
export type WorkflowTemplate = z.infer<typeof WorkflowTemplate>;

const tag = 'Agent templates';

export const listWorkflowTemplates = route({
  method: 'get',
  path: '/workflow/templates',
  id: 'listWorkflowTemplates',
  tag,
  auth: 'none',
  summary: 'List agent templates',
  description: 'Returns all templates in the order of their ids. They are the same for all organizations.',
  answers: { 200: { description: 'The templates.', schema: z.array(WorkflowTemplate) } },
});

export const duplicateWorkflowTemplate = route({
  method: 'post',
  path: '/workflow/templates/duplicate',
  id: 'duplicateWorkflowTemplate',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Create an agent from a template',
  description:
    "Creates an agent with one published version: the template's graph, settings and test values. Its trigger gets a new path. Its webhook sends nothing until it has a URL.",
  headers: IdempotencyHeaders,
  body: DuplicateTemplateRequest,
  taggedAs: 'agent',
  answers: { 200: { description: 'The agent.', schema: Workflow }, 404: notFound('No such template.') },
});

export const generateWorkflow = route({
  method: 'post',
  path: '/workflow/create/template',
  id: 'generateWorkflow',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Generate an agent from a description',
  description:
    'The configured language model designs the agent. Without a model the agent is a skeleton with a fixed graph. Version 1 is published at once. The request may take a minute. No agent is created if the client disconnects or the response is an error.',
  headers: IdempotencyHeaders,
  body: GenerateWorkflowRequest,
  taggedAs: 'agent',
  answers: {
    200: { description: 'The agent.', schema: Workflow },
    502: { description: 'The language model failed or returned no usable agent.', schema: ErrorBody },
  },
});
