import { In } from 'typeorm';
import type { UsageRunPage } from '../../../contract/usage.ts';
import { findRows } from '../../../db/rows.ts';
import { agents } from '../../../db/tables/agents.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { listedCallColumns } from '../records/listed.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toUsageRun, toUsageRunPage } from './mapper.ts';
import { selectCalls, type CallSelection } from '../records/select.ts';
import { sumUsage } from './totals.ts';
import { interruptedCalls } from './interrupted-calls.ts';
import { currentNodes } from './current-nodes.ts';
import { turnCounts } from './turn-counts.ts';

export interface ListUsageInput extends CallSelection {
  /** From 1. */
  page: number;
  limit: number;
  sortBy: 'created_at' | 'duration';
  sortOrder: 'asc' | 'desc';
}

/**
 * One page of the organization's calls, and the usage of all that match (contract 6.9). A call is listed as
 * soon as its row is committed.
 */
export async function listUsageRuns({
  ctx,
  publicUrl,
  input,
}: {
  ctx: ServiceContext;
  publicUrl: string;
  input: ListUsageInput;
}): Promise<UsageRunPage> {
  const { page, limit } = input;
  const direction = input.sortOrder === 'asc' ? 'ASC' : 'DESC';
  const used = await sumUsage(selectCalls(ctx, input));
  const rows = await selectCalls(ctx, input)
    .select(listedCallColumns)
    .orderBy(input.sortBy === 'duration' ? 'call.durationSeconds' : 'call.createdAt', direction)
    .addOrderBy('call.id', direction)
    .offset(Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER))
    .limit(limit)
    .getMany();
  const [names, numbers, turns, interrupted, nodes] = await Promise.all([
    agentNames(
      ctx,
      rows.map(({ agentId }) => agentId),
    ),
    versionNumbers(
      ctx,
      rows.map(({ versionId }) => versionId),
    ),
    turnCounts(
      ctx,
      rows.map(({ id }) => id),
    ),
    interruptedCalls(ctx, rows),
    currentNodes(ctx, rows),
  ]);
  return toUsageRunPage({
    runs: rows.map((call) =>
      toUsageRun(call, {
        agentName: names.get(call.agentId) ?? null,
        versionNumber: numbers.get(call.versionId) ?? null,
        turnCount: turns.get(call.id) ?? 0,
        wasInterrupted: interrupted.has(call.id),
        currentNode: nodes.get(call.id) ?? null,
        publicUrl,
      }),
    ),
    used,
    page,
    limit,
  });
}

/** Names of agents by id. */
export async function agentNames(
  { db, organizationId }: Pick<ServiceContext, 'db' | 'organizationId'>,
  agentIds: readonly number[],
): Promise<Map<number, string>> {
  const rows = await findRows(
    db,
    agents,
    { organizationId, id: In([...new Set(agentIds)]) },
    { select: ['id', 'name'] },
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Numbers of versions by id. */
async function versionNumbers(
  { db, organizationId }: Pick<ServiceContext, 'db' | 'organizationId'>,
  versionIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await findRows(
    db,
    agentVersions,
    { organizationId, id: In([...new Set(versionIds)]) },
    { select: ['id', 'number'] },
  );
  return new Map(rows.map(({ id, number }) => [id, number]));
}
