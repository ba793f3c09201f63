import type { EntityManager } from 'typeorm';
import { findRow, findRows } from '../../../db/rows.ts';
import { calls, type CallRow, type CallState } from '../../../db/tables/calls.ts';
import { deliveries, type DeliveryRow } from '../../../db/tables/deliveries.ts';
import { textSessions } from '../../../db/tables/text-sessions.ts';
import type { CallRef } from '../../kernel/index.ts';

/** A call with its deliveries, locked until the transaction ends. */
export interface LockedCall {
  call: CallRow;
  deliveries: DeliveryRow[];
}

/**
 * Locks rows in the same order as an attempt (delivery, call) and a turn (session, call). The deliveries
 * include webhooks that were prepared meanwhile, because preparing them locks the call. Null for a call of
 * another organization.
 */
export async function lockCall(
  tx: EntityManager,
  { callId, organizationId }: CallRef,
): Promise<LockedCall | null> {
  const lockDeliveries = () =>
    findRows(tx, deliveries, { callId, organizationId }, { order: { id: 'ASC' }, isLocked: true });
  await lockDeliveries();
  await findRow(tx, textSessions, { callId, organizationId }, { isLocked: true });
  const call = await findRow(tx, calls, { id: callId, organizationId }, { isLocked: true });
  return call === null ? null : { call, deliveries: await lockDeliveries() };
}

const over: readonly CallState[] = ['ended', 'refused'];

/** True if the conversation is over and the record is complete. */
export function isOver({ state }: Pick<CallRow, 'state'>): boolean {
  return over.includes(state);
}
