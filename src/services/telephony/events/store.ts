import type { EntityManager } from 'typeorm';
import { findRow, insertRow } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { carrierEvents, type CarrierEventRow } from '../../../db/tables/carrier-events.ts';
import { isDuplicate } from '../../../db/transaction.ts';
import { InvariantError } from '../../../domain/errors.ts';
import type { CarrierMessage } from '../../../providers/carrier/port.ts';
import type { CarrierEventDeps } from './deps.ts';

/** An event to store. `raw` is the request's body. */
export interface KeptEvent {
  organizationId: number;
  callId: number | null;
  message: Pick<CarrierMessage, 'eventId' | 'eventType' | 'occurredAt'>;
  raw: Uint8Array;
}

/**
 * Stores an event under the carrier's event id, in the caller's transaction; answers the existing row for a
 * duplicate. If the values of the call were erased, stores the event without its body.
 */
export async function storeEvent(
  manager: EntityManager,
  { clock }: Pick<CarrierEventDeps, 'clock'>,
  { organizationId, callId, message, raw }: KeptEvent,
): Promise<CarrierEventRow> {
  const { eventId, eventType } = message;
  const call =
    callId === null
      ? null
      : await findRow(
          manager,
          calls,
          { id: callId, organizationId },
          { select: ['variablesErasedAt'], isLocked: true },
        );
  // guarantee: erased-call-keeps-no-events
  const kept = call !== null && call.variablesErasedAt !== null ? null : bodyOf(raw);
  try {
    return await insertRow(manager, carrierEvents, {
      organizationId,
      callId,
      eventId,
      eventType,
      occurredAt: new Date(message.occurredAt),
      raw: kept,
      receivedAt: clock.now(),
      deliveredAt: null,
    });
  } catch (error) {
    if (!isDuplicate(error, 'uq_carrier_events_event')) throw error;
    const known = await findRow(manager, carrierEvents, { organizationId, eventId });
    if (known === null) throw new InvariantError('The row of a duplicate event was not found');
    return known;
  }
}

function bodyOf(raw: Uint8Array): Record<string, unknown> {
  const body: unknown = JSON.parse(Buffer.from(raw).toString('utf8'));
  return typeof body === 'object' && body !== null ? { ...body } : {};
}
