import { updateRows } from '../../../db/rows.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { DeliveryDeps } from './deps.ts';
import { lockDelivery } from './internal.ts';

/**
 * Stores when the next attempt of a pending delivery is due; does not change a finished one. Throws
 * NotFoundError, UnavailableError.
 */
export async function scheduleNextAttempt({
  deps,
  input,
}: {
  deps: Pick<DeliveryDeps, 'db'>;
  input: { deliveryUuid: string; nextAttemptAt: Date };
}): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const { id, organizationId } = await lockDelivery(tx, input.deliveryUuid);
    await updateRows(tx, deliveries, {
      where: { id, organizationId, state: 'pending' },
      change: { nextAttemptAt: input.nextAttemptAt },
    });
  });
}
