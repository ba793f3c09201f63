import {
  createAgent,
  createDraft,
  getAgent,
  getVersion,
  inspectGraph,
  listAgentOverviews,
  listAgents,
  listAgentVariables,
  listVersions,
  publishDraft,
  updateAgent,
  validateAgent,
} from '../../services/agents/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import type { Handlers } from '../bind.ts';
import { statesOf } from './status-filter.ts';

type AgentRoute =
  | 'createWorkflow'
  | 'listWorkflows'
  | 'listWorkflowOverviews'
  | 'getWorkflow'
  | 'updateWorkflow'
  | 'publishWorkflow'
  | 'createWorkflowDraft'
  | 'listWorkflowVersions'
  | 'getWorkflowVersion'
  | 'validateWorkflow'
  | 'listWorkflowVariables'
  | 'validateDefinition';

/** Agents and their versions (contract 1). */
export const agentHandlers: Pick<Handlers<ServiceContext>, AgentRoute> = {
  createWorkflow: ({ ctx, input: { body } }) =>
    createAgent({ ctx, input: { name: body.name, definition: body.workflow_definition } }),
  listWorkflows: async ({ ctx, input: { query } }) =>
    listAgents({ ctx, input: { states: statesOf(query.status) } }),
  listWorkflowOverviews: async ({ ctx, input: { query } }) =>
    listAgentOverviews({
      ctx,
      input: {
        search: query.search ?? '',
        states: statesOf(query.status),
        folder: folderOf(query.folder_id),
        sortBy: query.sort_by ?? 'changed_at',
        sortOrder: query.sort_order ?? 'desc',
        limit: query.limit ?? 50,
        offset: query.offset ?? 0,
      },
    }),
  getWorkflow: ({ ctx, input: { params } }) => getAgent({ ctx, input: { agentId: params.workflow_id } }),
  updateWorkflow: ({ ctx, input: { params, headers, body } }) =>
    updateAgent({
      ctx,
      input: {
        agentId: params.workflow_id,
        ifMatch: headers['If-Match'],
        name: body.name ?? undefined,
        definition: body.workflow_definition ?? undefined,
        testValues: body.template_context_variables ?? undefined,
        settings: body.workflow_configurations ?? undefined,
      },
    }),
  publishWorkflow: ({ ctx, input: { params, query, headers } }) =>
    publishDraft({
      ctx,
      input: { agentId: params.workflow_id, ifMatch: headers['If-Match'], note: query.note },
    }),
  createWorkflowDraft: ({ ctx, input: { params, headers } }) =>
    createDraft({ ctx, input: { agentId: params.workflow_id, ifMatch: headers['If-Match'] } }),
  listWorkflowVersions: ({ ctx, input: { params, query } }) =>
    listVersions({
      ctx,
      input: {
        agentId: params.workflow_id,
        limit: query.limit ?? 50,
        offset: Math.min(query.offset ?? 0, Number.MAX_SAFE_INTEGER),
        isPublishedOnly: query['only'] === 'published',
      },
    }),
  getWorkflowVersion: ({ ctx, input: { params } }) =>
    getVersion({ ctx, input: { agentId: params.workflow_id, versionNumber: params.version_number } }),
  listWorkflowVariables: ({ ctx, input: { params } }) =>
    listAgentVariables({ ctx, input: { agentId: params.workflow_id } }),
  validateDefinition: ({ ctx, input: { body } }) =>
    inspectGraph({
      ctx,
      input: {
        definition: body.workflow_definition,
        testValues: body.template_context_variables ?? null,
      },
    }),
  validateWorkflow: async ({ ctx, input: { params } }) => ({
    ...(await validateAgent({ ctx, input: { agentId: params.workflow_id } })),
    valid: true,
  }),
};

/** Absent = every folder, null = none. */
function folderOf(id: string | undefined): number | null | undefined {
  if (id === undefined) return undefined;
  return id === 'none' ? null : Number(id);
}
