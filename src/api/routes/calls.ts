import {
  type Asked,
  createCall,
  type CreateCallDeps,
  getCall,
  getLiveCall,
  intervene,
  listCalls,
  readFilters,
  reportCalls,
  requestJudgment,
} from '../../services/calls/index.ts';
import { requestCallErasure } from '../../services/data-lifecycle/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import type { Handlers } from '../bind.ts';
import { pageOf } from './page-of.ts';
import { csvReply, jsonReply } from '../answers/reply.ts';
import { createdBetween } from './created-between.ts';

export interface CallRouteDeps extends CreateCallDeps {
  /** Base URL of the public links in a call. */
  publicUrl: string;
  /** Starts erasures of calls. */
  erasures: Parameters<typeof requestCallErasure>[0]['starter'];
  /** Starts judgments of calls. */
  judgings: Parameters<typeof requestJudgment>[0]['starter'];
  quotas?: Parameters<typeof requestJudgment>[0]['quotas'];
  /** Running calls. */
  calls: Parameters<typeof intervene>[0]['starter'];
}

/** Calls of an agent (contract 6.2). */
export function callHandlers({
  publicUrl,
  tickets,
  erasures,
  judgings,
  quotas,
  calls,
}: CallRouteDeps): Pick<
  Handlers<ServiceContext>,
  | 'createRun'
  | 'listRuns'
  | 'getRun'
  | 'getLiveRun'
  | 'eraseRun'
  | 'judgeRun'
  | 'hangUpRun'
  | 'sayInRun'
  | 'whisperInRun'
  | 'moveRun'
  | 'transferRun'
  | 'pauseRun'
  | 'resumeRun'
  | 'downloadWorkflowReport'
> {
  const asked = async (
    ctx: ServiceContext,
    params: { workflow_id: number; run_id: number },
    intervention: Asked,
  ) =>
    jsonReply(
      202,
      await intervene({
        ctx,
        starter: calls,
        input: { agentId: params.workflow_id, callId: params.run_id, intervention },
      }),
    );
  return {
    createRun: ({ ctx, input: { params, body } }) =>
      createCall({
        ctx,
        deps: { tickets },
        input: {
          agentId: params.workflow_id,
          mode: body.mode,
          name: body.name,
          initialContext: body.initial_context ?? {},
        },
      }),
    listRuns: async ({ ctx, input: { params, query } }) => {
      const filters = readFilters(query.filters, 'agent', ctx);
      const page = pageOf(query.page);
      return listCalls({
        ctx,
        publicUrl,
        input: {
          agentId: params.workflow_id,
          page,
          limit: query.limit ?? 50,
          sortBy: query.sort_by ?? 'created_at',
          sortOrder: query.sort_order ?? 'desc',
          filters,
        },
      });
    },
    getRun: ({ ctx, input: { params } }) =>
      getCall({ ctx, publicUrl, input: { agentId: params.workflow_id, callId: params.run_id } }),
    getLiveRun: ({ ctx, input: { params } }) =>
      getLiveCall({ ctx, input: { agentId: params.workflow_id, callId: params.run_id } }),
    eraseRun: async ({ ctx, input: { params } }) =>
      jsonReply(
        202,
        await requestCallErasure({
          ctx,
          starter: erasures,
          input: { agentId: params.workflow_id, callId: params.run_id },
        }),
      ),
    judgeRun: async ({ ctx, input: { params, body } }) =>
      jsonReply(
        202,
        await requestJudgment({
          ctx,
          starter: judgings,
          quotas,
          input: { agentId: params.workflow_id, callId: params.run_id, by: body.version ?? 'pinned' },
        }),
      ),
    hangUpRun: ({ ctx, input: { params, body } }) =>
      asked(ctx, params, { kind: 'hang_up', politely: body.politely ?? false }),
    sayInRun: ({ ctx, input: { params, body } }) => asked(ctx, params, { kind: 'say', text: body.text }),
    whisperInRun: ({ ctx, input: { params, body } }) =>
      asked(ctx, params, { kind: 'whisper', text: body.text }),
    moveRun: ({ ctx, input: { params, body } }) => asked(ctx, params, { kind: 'goto', nodeId: body.node_id }),
    transferRun: ({ ctx, input: { params, body } }) =>
      asked(ctx, params, { kind: 'transfer', to: body.to, timeoutSeconds: body.timeout_seconds ?? 30 }),
    pauseRun: ({ ctx, input: { params } }) => asked(ctx, params, { kind: 'pause' }),
    resumeRun: ({ ctx, input: { params } }) => asked(ctx, params, { kind: 'resume' }),
    downloadWorkflowReport: async ({ ctx, input: { params, query } }) => {
      const input = { agentId: params.workflow_id, ...createdBetween(query) };
      return csvReply(
        `workflow_${params.workflow_id}_report.csv`,
        await reportCalls({ ctx, publicUrl, input }),
      );
    },
  };
}
