import {
  createAgent,
  createDraft,
  getAgent,
  listAgents,
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
  | 'getWorkflow'
  | 'updateWorkflow'
  | 'publishWorkflow'
  | 'createWorkflowDraft'
  | 'listWorkflowVersions'
  | 'validateWorkflow';

/** Agents and their versions (contract 1). */
export const agentHandlers: Pick<Handlers<ServiceContext>, AgentRoute> = {
  createWorkflow: ({ ctx, input: { body } }) =>
    createAgent({ ctx, input: { name: body.name, definition: body.workflow_definition } }),
  listWorkflows: async ({ ctx, input: { query } }) =>
    listAgents({ ctx, input: { states: statesOf(query.status) } }),
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
  publishWorkflow: ({ ctx, input: { params, headers } }) =>
    publishDraft({ ctx, input: { agentId: params.workflow_id, ifMatch: headers['If-Match'] } }),
  createWorkflowDraft: ({ ctx, input: { params, headers } }) =>
    createDraft({ ctx, input: { agentId: params.workflow_id, ifMatch: headers['If-Match'] } }),
  listWorkflowVersions: ({ ctx, input: { params, query } }) =>
    listVersions({
      ctx,
      input: {
        agentId: params.workflow_id,
        limit: query.limit ?? 50,
        offset: Math.min(query.offset ?? 0, Number.MAX_SAFE_INTEGER),
      },
    }),
  validateWorkflow: async ({ ctx, input: { params } }) => ({
    ...(await validateAgent({ ctx, input: { agentId: params.workflow_id } })),
    valid: true,
  }),
};
