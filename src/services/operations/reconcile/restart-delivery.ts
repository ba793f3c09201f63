import { existsRow } from '../../../db/rows.ts';
import { deliveryAttempts } from '../../../db/tables/delivery-attempts.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { appendAudit, onBehalfOf } from '../../kernel/index.ts';
import { lockDelivery } from '../../webhooks/index.ts';
import { reconcilerOf } from './internal.ts';
import type { ReconcileDeps } from './deps.ts';
import type { LostDelivery } from './find-lost-deliveries.ts';

/**
 * Answers the attempt with which a lost delivery continues, and audits it: the attempt in progress, else the
 * next one. Null if the delivery has finished meanwhile.
 */
export async function restartDelivery({
  deps,
  input,
}: {
  deps: Pick<ReconcileDeps, 'db' | 'clock' | 'ids' | 'log' | 'secrets'>;
  input: Pick<LostDelivery, 'deliveryUuid'>;
}): Promise<{ attempt: number } | null> {
  return await inTransaction(deps.db, async (tx) => {
    const { id, organizationId, state, attemptCount } = await lockDelivery(tx, input.deliveryUuid);
    if (state !== 'pending') return null;
    const isUnderWay = await existsRow(tx, deliveryAttempts, {
      deliveryId: id,
      organizationId,
      number: attemptCount,
      state: 'started',
    });
    const attempt = isUnderWay ? attemptCount : attemptCount + 1;
    await appendAudit(onBehalfOf(tx, reconcilerOf(deps, organizationId)), {
      action: 'webhook_delivery.restarted',
      subjectKind: 'webhook_delivery',
      subjectId: id,
      changes: { attempt },
    });
    return { attempt };
  });
}
