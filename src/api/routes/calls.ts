import { createCall, getCall, listCalls, readFilters } from '../../services/calls/index.ts';
import type { ServiceContext } from '../../services/context.ts';
import type { Handlers } from '../bind.ts';

export interface CallRouteDeps {
  /** Base URL of the public links in a call. */
  publicUrl: string;
}

/** The last page that can hold anything. */
const mostPages = 1_000_000_000;

/** Calls of an agent (contract 6.2). */
export function callHandlers({ publicUrl }: CallRouteDeps): Pick<Handlers<ServiceContext>, 'createRun' | 'listRuns' | 'getRun'> {
  return {
    createRun: ({ ctx, input: { params, body } }) => createCall({ ctx, input: { agentId: params.workflow_id, mode: body.mode, name: body.name } }),
    listRuns: async ({ ctx, input: { params, query } }) => {
      const filters = readFilters(query.filters);
      const page = Math.min(query.page ?? 1, mostPages);
      return listCalls({ ctx, publicUrl, input: { agentId: params.workflow_id, page, limit: query.limit ?? 50, sortBy: query.sort_by ?? 'created_at', sortOrder: query.sort_order ?? 'desc', filters } });
    },
    getRun: ({ ctx, input: { params } }) => getCall({ ctx, publicUrl, input: { agentId: params.workflow_id, callId: params.run_id } }),
  };
}
