import type { EntityManager } from 'typeorm';
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
 * Locks in the order of an attempt (delivery, call) and a turn (session, call). Webhooks that were being
 * prepared meanwhile are among the deliveries: preparing locks the call. Null for a call outside the
 * organization.
 */
export async function lockCall(
  tx: EntityManager,
  { callId, organizationId }: CallRef,
): Promise<LockedCall | null> {
  const lock = { mode: 'pessimistic_write' } as const;
  const lockDeliveries = () =>
    tx.getRepository(deliveries).find({ where: { callId, organizationId }, order: { id: 'ASC' }, lock });
  await lockDeliveries();
  await tx.getRepository(textSessions).findOne({ where: { callId, organizationId }, lock });
  const call = await tx.getRepository(calls).findOne({ where: { id: callId, organizationId }, lock });
  return call === null ? null : { call, deliveries: await lockDeliveries() };
}

const over: readonly CallState[] = ['ended', 'refused'];

/** True when nobody talks any more and the record is complete. */
export function isOver({ state }: Pick<CallRow, 'state'>): boolean {
  return over.includes(state);
}
