import { z } from 'zod';
import { Workflow } from './agents.ts';
import { AnyObject, DateTime, ErrorBody, IdempotencyHeaders, notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { route } from './route.ts';

/** Agents that are shipped, and copies of them (contract 1.4). */

export const DuplicateTemplateRequest = record({ template_id: integer(), workflow_name: text() }).meta({
  id: 'DuplicateTemplateRequest',
  description: 'Which template, and what the agent is to be called.',
});

export const GenerateWorkflowRequest = record({
  call_type: literal('inbound', 'outbound'),
  use_case: text({ max: 1000 }).meta({ description: 'What the agent is for, in a few words.' }),
  activity_description: text({ max: 10_000 }).meta({
    description: 'What it is to do and to find out on a call.',
  }),
}).meta({ id: 'GenerateWorkflowRequest', description: 'What an agent is to be like, in words.' });

export const WorkflowTemplate = z
  .object({
    id: z.int().meta({ description: 'Stays the same over all releases.' }),
    template_name: z.string(),
    template_description: z.string(),
    template_json: AnyObject.meta({ description: 'The graph that a copy begins with.' }),
    created_at: DateTime,
  })
  .meta({ id: 'WorkflowTemplate', description: 'An agent that is shipped with the service.' });
export type WorkflowTemplate = z.infer<typeof WorkflowTemplate>;

const tag = 'Agent templates';

export const listWorkflowTemplates = route({
  method: 'get',
  path: '/workflow/templates',
  id: 'listWorkflowTemplates',
  tag,
  auth: 'none',
  summary: 'List the templates',
  description: 'The same for everybody, in the order of their ids.',
  answers: { 200: { description: 'All templates.', schema: z.array(WorkflowTemplate) } },
});

export const duplicateWorkflowTemplate = route({
  method: 'post',
  path: '/workflow/templates/duplicate',
  id: 'duplicateWorkflowTemplate',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Make an agent of a template',
  description:
    "One published version with the template's graph, settings and test values. Its trigger gets a path of its own; its webhook sends nothing until it has an address.",
  headers: IdempotencyHeaders,
  body: DuplicateTemplateRequest,
  isTagged: true,
  answers: { 200: { description: 'The agent.', schema: Workflow }, 404: notFound('No such template.') },
});

export const generateWorkflow = route({
  method: 'post',
  path: '/workflow/create/template',
  id: 'generateWorkflow',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Make an agent of a description',
  description:
    'The configured language model designs it; without one it is a skeleton of one step. Version 1 is published at once. May take a minute; nothing is made when the client leaves or the answer is an error.',
  headers: IdempotencyHeaders,
  body: GenerateWorkflowRequest,
  isTagged: true,
  answers: {
    200: { description: 'The agent.', schema: Workflow },
    502: { description: 'The language model failed, or gave no agent that can be used.', schema: ErrorBody },
  },
});
