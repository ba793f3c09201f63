import {
  changeAgentState,
  countAgents,
  discardDraft,
  duplicateAgent,
  moveAgentToFolder,
  restoreVersion,
  summarizeAgents,
  createFolder,
  deleteFolder,
  listFolders,
  renameFolder,
} from '../../services/agents/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import type { Handlers } from '../bind.ts';
import { statesOf } from './status-filter.ts';

type AgentLibraryRoute =
  | 'countWorkflows'
  | 'summarizeWorkflows'
  | 'changeWorkflowStatus'
  | 'duplicateWorkflow'
  | 'moveWorkflowToFolder'
  | 'discardWorkflowDraft'
  | 'restoreWorkflowVersion'
  | 'listFolders'
  | 'createFolder'
  | 'renameFolder'
  | 'deleteFolder';

/** Status, copies, folders and versions of agents (contract 1.4), and the folders themselves (15.2). */
export const agentLibraryHandlers: Pick<Handlers<ServiceContext>, AgentLibraryRoute> = {
  countWorkflows: ({ ctx }) => countAgents({ ctx }),
  summarizeWorkflows: async ({ ctx, input: { query } }) =>
    summarizeAgents({ ctx, input: { states: statesOf(query.status) } }),
  changeWorkflowStatus: ({ ctx, input: { params, headers, body } }) =>
    changeAgentState({
      ctx,
      input: { agentId: params.workflow_id, ifMatch: headers['If-Match'], state: body.status },
    }),
  duplicateWorkflow: ({ ctx, input: { params } }) =>
    duplicateAgent({ ctx, input: { agentId: params.workflow_id } }),
  moveWorkflowToFolder: ({ ctx, input: { params, body } }) =>
    moveAgentToFolder({ ctx, input: { agentId: params.workflow_id, folderId: body.folder_id } }),
  discardWorkflowDraft: ({ ctx, input: { params, headers } }) =>
    discardDraft({ ctx, input: { agentId: params.workflow_id, ifMatch: headers['If-Match'] } }),
  restoreWorkflowVersion: ({ ctx, input: { params, query, headers } }) =>
    restoreVersion({
      ctx,
      input: {
        agentId: params.workflow_id,
        ifMatch: headers['If-Match'],
        versionNumber: params.version_number,
        note: query.note,
      },
    }),
  listFolders: ({ ctx }) => listFolders({ ctx }),
  createFolder: ({ ctx, input: { body } }) => createFolder({ ctx, input: { name: body.name } }),
  renameFolder: ({ ctx, input: { params, body } }) =>
    renameFolder({ ctx, input: { folderId: params.folder_id, name: body.name } }),
  deleteFolder: ({ ctx, input: { params } }) => deleteFolder({ ctx, input: { folderId: params.folder_id } }),
};
