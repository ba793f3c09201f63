import { In, type EntityManager } from 'typeorm';
import { acrossOrganizations, changeRows, findRow, findRows, updateRows } from '../../../db/rows.ts';
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
  { callId, organizationId }: Pick<DeliveryRow, 'callId' | 'organizationId'>,
): Promise<void> {
  const call = await findRow(tx, calls, { id: callId, organizationId }, { isLocked: true });
  if (call === null) throw new InvariantError('The call of a delivery was not found');
  const rows = await findRows(tx, deliveries, { callId, organizationId }, { order: { id: 'ASC' } });
  await updateRows(tx, calls, {
    where: { id: callId, organizationId },
    change: { logs: withDeliveries(call.logs, rows) },
  });
}

/** `mirrorOnCall` for the calls of several deliveries, of any organization, in three statements. */
export async function mirrorOnCalls(
  tx: EntityManager,
  of: readonly Pick<DeliveryRow, 'callId' | 'organizationId'>[],
): Promise<void> {
  const every = acrossOrganizations(tx, 'the pump records deliveries of every organization at once');
  const id = In([...new Set(of.map(({ callId }) => callId))]);
  const found = await findRows(
    every,
    calls,
    { id },
    { select: ['id', 'logs'], order: { id: 'ASC' }, isLocked: true },
  );
  if (found.length === 0) return;
  const rows = await findRows(
    every,
    deliveries,
    { callId: id },
    {
      select: ['callId', 'nodeId', 'uuid', 'state', 'attemptCount', 'lastStatusCode', 'lastError'],
      order: { id: 'ASC' },
    },
  );
  const byCall = Map.groupBy(rows, ({ callId }) => callId);
  const logs = found.map((call) => [
    call.id,
    JSON.stringify(withDeliveries(call.logs, byCall.get(call.id) ?? [])),
  ]);
  await changeRows(every, {
    sql: `UPDATE calls SET logs = CASE id${' WHEN ? THEN ?'.repeat(logs.length)} END WHERE id IN (${logs.map(() => '?').join(', ')})`,
    values: [...logs.flat(), ...found.map((call) => call.id)],
  });
}

type Mirrored = Pick<
  DeliveryRow,
  'nodeId' | 'uuid' | 'state' | 'attemptCount' | 'lastStatusCode' | 'lastError'
>;

/** The log of a run with the states of all its deliveries, in the order of their row ids (contract 9.4). */
export function withDeliveries(
  logs: Readonly<Record<string, unknown>>,
  rows: readonly Mirrored[],
): Record<string, unknown> {
  return { ...logs, webhook_deliveries: rows.map(mirrored) };
}

const mirrored = (row: Mirrored) => ({
  node_id: row.nodeId,
  delivery_id: row.uuid,
  state: row.state,
  attempts: row.attemptCount,
  last_status_code: row.lastStatusCode,
  last_error: row.lastError,
});

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
