import type { WebhookDeliveryPage } from '../../../contract/webhook-deliveries.ts';
import { selectFrom } from '../../../db/rows.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { narrowed, type DeliveryFilter } from './filter.ts';
import { toWebhookDelivery } from './mapper.ts';

export interface ListDeliveriesInput {
  filter: DeliveryFilter;
  /** The `next_cursor` of the previous page: the id of its last delivery. */
  cursor: string | null;
  limit: number;
}

/**
 * One page of the organization's deliveries, newest first (contract 9.4). Ids only grow, so new rows do not
 * shift pages.
 */
export async function listDeliveries({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: ListDeliveriesInput;
}): Promise<WebhookDeliveryPage> {
  const { filter, cursor, limit } = input;
  const query = selectFrom(ctx.db, deliveries, { as: 'delivery', organizationId: ctx.organizationId });
  if (cursor !== null) query.andWhere('delivery.id < :cursor', { cursor });
  const rows = await narrowed(query, filter)
    .orderBy('delivery.id', 'DESC')
    .limit(limit + 1)
    .getMany();
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return {
    items: page.map((row) => toWebhookDelivery(row)),
    next_cursor: hasMore ? String(page.at(-1)?.id) : null,
    has_more: hasMore,
  };
}
