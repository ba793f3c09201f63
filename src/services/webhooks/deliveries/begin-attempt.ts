import { findRow, insertRows, updateRows } from '../../../db/rows.ts';
import { deliveries, type DeliveryRow } from '../../../db/tables/deliveries.ts';
import { deliveryAttempts } from '../../../db/tables/delivery-attempts.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { AttemptInput, AttemptOutcome } from './attempt.ts';
import type { DeliveryDeps } from './deps.ts';
import { lockDelivery, mirrorOnCall, outcomeOnRecord } from './internal.ts';

export type BegunAttempt =
  | { kind: 'begun'; delivery: DeliveryRow }
  | { kind: 'recorded'; delivery: DeliveryRow; outcome: AttemptOutcome };

/**
 * Records the attempt as `started`, unless there is nothing to send: the delivery is finished, or a worker
 * recorded this attempt's outcome and died before it could report it. Takes over a row left at `started`.
 * `resend` reopens a finished delivery only for an attempt without a record, so that two requests send it
 * once. A delivery whose body was erased stays closed.
 */
export async function beginAttempt({
  deps,
  input,
}: {
  deps: DeliveryDeps;
  input: AttemptInput;
}): Promise<BegunAttempt> {
  return await inTransaction(deps.db, async (tx) => {
    const delivery = await lockDelivery(tx, input.deliveryUuid);
    const key = { deliveryId: delivery.id, organizationId: delivery.organizationId, number: input.attempt };
    const present = await findRow(tx, deliveryAttempts, key);
    const isReopened = input.resend === true && present === null;
    if (
      delivery.erasedAt !== null ||
      (delivery.state !== 'pending' && !isReopened) ||
      // guarantee: interrupted-attempt-made-again
      (present !== null && present.state !== 'started')
    )
      return { kind: 'recorded', delivery, outcome: outcomeOnRecord(delivery) };

    const startedAt = deps.clock.now();
    if (present === null)
      await insertRows(tx, deliveryAttempts, [
        {
          ...key,
          state: 'started',
          startedAt,
          durationMs: null,
          statusCode: null,
          error: null,
          responseExcerpt: null,
        },
      ]);
    else await updateRows(tx, deliveryAttempts, { where: key, change: { startedAt } });
    await updateRows(tx, deliveries, {
      where: { id: delivery.id, organizationId: delivery.organizationId },
      change: {
        state: 'pending',
        finishedAt: null,
        attemptCount: Math.max(delivery.attemptCount, input.attempt),
        nextAttemptAt: null,
      },
    });
    await mirrorOnCall(tx, delivery);
    return { kind: 'begun', delivery };
  });
}
