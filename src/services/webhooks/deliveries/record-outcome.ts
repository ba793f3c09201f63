import type { EntityManager } from 'typeorm';
import { updateRows } from '../../../db/rows.ts';
import { deliveries, type DeliveryRow } from '../../../db/tables/deliveries.ts';
import { deliveryAttempts } from '../../../db/tables/delivery-attempts.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { appendAudit, onBehalfOf } from '../../kernel/index.ts';
import type { AttemptInput, AttemptOutcome } from './attempt.ts';
import type { DeliveryDeps } from './deps.ts';
import { endpointKeyOf, switchOff } from './endpoint.ts';
import { lockDelivery, mirrorOnCall, outcomeOnRecord } from './internal.ts';
import type { Judgment } from './judge.ts';

export interface Recorded {
  judgment: Judgment;
  statusCode: number | null;
  durationMs: number;
  /** The beginning of the answer; null if there was no answer. */
  responseExcerpt: string | null;
}

/**
 * Records the outcome of an attempt: attempt, delivery and the run's log in one transaction. Never overwrites
 * a success: two workers may make the same attempt if one was presumed dead, and a delivered message stays
 * delivered. Answers the recorded success in that case, else null.
 */
export async function recordOutcome({
  deps,
  input,
  recorded,
}: {
  deps: DeliveryDeps;
  input: AttemptInput;
  recorded: Recorded;
}): Promise<AttemptOutcome | null> {
  return await inTransaction(deps.db, async (tx) => {
    const delivery = await lockDelivery(tx, input.deliveryUuid);
    if (delivery.state === 'succeeded') return outcomeOnRecord(delivery);

    const { judgment, statusCode, durationMs } = recorded;
    // A delivery that was erased during this attempt keeps no part of the answer, either.
    const responseExcerpt = delivery.erasedAt === null ? recorded.responseExcerpt : null;
    const succeeded = judgment.kind === 'succeeded';
    const error = succeeded ? null : judgment.reason;
    const key = { deliveryId: delivery.id, organizationId: delivery.organizationId, number: input.attempt };
    await updateRows(tx, deliveryAttempts, {
      where: key,
      change: {
        state: succeeded ? 'succeeded' : 'failed',
        durationMs,
        statusCode,
        error,
        responseExcerpt,
      },
    });
    const state = stateAfter(delivery, judgment);
    const finishedAt = state === 'pending' ? null : deps.clock.now();
    await updateRows(tx, deliveries, {
      where: { id: delivery.id, organizationId: delivery.organizationId },
      change: { state, lastStatusCode: statusCode, lastError: error, finishedAt },
    });
    if (judgment.kind === 'dead' && judgment.endpointOff)
      await switchEndpointOff(tx, { deps, delivery, at: finishedAt ?? deps.clock.now() });
    await mirrorOnCall(tx, delivery);
    return null;
  });
}

/** A delivery that became a dead letter meanwhile stays one, unless this attempt succeeded. */
export function stateAfter(delivery: Pick<DeliveryRow, 'state'>, judgment: Judgment): DeliveryRow['state'] {
  switch (judgment.kind) {
    case 'succeeded':
      return 'succeeded';
    case 'dead':
      return 'dead_letter';
    case 'retry':
      return delivery.state;
  }
}

/** Switches off the endpoint that answered 410, and audits it. */
export async function switchEndpointOff(
  tx: EntityManager,
  {
    deps,
    delivery,
    at,
  }: {
    deps: Pick<DeliveryDeps, 'db' | 'clock' | 'ids' | 'log' | 'secrets'>;
    delivery: DeliveryRow;
    at: Date;
  },
): Promise<void> {
  await switchOff(tx, delivery, at);
  const ctx = {
    organizationId: delivery.organizationId,
    actor: { kind: 'system' as const, name: 'delivery' },
    ...deps,
  };
  await appendAudit(onBehalfOf(tx, ctx), {
    action: 'webhook_endpoint.switched_off',
    subjectKind: 'webhook_endpoint',
    subjectId: null,
    subjectKey: endpointKeyOf(delivery),
    changes: { agentId: delivery.agentId, nodeId: delivery.nodeId, deliveryUuid: delivery.uuid },
  });
}
