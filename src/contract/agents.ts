import { z } from 'zod';
import {
  AnyObject,
  Author,
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
import { literal, text } from './lax/text.ts';
import { masked, withoutNumbers } from './personal.ts';
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
  description: 'The graph of an agent: nodes, and edges between them. Other keys are kept as sent.',
});
export type WorkflowDefinition = z.output<typeof WorkflowDefinition>;

/** Contract 1.2. */
export const CreateWorkflowRequest = record({ name: text(), workflow_definition: WorkflowDefinition }).meta({
  id: 'CreateWorkflowRequest',
  description: 'A new agent with its graph.',
});
export type CreateWorkflowRequest = z.output<typeof CreateWorkflowRequest>;

/** Contract 1.3: absent and null both mean unchanged. */
export const UpdateWorkflowRequest = record({
  name: text().nullish(),
  workflow_definition: WorkflowDefinition.nullish(),
  template_context_variables: freeForm().nullish(),
  workflow_configurations: WorkflowConfigurations.nullish(),
}).meta({ id: 'UpdateWorkflowRequest', description: 'Fields to change. Absent or null means unchanged.' });
export type UpdateWorkflowRequest = z.output<typeof UpdateWorkflowRequest>;

const AgentState = z.enum(['active', 'archived']);
const VersionState = z.enum(['draft', 'published', 'archived']);

/** Contract 1.1. */
export const CallDispositionCodes = z
  .object({ disposition_codes: z.array(z.string()) })
  .meta({ id: 'CallDispositionCodes', description: "Dispositions of the agent's calls." });

/**
 * The agent (contract 1.1, wire name workflow record). Definition, settings and test values belong to the
 * version `version_number`.
 */
