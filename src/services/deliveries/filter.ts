import type { SelectQueryBuilder } from 'typeorm';
import type { DeliveryRow, DeliveryState } from '../../db/tables/deliveries.ts';

/** Which deliveries of an organization; an absent field does not narrow. Moments are of creation. */
export interface DeliveryFilter {
  state?: DeliveryState | undefined;
  agentId?: number | undefined;
  callId?: number | undefined;
  /** At this moment or later. */
  from?: Date | undefined;
  /** Before this moment. */
  to?: Date | undefined;
}

/** Narrows a query over deliveries called `delivery`. */
export function narrowed(query: SelectQueryBuilder<DeliveryRow>, { state, agentId, callId, from, to }: DeliveryFilter): SelectQueryBuilder<DeliveryRow> {
  if (state !== undefined) query.andWhere('delivery.state = :state', { state });
  if (agentId !== undefined) query.andWhere('delivery.agentId = :agentId', { agentId });
  if (callId !== undefined) query.andWhere('delivery.callId = :callId', { callId });
  if (from !== undefined) query.andWhere('delivery.createdAt >= :from', { from });
  if (to !== undefined) query.andWhere('delivery.createdAt < :to', { to });
  return query;
}
