import type { EntityManager } from 'typeorm';
import { acrossOrganizations, findRow, findRows, updateRows } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { deliveries, type DeliveryRow } from '../../../db/tables/deliveries.ts';
import { InvariantError, NotFoundError } from '../../../domain/errors.ts';
import type { AttemptOutcome } from './attempt.ts';

/** The row, locked until the transaction ends, so that attempts of one delivery are recorded in sequence. */
export async function lockDelivery(tx: EntityManager, uuid: string): Promise<DeliveryRow> {
  const delivery = await findRow(
    acrossOrganizations(tx, 'the Workflow of a delivery names it by its uuid, which no client sends'),
    deliveries,
    { uuid },
    { isLocked: true },
  );
  if (delivery === null) throw new NotFoundError(`Delivery ${uuid} not found`);
  return delivery;
}

/**
 * Writes the run's `logs.webhook_deliveries` (contract 9.4, "recorded"). Deliveries of one call finish
 * concurrently: the call's row is locked after the delivery's, so the last writer has seen the others.
 */
export async function mirrorOnCall(
  tx: EntityManager,
  { callId, organizationId }: DeliveryRow,
): Promise<void> {
  const call = await findRow(tx, calls, { id: callId, organizationId }, { isLocked: true });
  if (call === null) throw new InvariantError('The call of a delivery was not found');
  const rows = await findRows(tx, deliveries, { callId, organizationId }, { order: { id: 'ASC' } });
  const mirrored = rows.map((row) => ({
    node_id: row.nodeId,
    delivery_id: row.uuid,
    state: row.state,
    attempts: row.attemptCount,
    last_status_code: row.lastStatusCode,
    last_error: row.lastError,
  }));
  await updateRows(tx, calls, {
    where: { id: callId, organizationId },
    change: { logs: { ...call.logs, webhook_deliveries: mirrored } },
  });
}

/**
 * The recorded state of a delivery as the outcome of an attempt: the result of a finished delivery, or
 * `retry` for a pending one, whose schedule continues.
 */
export function outcomeOnRecord(delivery: DeliveryRow): AttemptOutcome {
  const seen = { host: hostOf(delivery.url), statusCode: delivery.lastStatusCode };
  const reason = delivery.lastError ?? 'no reason on record';
  switch (delivery.state) {
    case 'succeeded':
      return { kind: 'succeeded', ...seen };
    case 'dead_letter':
      return { kind: 'dead', reason, ...seen };
    case 'pending':
      return { kind: 'retry', reason, retryAfterMs: null, ...seen };
  }
}

/** Only the host, because paths and queries of customers' URLs may contain secrets. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an invalid URL';
}
