import { z } from 'zod';
import {
  AnyObject,
  changedSince,
  DateTime,
  ErrorBody,
  FieldOrGraphError,
  GraphErrorBody,
  GraphValidation,
  HTTPValidationError,
  IdempotencyHeaders,
  IfMatchHeaders,
  IfNoneMatchHeaders,
  KeyedChangeHeaders,
  limitRule,
  notFound,
  PathInteger,
} from './common.ts';
import { freeForm, list, openRecord, record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';
import { WorkflowConfigurations } from './settings.ts';

/**
 * The customer's graph: nodes and edges are arrays of objects, everything else is kept as sent (contract 1.2,
 * 2.1).
 */
export const WorkflowDefinition = openRecord(
  { nodes: list(freeForm()).optional(), edges: list(freeForm()).optional() },
  { otherwise: 'dict_type' },
).meta({
  id: 'WorkflowDefinition',
  description: 'The graph of an agent: nodes (steps of the conversation) and edges (ways between them).',
});
export type WorkflowDefinition = z.output<typeof WorkflowDefinition>;

/** Contract 1.2. */
export const CreateWorkflowRequest = record({ name: text(), workflow_definition: WorkflowDefinition }).meta({
  id: 'CreateWorkflowRequest',
  description: 'A new agent from an explicit graph.',
});
export type CreateWorkflowRequest = z.output<typeof CreateWorkflowRequest>;

/** Contract 1.3: absent and null both mean unchanged. */
export const UpdateWorkflowRequest = record({
  name: text().nullish(),
  workflow_definition: WorkflowDefinition.nullish(),
  template_context_variables: freeForm().nullish(),
  workflow_configurations: WorkflowConfigurations.nullish(),
}).meta({ id: 'UpdateWorkflowRequest', description: 'Only the fields to change; null means unchanged.' });
export type UpdateWorkflowRequest = z.output<typeof UpdateWorkflowRequest>;

const AgentState = z.enum(['active', 'archived']);
const VersionState = z.enum(['draft', 'published', 'archived']);

/** Contract 1.1. */
export const CallDispositionCodes = z
  .object({ disposition_codes: z.array(z.string()) })
  .meta({ id: 'CallDispositionCodes', description: 'Outcomes that calls of this agent had.' });

/**
 * The agent (contract 1.1, wire name workflow record). Definition, settings and test values are of the
 * version that `version_number` names.
 */
export const Workflow = z
  .object({
    id: z.int(),
    name: z.string(),
    status: AgentState,
    created_at: DateTime,
    workflow_definition: AnyObject,
    current_definition_id: z.int().nullable().meta({ description: 'Id of the published version.' }),
    template_context_variables: AnyObject.nullable(),
    call_disposition_codes: CallDispositionCodes.nullable(),
    total_runs: z.int().nullable(),
    workflow_configurations: AnyObject.nullable(),
    version_number: z.int().nullable(),
    version_status: VersionState.nullable(),
    workflow_uuid: z.string().nullable(),
  })
  .meta({
    id: 'Workflow',
    description: 'An agent: its draft when there is one, else its published version.',
  });
export type Workflow = z.infer<typeof Workflow>;

/** Contract 1.4. */
export const WorkflowListItem = z
  .object({
    id: z.int(),
    name: z.string(),
    status: AgentState,
    created_at: DateTime,
    total_runs: z.int(),
    folder_id: z.int().nullable(),
    workflow_uuid: z.string().nullable(),
  })
  .meta({ id: 'WorkflowListItem', description: 'An agent in a list.' });
export type WorkflowListItem = z.infer<typeof WorkflowListItem>;

/** Contract 1.4. */
export const WorkflowVersion = z
  .object({
    id: z.int(),
    version_number: z.int(),
    status: VersionState,
    created_at: DateTime,
    published_at: DateTime.nullable(),
    workflow_json: AnyObject,
    workflow_configurations: AnyObject.nullable(),
    template_context_variables: AnyObject.nullable(),
  })
  .meta({ id: 'WorkflowVersion', description: "One version of an agent's definition." });
export type WorkflowVersion = z.infer<typeof WorkflowVersion>;

/** Contract 1.4. */
export const PublishedVersion = z
  .object({ id: z.int(), version_number: z.int(), status: z.literal('published'), published_at: DateTime })
  .meta({ id: 'PublishedVersion', description: 'The version that calls use from now on.' });
export type PublishedVersion = z.infer<typeof PublishedVersion>;

/** Contract 2.5 and 14.4: `valid` repeats `is_valid` for a published client that reads it. */
export const ValidWorkflow = GraphValidation.extend({ valid: z.boolean() }).meta({
  id: 'ValidWorkflow',
  description: 'The graph can be published and called.',
});
export type ValidWorkflow = z.infer<typeof ValidWorkflow>;

export const AgentPath = record({ workflow_id: PathInteger });
export const unknownAgent = notFound("No such agent in the caller's organization.");
/** `active`, `archived`, or both; read by the handler, which names what it does not know. */
export const StatusFilter = record({
  status: text()
    .optional()
    .meta({ description: '`active`, `archived`, or both separated by a comma; absent = all.' }),
});
const tag = 'Agents';

export const createWorkflow = route({
  method: 'post',
  path: '/workflow/create/definition',
  id: 'createWorkflowFromDefinition',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Create an agent from a graph',
  description:
    'Version 1 is published at once. The graph may be incomplete; it is checked in full by validate, publish and the start of a call.',
  headers: IdempotencyHeaders,
  body: CreateWorkflowRequest,
  isTagged: true,
  answers: {
    200: { description: 'Created.', schema: Workflow },
    409: { description: 'A trigger path belongs to another agent.', schema: GraphErrorBody },
    422: {
      description: 'Field faults (array), or a graph that cannot be stored (object).',
      schema: FieldOrGraphError,
    },
  },
});

export const updateWorkflow = route({
  method: 'put',
  path: '/workflow/{workflow_id}',
  id: 'updateWorkflow',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Change an agent',
  description:
    'A definition makes a new version and keeps the earlier ones. Calls keep using the published version until publish.',
  params: AgentPath,
  headers: IfMatchHeaders,
  body: UpdateWorkflowRequest,
  isTagged: true,
  answers: {
    200: { description: 'The agent with the resulting version.', schema: Workflow },
    404: unknownAgent,
    409: { description: 'The graph collides with itself or with another agent.', schema: GraphErrorBody },
    412: changedSince,
    422: {
      description:
        'Field faults (array), a malformed trigger path (object), or a model override that no call could ask by (string).',
      schema: z.union([FieldOrGraphError, ErrorBody]),
    },
  },
});

export const listWorkflows = route({
  method: 'get',
  path: '/workflow/fetch',
  id: 'listWorkflows',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List agents',
  description: 'Newest first.',
  query: StatusFilter,
  answers: {
    200: { description: 'All agents that match.', schema: z.array(WorkflowListItem) },
    422: { description: 'Unknown status (string).', schema: z.union([HTTPValidationError, ErrorBody]) },
  },
});

export const getWorkflow = route({
  method: 'get',
  path: '/workflow/fetch/{workflow_id}',
  id: 'getWorkflow',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read one agent',
  description: 'Shows the draft when there is one.',
  params: AgentPath,
  headers: IfNoneMatchHeaders,
  isTagged: true,
  answers: {
    200: { description: 'The agent.', schema: Workflow },
    304: { description: "The caller's copy is the present one." },
    404: unknownAgent,
  },
});

export const publishWorkflow = route({
  method: 'post',
  path: '/workflow/{workflow_id}/publish',
  id: 'publishWorkflow',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Publish the draft',
  description: 'The next call uses it; live calls keep the version they began with.',
  params: AgentPath,
  headers: KeyedChangeHeaders,
  answers: {
    200: { description: 'Published.', schema: PublishedVersion },
    400: { description: 'There is no draft.', schema: ErrorBody },
    404: unknownAgent,
    412: changedSince,
    422: { description: 'The graph is not complete.', schema: FieldOrGraphError },
  },
});

export const createWorkflowDraft = route({
  method: 'post',
  path: '/workflow/{workflow_id}/create-draft',
  id: 'createWorkflowDraft',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Make a draft',
  description: 'A copy of the published version; the existing draft when there is one.',
  params: AgentPath,
  headers: KeyedChangeHeaders,
  answers: {
    200: { description: 'The draft.', schema: WorkflowVersion },
    404: unknownAgent,
    412: changedSince,
  },
});

export const listWorkflowVersions = route({
  method: 'get',
  path: '/workflow/{workflow_id}/versions',
  id: 'listWorkflowVersions',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List the versions of an agent',
  description: 'Newest first.',
  params: AgentPath,
  query: record({
    limit: integer(limitRule)
      .optional()
      .meta({ override: { default: 50 } }),
    offset: integer({ ge: 0 })
      .optional()
      .meta({ override: { default: 0 } }),
  }),
  answers: {
    200: { description: 'One page of versions.', schema: z.array(WorkflowVersion) },
    404: unknownAgent,
  },
});

export const validateWorkflow = route({
  method: 'post',
  path: '/workflow/{workflow_id}/validate',
  id: 'validateWorkflow',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: "Check an agent's graph",
  description: 'Looks at the draft, else at the published version. Changes nothing.',
  params: AgentPath,
  answers: {
    200: { description: 'The graph is complete.', schema: ValidWorkflow },
    404: unknownAgent,
    422: { description: 'What is missing or wrong.', schema: FieldOrGraphError },
  },
});
