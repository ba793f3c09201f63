import { updateRows } from '../../../db/rows.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { DeliveryDeps } from './deps.ts';
import { lockDelivery, mirrorOnCall } from './internal.ts';

/**
 * Ends a pending delivery without success (contract 9.4, `dead_letter`), because no attempt is left or a
 * person stopped it. Appends the last attempt's error to the reason. Does not change a finished delivery.
 * Throws NotFoundError, UnavailableError.
 */
export async function giveUpDelivery({
  deps,
  input,
}: {
  deps: Pick<DeliveryDeps, 'db' | 'clock' | 'log'>;
  input: { deliveryUuid: string; reason: string };
}): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const delivery = await lockDelivery(tx, input.deliveryUuid);
    if (delivery.state !== 'pending') return;
    const lastError =
      delivery.lastError === null ? input.reason : `${input.reason}; last: ${delivery.lastError}`;
    await updateRows(tx, deliveries, {
      where: { id: delivery.id, organizationId: delivery.organizationId },
      change: {
        state: 'dead_letter',
        lastError,
        nextAttemptAt: null,
        pumpAt: null,
        pumpedBy: null,
        finishedAt: deps.clock.now(),
      },
    });
    await mirrorOnCall(tx, delivery);
    deps.log.warn(
      {
        deliveryUuid: delivery.uuid,
        organizationId: delivery.organizationId,
        callId: delivery.callId,
        attempts: delivery.attemptCount,
      },
      'webhook delivery became a dead letter',
    );
  });
}
