import { z } from 'zod';
import {
  AgentPath,
  StatusFilter,
  unknownAgent,
  unknownVersion,
  VersionNoteQuery,
  VersionPath,
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
} from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { literal } from './lax/text.ts';
import { route } from './route.ts';

/** Agents: count, archive, copy, move to a folder, restore a version (contract 1.4). */

export const ChangeStatusRequest = record({ status: literal('active', 'archived') }).meta({
  id: 'ChangeStatusRequest',
  description: 'New status of an agent.',
});
export const MoveToFolderRequest = record({ folder_id: integer().nullable() }).meta({
  id: 'MoveToFolderRequest',
  description: 'The folder of an agent.',
});

export const WorkflowCount = z
  .object({ total: z.int(), active: z.int(), archived: z.int() })
  .meta({ id: 'WorkflowCount', description: 'Number of agents by status.' });
export type WorkflowCount = z.infer<typeof WorkflowCount>;

export const WorkflowSummary = z
  .object({ id: z.int(), name: z.string() })
  .meta({ id: 'WorkflowSummary', description: 'Id and name of an agent.' });
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
  description: 'Counts agents by status.',
  answers: { 200: { description: 'The counts.', schema: WorkflowCount } },
});

export const summarizeWorkflows = route({
  method: 'get',
  path: '/workflow/summary',
  id: 'summarizeWorkflows',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List ids and names of agents',
  description: 'Returns agents newest first, for example to choose one from a list.',
  query: StatusFilter,
  answers: {
    200: { description: 'The agents.', schema: z.array(WorkflowSummary) },
    422: {
      description: 'Field faults (array), or an unknown status (string).',
      schema: z.union([HTTPValidationError, ErrorBody]),
    },
  },
});

export const changeWorkflowStatus = route({
  method: 'put',
  path: '/workflow/{workflow_id}/status',
  id: 'changeWorkflowStatus',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Archive or reactivate an agent',
  description: 'An archived agent starts no calls, except text sessions. Its versions do not change.',
  params: AgentPath,
  headers: IfMatchHeaders,
  body: ChangeStatusRequest,
  taggedAs: 'agent',
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
    'Creates an agent with one published version: graph, settings and test values of the draft, or of the published version if there is no draft. Triggers get new paths.',
  params: AgentPath,
  headers: IdempotencyHeaders,
  taggedAs: 'agent',
  answers: { 200: { description: 'The copy.', schema: Workflow }, 404: unknownAgent },
});

export const moveWorkflowToFolder = route({
  method: 'put',
  path: '/workflow/{workflow_id}/folder',
  id: 'moveWorkflowToFolder',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Move an agent to a folder',
  description: 'With `folder_id` null, the agent is removed from its folder.',
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
  description: 'The agent shows its published version again. The draft becomes an archived version.',
  params: AgentPath,
  headers: IfMatchHeaders,
  answers: {
    200: { description: 'The former draft.', schema: WorkflowVersion },
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
  summary: 'Restore a version',
  description:
    "Creates a draft with that version's graph, settings and test values. A former draft is archived. Calls use the draft once it is published.",
  params: VersionPath,
  query: VersionNoteQuery,
  headers: KeyedChangeHeaders,
  answers: {
    200: { description: 'The new draft.', schema: WorkflowVersion },
    404: unknownVersion,
    409: {
      description: 'The graph now conflicts with another object: a trigger path, or the name of a tool.',
      schema: GraphErrorBody,
    },
    412: changedSince,
    422: {
      description: 'Field faults (array), or a graph that cannot be stored (object).',
      schema: FieldOrGraphError,
    },
  },
});
