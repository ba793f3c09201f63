import type { WorkflowRunPage } from '../../../contract/calls.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import type { CallFilter } from './filters.ts';
import { listedCallColumns } from './listed.ts';
import { toWorkflowRun } from './mapper.ts';
import { selectCalls } from './select.ts';

export interface ListCallsInput {
  agentId?: number;
  campaignId?: number;
  /** From 1. */
  page: number;
  limit: number;
  sortBy: 'created_at' | 'duration';
  sortOrder: 'asc' | 'desc';
  /** From `readFilters`. */
  filters: CallFilter[];
}

/**
 * One page of the calls of an agent or a campaign; only the single read has logs (contract 6.1, 6.2). The
 * page is empty for an unknown agent.
 */
export async function listCalls({
  ctx,
  publicUrl,
  input,
}: {
  ctx: ServiceContext;
  publicUrl: string;
  input: ListCallsInput;
}): Promise<WorkflowRunPage> {
  const { agentId, campaignId, page, limit } = input;
  const direction = input.sortOrder === 'asc' ? 'ASC' : 'DESC';
  const [rows, total] = await selectCalls(ctx, { agentId, campaignId, filters: input.filters })
    .select(listedCallColumns)
    .orderBy(input.sortBy === 'duration' ? 'call.durationSeconds' : 'call.createdAt', direction)
    .addOrderBy('call.id', direction)
    .offset(Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER))
    .limit(limit)
    .getManyAndCount();
  const runs = rows.map((row) => ({ ...toWorkflowRun(row, publicUrl), logs: null }));
  return {
    runs,
    total_count: total,
    page,
    limit,
    total_pages: Math.ceil(total / limit),
    applied_filters: input.filters,
  };
}
