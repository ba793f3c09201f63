import type { NarrowedQuery } from '../../../db/rows.ts';
import type { DeliveryRow, DeliveryState } from '../../../db/tables/deliveries.ts';

/** Selects deliveries of an organization; an absent field does not narrow. */
export interface DeliveryFilter {
  state?: DeliveryState | undefined;
  agentId?: number | undefined;
  nodeId?: string | undefined;
  callId?: number | undefined;
  /** Created at this timestamp or later. */
  from?: Date | undefined;
  /** Created before this timestamp. */
  to?: Date | undefined;
  /** Row id of a delivery, to select those of its endpoint. */
  endpointOf?: number | undefined;
  /** Finished at or between these timestamps. */
  finishedFrom?: Date | undefined;
  finishedTo?: Date | undefined;
}

const sameEndpoint =
  'EXISTS (SELECT 1 FROM deliveries one WHERE one.id = :endpointOf AND one.organization_id = delivery.organizationId AND one.agent_id = delivery.agentId AND one.node_id = delivery.nodeId AND one.url = delivery.url)';

/** Narrows a query over deliveries with the alias `delivery`. */
export function narrowed(
  query: NarrowedQuery<DeliveryRow>,
  { state, agentId, nodeId, callId, from, to, endpointOf, finishedFrom, finishedTo }: DeliveryFilter,
): NarrowedQuery<DeliveryRow> {
  if (state !== undefined) query.andWhere('delivery.state = :state', { state });
  if (agentId !== undefined) query.andWhere('delivery.agentId = :agentId', { agentId });
  if (nodeId !== undefined) query.andWhere('delivery.nodeId = :nodeId', { nodeId });
  if (callId !== undefined) query.andWhere('delivery.callId = :callId', { callId });
  if (from !== undefined) query.andWhere('delivery.createdAt >= :from', { from });
  if (to !== undefined) query.andWhere('delivery.createdAt < :to', { to });
  if (endpointOf !== undefined) query.andWhere(sameEndpoint, { endpointOf });
  if (finishedFrom !== undefined) query.andWhere('delivery.finishedAt >= :finishedFrom', { finishedFrom });
  if (finishedTo !== undefined) query.andWhere('delivery.finishedAt <= :finishedTo', { finishedTo });
  return query;
}
