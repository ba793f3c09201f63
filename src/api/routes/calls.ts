import { createCall, getCall, listCalls, readFilters, reportCalls } from '../../services/calls/index.ts';
import type { ServiceContext } from '../../services/context.ts';
import type { Handlers } from '../bind.ts';
import { streamReply } from '../reply.ts';

export interface CallRouteDeps {
  /** Base URL of the public links in a call. */
  publicUrl: string;
}

/** The last page that can hold anything. */
const mostPages = 1_000_000_000;

/** Calls of an agent (contract 6.2). */
export function callHandlers({ publicUrl }: CallRouteDeps): Pick<Handlers<ServiceContext>, 'createRun' | 'listRuns' | 'getRun' | 'downloadWorkflowReport'> {
  return {
    createRun: ({ ctx, input: { params, body } }) => createCall({ ctx, input: { agentId: params.workflow_id, mode: body.mode, name: body.name } }),
    listRuns: async ({ ctx, input: { params, query } }) => {
      const filters = readFilters(query.filters);
      const page = Math.min(query.page ?? 1, mostPages);
      return listCalls({ ctx, publicUrl, input: { agentId: params.workflow_id, page, limit: query.limit ?? 50, sortBy: query.sort_by ?? 'created_at', sortOrder: query.sort_order ?? 'desc', filters } });
    },
    getRun: ({ ctx, input: { params } }) => getCall({ ctx, publicUrl, input: { agentId: params.workflow_id, callId: params.run_id } }),
    downloadWorkflowReport: async ({ ctx, input: { params, query } }) => {
      const input = { agentId: params.workflow_id, from: momentOf(query.start_date, 0), until: momentOf(query.end_date, dayMs) };
      const disposition = `attachment; filename="workflow_${params.workflow_id}_report.csv"`;
      return streamReply('text/csv; charset=utf-8', await reportCalls({ ctx, publicUrl, input }), { 'Content-Disposition': disposition, 'Cache-Control': 'private, no-store' });
    },
  };
}

const dayMs = 24 * 3_600_000;

/** A day begins at midnight, plus what is given; a moment is itself. UTC where no zone is named. */
function momentOf(text: string | undefined, afterMidnightMs: number): Date | undefined {
  if (text === undefined) return undefined;
  if (!text.includes('T')) return new Date(new Date(`${text}T00:00:00Z`).getTime() + afterMidnightMs);
  return new Date(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}
