import { acrossOrganizations, selectFrom } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import type { ReconcileDeps } from './deps.ts';
import { nextAfterId, ownersOf, pageSize, rethrow, withoutWorkflow, type Page } from './internal.ts';

/** A delivery whose row is pending while neither the pump nor a Workflow owns it. */
export interface LostDelivery {
  deliveryId: number;
  deliveryUuid: string;
  callUuid: string;
  organizationId: number;
  organizationUuid: string;
}

export interface FindLostDeliveriesInput {
  afterId: number;
  /** Skips deliveries whose attempt has been due for less than this. */
  graceMs: number;
}

/**
 * Reads one page of the pending deliveries of all organizations whose next attempt is overdue, and asks
 * Temporal about each. Skips deliveries whose next attempt is not due, even without a Workflow, and those of
 * the pump. Changes nothing.
 */
export async function findLostDeliveries({
  deps: { db, clock, executions },
  input,
  signal,
}: {
  deps: Pick<ReconcileDeps, 'db' | 'clock' | 'executions'>;
  input: FindLostDeliveriesInput;
  signal: AbortSignal;
}): Promise<Page<LostDelivery>> {
  const before = new Date(clock.now().getTime() - input.graceMs);
  const { entities: page, raw } = await selectFrom(
    acrossOrganizations(db, 'deliveries of every organization are compared with Temporal'),
    deliveries,
    { as: 'delivery' },
  )
    .useIndex('ix_deliveries_backlog')
    .innerJoin(calls.options.name, 'call', 'call.id = delivery.callId')
    .select(['delivery.id', 'delivery.uuid', 'delivery.organizationId'])
    .addSelect('call.uuid', 'call_uuid')
    .where('delivery.state = :state AND delivery.createdAt < :before AND delivery.id > :afterId', {
      state: 'pending',
      before,
      afterId: input.afterId,
    })
    .andWhere('delivery.pumpAt IS NULL')
    .andWhere('(delivery.nextAttemptAt IS NULL OR delivery.nextAttemptAt < :before)')
    .orderBy('delivery.id', 'ASC')
    .limit(pageSize)
    .getRawAndEntities<{ call_uuid: string }>()
    .catch(rethrow);

  const found = await withoutWorkflow([...page.entries()], {
    signal,
    stateOf: ([, { uuid }]) => executions.deliveryState(uuid),
  });
  const ownerOf = await ownersOf(
    db,
    found.map(({ row: [, delivery] }) => delivery),
  );
  return {
    items: found.map(({ row: [index, { id, uuid, organizationId }] }) => ({
      deliveryId: id,
      deliveryUuid: uuid,
      callUuid: raw[index]?.call_uuid ?? '',
      organizationId,
      organizationUuid: ownerOf(organizationId),
    })),
    nextAfterId: nextAfterId(page),
  };
}
