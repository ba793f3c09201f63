import type { SelectQueryBuilder } from 'typeorm';
import { selectFrom } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { applyFilters, type CallFilter } from './filters.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** Which calls of an organization. */
export interface CallSelection {
  /** Created then or later; absent = from the first call on. */
  from?: Date | undefined;
  /** Created before; absent = to the last. */
  until?: Date | undefined;
  /** From `readFilters`. */
  filters?: readonly CallFilter[];
  agentId?: number | undefined;
  campaignId?: number | undefined;
}

/**
 * The calls that are meant, as `call`; by the index of the organization, or by that of the agent or campaign.
 */
export function selectCalls(
  { db, organizationId }: Pick<ServiceContext, 'db' | 'organizationId'>,
  { from, until, filters = [], agentId, campaignId }: CallSelection,
): SelectQueryBuilder<CallRow> {
  const query = selectFrom(db, calls, { as: 'call', organizationId }).andWhere({
    ...(agentId === undefined ? {} : { agentId }),
    ...(campaignId === undefined ? {} : { campaignId }),
  });
  if (from !== undefined) query.andWhere('call.createdAt >= :from', { from });
  if (until !== undefined) query.andWhere('call.createdAt < :until', { until });
  return applyFilters(query, filters);
}
