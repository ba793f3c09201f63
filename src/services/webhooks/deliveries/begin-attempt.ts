import type { EntityManager } from 'typeorm';
import { existsRow, findRow, insertRows, updateRows } from '../../../db/rows.ts';
import { deliveries, type DeliveryRow } from '../../../db/tables/deliveries.ts';
import { deliveryAttempts } from '../../../db/tables/delivery-attempts.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { LimitError } from '../../../domain/errors.ts';
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
 * once. A delivery whose body was erased stays closed. The Workflow that begins an attempt owns the delivery.
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

    await leaveToPump(tx, delivery);
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
        pumpAt: null,
        pumpedBy: null,
      },
    });
    await mirrorOnCall(tx, delivery);
    return { kind: 'begun', delivery };
  });
}

/**
 * The pump finishes the first attempt that it has begun, also that of a pump that died, before a Workflow
 * makes another. Throws LimitError until then.
 */
async function leaveToPump(
  tx: EntityManager,
  { id: deliveryId, organizationId, pumpAt }: DeliveryRow,
): Promise<void> {
  // guarantee: one-owner-of-attempts
  if (
    pumpAt !== null &&
    (await existsRow(tx, deliveryAttempts, { deliveryId, organizationId, state: 'started' }))
  )
    throw new LimitError('The first attempt is under way', { retryAfterMs: 500 });
}