export const Workflow = z
  .object({
    id: z.int(),
    name: z.string(),
    status: AgentState,
    created_at: DateTime,
    workflow_definition: withoutNumbers(AnyObject),
    current_definition_id: z.int().nullable().meta({ description: 'Id of the published version.' }),
    template_context_variables: masked(AnyObject.nullable()),
    call_disposition_codes: CallDispositionCodes.nullable(),
    total_runs: z.int().nullable(),
    workflow_configurations: withoutNumbers(AnyObject.nullable()),
    version_number: z.int().nullable(),
    version_status: VersionState.nullable(),
    workflow_uuid: z.string().nullable(),
  })
  .meta({
    id: 'Workflow',
    description: 'An agent with its draft, or with its published version if there is no draft.',
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
  .meta({ id: 'WorkflowListItem', description: 'An agent, as lists show it.' });
export type WorkflowListItem = z.infer<typeof WorkflowListItem>;

/** Contract 1.4. */
export const WorkflowVersion = z
  .object({
    id: z.int(),
    version_number: z.int(),
    status: VersionState,
    created_at: DateTime,
    published_at: DateTime.nullable(),
    workflow_json: withoutNumbers(AnyObject),
    workflow_configurations: withoutNumbers(AnyObject.nullable()),
    template_context_variables: masked(AnyObject.nullable()),
  })
  .meta({ id: 'WorkflowVersion', description: "One version of an agent's definition." });
export type WorkflowVersion = z.infer<typeof WorkflowVersion>;

/** Contract 1.5: a version of a list, with who made it. */
export const ListedVersion = WorkflowVersion.extend({
  note: withoutNumbers(z.string().nullable()),
  author: Author.nullable().meta({ description: 'Who made the version. Null if that is not recorded.' }),
  published_by: Author.nullable().meta({
    description: 'Who published the version. Null if it was never published, or that is not recorded.',
  }),
  calls: z.int(),
  outcomes: z.array(z.object({ disposition: z.string(), calls: z.int() })),
  pinned_by: z.array(z.object({ id: z.int(), name: z.string() })),
}).meta({
  id: 'ListedVersion',
  description: "One version of an agent's definition, with who made it and its calls.",
});
export type ListedVersion = z.infer<typeof ListedVersion>;

/** Contract 1.5. */
export const WorkflowVersionDetail = ListedVersion.extend({ etag: z.string().nullable() }).meta({
  id: 'WorkflowVersionDetail',
  description: "One version of an agent's definition, with the tag for changing it.",
});
export type WorkflowVersionDetail = z.infer<typeof WorkflowVersionDetail>;

/** Contract 1.4. */
export const PublishedVersion = z
  .object({ id: z.int(), version_number: z.int(), status: z.literal('published'), published_at: DateTime })
  .meta({ id: 'PublishedVersion', description: 'The published version, which new calls use.' });
export type PublishedVersion = z.infer<typeof PublishedVersion>;

/** Contract 2.5 and 14.4: `valid` repeats `is_valid` for a published client that reads it. */
export const ValidWorkflow = GraphValidation.extend({ valid: z.boolean() }).meta({
  id: 'ValidWorkflow',
  description: 'Result of checking a graph without faults.',
});
export type ValidWorkflow = z.infer<typeof ValidWorkflow>;

/** Contract 1.5: a query, because publishing ignores its body (1.4). */
export const VersionNoteQuery = record({
  note: text({ max: 500 })
    .optional()
    .meta({ description: 'What the version is for. Absent keeps the note of a draft that is published.' }),
});

export const AgentPath = record({ workflow_id: PathInteger });
export const VersionPath = record({ workflow_id: PathInteger, version_number: PathInteger });
export const unknownVersion = notFound(
  "No such agent in the caller's organization, or no such version of it.",
);
export const unknownAgent = notFound("No such agent in the caller's organization.");
/** `active`, `archived`, or both. The handler parses it, so that its error names an unknown status. */
export const statusFilter = text()
  .optional()
  .meta({ description: '`active`, `archived`, or both separated by a comma. Absent means both.' });
export const StatusFilter = record({ status: statusFilter });
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
    'Version 1 is published at once. The graph may be incomplete: it is checked in full by validate, by publish and at the start of a call.',
  headers: IdempotencyHeaders,
  body: CreateWorkflowRequest,
  taggedAs: 'agent',
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
  summary: 'Update an agent',
  description:
    'A new definition creates a draft version and keeps the earlier versions. Calls use the published version until the draft is published.',
  params: AgentPath,
  headers: IfMatchHeaders,
  body: UpdateWorkflowRequest,
  taggedAs: 'agent',
  answers: {
    200: { description: 'The agent with the resulting version.', schema: Workflow },
    404: unknownAgent,
    409: { description: 'The graph conflicts with itself or with another agent.', schema: GraphErrorBody },
    412: changedSince,
    422: {
      description:
        'Field faults (array), a malformed trigger path (object), or a model override that no call could use (string).',
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
  description: 'Returns agents, newest first.',
  query: StatusFilter,
  answers: {
    200: { description: 'The agents.', schema: z.array(WorkflowListItem) },
    422: {
      description: 'Field faults (array), or an unknown status (string).',
      schema: z.union([HTTPValidationError, ErrorBody]),
    },
  },
});

export const getWorkflow = route({
  method: 'get',
  path: '/workflow/fetch/{workflow_id}',
  id: 'getWorkflow',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get an agent',
  description: 'Returns the draft, or the published version if there is no draft.',
  params: AgentPath,
  headers: IfNoneMatchHeaders,
  taggedAs: 'agent',
  answers: {
    200: { description: 'The agent.', schema: Workflow },
    304: { description: "The caller's copy is current." },
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
  description: 'New calls use the published draft. Live calls keep their version.',
  params: AgentPath,
  query: VersionNoteQuery,
  headers: KeyedChangeHeaders,
  answers: {
    200: { description: 'Published.', schema: PublishedVersion },
    400: { description: 'There is no draft.', schema: ErrorBody },
    404: unknownAgent,
    412: changedSince,
    422: { description: 'Field faults (array), or an incomplete graph (object).', schema: FieldOrGraphError },
  },
});

export const createWorkflowDraft = route({
  method: 'post',
  path: '/workflow/{workflow_id}/create-draft',
  id: 'createWorkflowDraft',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Create a draft',
  description: 'Returns the existing draft, or creates one as a copy of the published version.',
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
  description: 'Returns versions, newest first.',
  params: AgentPath,
  query: record({
    limit: integer(limitRule)
      .optional()
      .meta({ override: { default: 50 } }),
    offset: integer({ ge: 0 })
      .optional()
      .meta({ override: { default: 0 } }),
    only: literal('published')
      .optional()
      .describe(
        'Only the draft and the versions that were ever published, without those that a later update replaced.',
      ),
  }),
  answers: {
    200: { description: 'A page of versions.', schema: z.array(ListedVersion) },
    404: unknownAgent,
  },
});

export const getWorkflowVersion = route({
  method: 'get',
  path: '/workflow/{workflow_id}/versions/{version_number}',
  id: 'getWorkflowVersion',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get a version of an agent',
  description: 'Returns the version with its graph, settings and test values.',
  params: VersionPath,
  answers: {
    200: { description: 'The version.', schema: WorkflowVersionDetail },
    404: unknownVersion,
  },
});

export const validateWorkflow = route({
  method: 'post',
  path: '/workflow/{workflow_id}/validate',
  id: 'validateWorkflow',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: "Validate an agent's graph",
  description: 'Checks the draft, or the published version if there is no draft. Changes nothing.',
  params: AgentPath,
  answers: {
    200: { description: 'The graph is complete.', schema: ValidWorkflow },
    404: unknownAgent,
    422: {
      description: 'Field faults (array), or the faults of the graph (object).',
      schema: FieldOrGraphError,
    },
  },
});

/** Contract 2.7. */
export const ValidateDefinitionRequest = record({
  workflow_definition: WorkflowDefinition,
  workflow_configurations: WorkflowConfigurations.nullish(),
  template_context_variables: freeForm().nullish(),
}).meta({
  id: 'ValidateDefinitionRequest',
  description: 'A graph to check, with its settings and test values.',
});

/** Contract 2.7. */
export const DefinitionFaults = z
  .object({
    faults: z.array(
      z.object({
        kind: z.enum(['node', 'edge', 'workflow']),
        id: z.string().nullable(),
        field: z.string().nullable(),
        message: z.string(),
        code: z.string().meta({ examples: ['dead_end'] }),
        severity: z.enum(['error', 'warning']),
        range: z
          .object({ start: z.int(), end: z.int() })
          .nullable()
          .meta({ description: "Place in the field's text, in UTF-16 units. Null for the whole field." }),
        fix: z
          .object({
            label: z.string(),
            edit: z.union([
              z.object({
                op: z.literal('replace_text'),
                start: z.int(),
                end: z.int(),
                text: z.string(),
              }),
              z.object({ op: z.enum(['add_edge', 'remove_node']) }),
              z.object({
                op: z.literal('add_variable'),
                ids: z.array(z.string()).readonly(),
                variable: z.object({ name: z.string(), type: z.string(), prompt: z.string() }),
              }),
            ]),
          })
          .nullable()
          .meta({ description: 'A change that removes the fault. Null if there is no obvious one.' }),
      }),
    ),
  })
  .meta({ id: 'DefinitionFaults', description: 'Everything that is wrong or doubtful in a graph.' });
export type DefinitionFaults = z.infer<typeof DefinitionFaults>;

export const validateDefinition = route({
  method: 'post',
  path: '/workflow/validate',
  id: 'validateWorkflowDefinition',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Check a graph that is not stored',
  description:
    'Returns errors, which prevent publishing, and warnings. Settings are checked as on save. Changes nothing.',
  body: ValidateDefinitionRequest,
  answers: { 200: { description: 'The faults, errors first.', schema: DefinitionFaults } },
});

/** Contract 1.6. */
export const WorkflowVariables = z
  .object({
    variables: z.array(
      z.object({
        name: withoutNumbers(z.string()),
        scope: z.enum(['initial_context', 'gathered_context', 'call']),
        default: withoutNumbers(z.string().nullable()),
        uses: z.array(
          z.object({
            kind: z.enum(['node', 'edge']),
            id: z.string().nullable(),
            field: z.string(),
            has_default: z.boolean(),
          }),
        ),
        sources: z.array(
          z.object({
            type: z.enum([
              'trigger',
              'file',
              'pre_call_fetch',
              'telephony',
              'time',
              'service',
              'test_value',
              'extraction',
              'call',
            ]),
            node_id: z.string().nullable(),
            directory_id: z.int().nullable(),
            directory_name: z.string().nullable(),
            column: withoutNumbers(z.string().nullable()),
          }),
        ),
      }),
    ),
  })
  .meta({
    id: 'WorkflowVariables',
    description: 'The variables of an agent, where they are used and where they come from.',
  });
export type WorkflowVariables = z.infer<typeof WorkflowVariables>;

export const listWorkflowVariables = route({
  method: 'get',
  path: '/workflow/{workflow_id}/variables',
  id: 'listWorkflowVariables',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List the variables of an agent',
  description:
    'Returns the variables of the draft, or of the published version if there is no draft: those that its texts use, then those that test values, contact files and extraction offer.',
  params: AgentPath,
  answers: {
    200: { description: 'The variables.', schema: WorkflowVariables },
    404: unknownAgent,
  },
});
