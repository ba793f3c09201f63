import { z } from 'zod';
import {
  AgentPath,
  StatusFilter,
  unknownAgent,
  Workflow,
  WorkflowListItem,
  WorkflowVersion,
} from './agents.ts';
import {
  changedSince,
  ErrorBody,
  FieldOrGraphError,
  GraphErrorBody,
  HTTPValidationError,
  IdempotencyHeaders,
  IfMatchHeaders,
  KeyedChangeHeaders,
  notFound,
  PathInteger,
} from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { literal } from './lax/text.ts';
import { route } from './route.ts';

/**
 * What is done with agents beside changing them: counting, archiving, copying, filing, going back (contract
 * 1.4).
 */

export const ChangeStatusRequest = record({ status: literal('active', 'archived') }).meta({
  id: 'ChangeStatusRequest',
  description: 'Whether calls may be started.',
});
export const MoveToFolderRequest = record({ folder_id: integer().nullable() }).meta({
  id: 'MoveToFolderRequest',
  description: 'The folder; null = none.',
});

export const WorkflowCount = z
  .object({ total: z.int(), active: z.int(), archived: z.int() })
  .meta({ id: 'WorkflowCount', description: 'How many agents there are.' });
export type WorkflowCount = z.infer<typeof WorkflowCount>;

export const WorkflowSummary = z
  .object({ id: z.int(), name: z.string() })
  .meta({ id: 'WorkflowSummary', description: 'An agent to choose from.' });
export type WorkflowSummary = z.infer<typeof WorkflowSummary>;

const tag = 'Agents';

export const countWorkflows = route({
  method: 'get',
  path: '/workflow/count',
  id: 'countWorkflows',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Count agents',
  description: 'By status.',
  answers: { 200: { description: 'The numbers.', schema: WorkflowCount } },
});

export const summarizeWorkflows = route({
  method: 'get',
  path: '/workflow/summary',
  id: 'summarizeWorkflows',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List ids and names of agents',
  description: 'Newest first.',
  query: StatusFilter,
  answers: {
    200: { description: 'All agents that match.', schema: z.array(WorkflowSummary) },
    422: { description: 'Unknown status (string).', schema: z.union([HTTPValidationError, ErrorBody]) },
  },
});

export const changeWorkflowStatus = route({
  method: 'put',
  path: '/workflow/{workflow_id}/status',
  id: 'changeWorkflowStatus',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Archive an agent or bring it back',
  description: 'No call of an archived agent is started but test conversations. Versions stay as they are.',
  params: AgentPath,
  headers: IfMatchHeaders,
  body: ChangeStatusRequest,
  isTagged: true,
  answers: { 200: { description: 'The agent.', schema: Workflow }, 404: unknownAgent, 412: changedSince },
});

export const duplicateWorkflow = route({
  method: 'post',
  path: '/workflow/{workflow_id}/duplicate',
  id: 'duplicateWorkflow',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Copy an agent',
  description:
    'One published version with the content of the draft, else of the published version: graph, settings and test values. Triggers get paths of their own.',
  params: AgentPath,
  headers: IdempotencyHeaders,
  isTagged: true,
  answers: { 200: { description: 'The copy.', schema: Workflow }, 404: unknownAgent },
});

export const moveWorkflowToFolder = route({
  method: 'put',
  path: '/workflow/{workflow_id}/folder',
  id: 'moveWorkflowToFolder',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Put an agent into a folder',
  description: 'Out of any with null.',
  params: AgentPath,
  body: MoveToFolderRequest,
  answers: {
    200: { description: 'The agent.', schema: WorkflowListItem },
    404: notFound("No such agent or folder in the caller's organization."),
  },
});

export const discardWorkflowDraft = route({
  method: 'delete',
  path: '/workflow/{workflow_id}/draft',
  id: 'discardWorkflowDraft',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Discard the draft',
  description: 'The agent shows its published version again. The draft is kept as an archived version.',
  params: AgentPath,
  headers: IfMatchHeaders,
  answers: {
    200: { description: 'What was the draft.', schema: WorkflowVersion },
    404: notFound("No such agent in the caller's organization, or it has no draft."),
    412: changedSince,
  },
});

export const restoreWorkflowVersion = route({
  method: 'post',
  path: '/workflow/{workflow_id}/versions/{version_number}/restore',
  id: 'restoreWorkflowVersion',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Go back to a version',
  description:
    "Makes a new draft with that version's graph, settings and test values; a former draft is archived. Publish it to use it.",
  params: record({ workflow_id: PathInteger, version_number: PathInteger }),
  headers: KeyedChangeHeaders,
  answers: {
    200: { description: 'The new draft.', schema: WorkflowVersion },
    404: notFound("No such agent in the caller's organization, or no such version of it."),
    409: {
      description:
        'The graph collides with what the organization has by now: a trigger path, a name of a tool.',
      schema: GraphErrorBody,
    },
    412: changedSince,
    422: {
      description: 'Field faults (array), or a graph that cannot be stored (object).',
      schema: FieldOrGraphError,
    },
  },
});
