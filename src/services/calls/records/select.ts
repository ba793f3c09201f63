import { selectFrom, type NarrowedQuery } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { applyFilters, type CallFilter } from './filters.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** Selects calls of one organization. */
export interface CallSelection {
  /** Created at or after this time; absent = from the first call. */
  from?: Date | undefined;
  /** Created before this time; absent = to the last call. */
  until?: Date | undefined;
  /** From `readFilters`. */
  filters?: readonly CallFilter[];
  agentId?: number | undefined;
  campaignId?: number | undefined;
}

/**
 * Queries the selected calls with the alias `call`, by the index of the organization, the agent or the
 * campaign.
 */
export function selectCalls(
  { db, organizationId }: Pick<ServiceContext, 'db' | 'organizationId'>,
  { from, until, filters = [], agentId, campaignId }: CallSelection,
): NarrowedQuery<CallRow> {
  const query = selectFrom(db, calls, { as: 'call', organizationId }).andWhere({
    ...(agentId === undefined ? {} : { agentId }),
    ...(campaignId === undefined ? {} : { campaignId }),
  });
  if (from !== undefined) query.andWhere('call.createdAt >= :from', { from });
  if (until !== undefined) query.andWhere('call.createdAt < :until', { until });
  return applyFilters(query, filters);
}
