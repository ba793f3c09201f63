import type { DataSource } from 'typeorm';
import { selectFrom } from '../../../db/rows.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import { deliveryAttempts, type DeliveryAttemptRow } from '../../../db/tables/delivery-attempts.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';

export interface AwaitedAttempt {
  organizationId: number;
  deliveryUuid: string;
  attempt: number;
}

/**
 * Waits until an attempt that another Workflow makes is over, at most `limitMs`: a slower one must not hold
 * up the deliveries behind it. Answers its state; null if it has not begun. Throws UnavailableError, and the
 * reason of `signal`.
 */
export async function awaitAttempt({
  db,
  input,
  signal,
  limitMs,
  pollMs = 100,
}: AwaitOptions): Promise<DeliveryAttemptRow['state'] | null> {
  const end = performance.now() + limitMs;
  for (;;) {
    const state = await attemptState(db, input);
    if ((state !== null && state !== 'started') || performance.now() > end) return state;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    signal.throwIfAborted();
  }
}

export interface AwaitOptions {
  db: DataSource;
  input: AwaitedAttempt;
  signal: AbortSignal;
  limitMs: number;
  pollMs?: number;
}

async function attemptState(
  db: DataSource,
  { organizationId, deliveryUuid, attempt }: AwaitedAttempt,
): Promise<DeliveryAttemptRow['state'] | null> {
  try {
    const row = await selectFrom(db, deliveryAttempts, { as: 'attempt', organizationId })
      .innerJoin(deliveries.options.name, 'delivery', 'delivery.id = attempt.deliveryId')
      .andWhere(
        'delivery.organizationId = :organizationId AND delivery.uuid = :deliveryUuid AND attempt.number = :attempt',
        { organizationId, deliveryUuid, attempt },
      )
      .getOne();
    return row?.state ?? null;
  } catch (error) {
    throw translateUnavailable(error);
  }
}
