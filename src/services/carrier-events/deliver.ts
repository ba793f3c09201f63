import { findRow, updateRows } from '../../db/rows.ts';
import { calls } from '../../db/tables/calls.ts';
import { carrierEvents, type CarrierEventRow } from '../../db/tables/carrier-events.ts';
import { phoneLegs } from '../../db/tables/phone-legs.ts';
import { readClientState } from '../../domain/telephony/client-state.ts';
import type { CarrierEvent } from '../../domain/telephony/carrier-event.ts';
import { generationIn } from '../../domain/telephony/stream-url.ts';
import type { CarrierMessage } from '../../providers/carrier/port.ts';
import type { CarrierEventDeps } from './deps.ts';

/**
 * Tells a kept event to its call, which knows what it was told: again does no harm. Of what says nothing to a call, and of calls that are over, it
 * is only noted that it was looked at. Throws UnavailableError; the event then waits for `redeliverEvents`.
 */
export async function deliverEvent(deps: CarrierEventDeps, event: CarrierEventRow): Promise<void> {
  const { id, organizationId, callId } = event;
  const message = event.raw === null ? null : deps.read(Buffer.from(JSON.stringify(event.raw)), generationIn);
  if (callId !== null && message !== null && message.what !== null) await tell(deps, { organizationId, callId, message, what: message.what });
  await updateRows(deps.db.manager, carrierEvents, { where: { id, organizationId }, change: { deliveredAt: deps.clock.now() } });
}

interface Told {
  organizationId: number;
  callId: number;
  message: CarrierMessage;
  what: CarrierEvent['what'];
}

async function tell(deps: CarrierEventDeps, { organizationId, callId, message, what }: Told): Promise<void> {
  const call = await findRow(deps.db.manager, calls, { id: callId, organizationId });
  if (call === null || call.state === 'ended' || call.state === 'refused') return;
  const { eventId, occurredAt, leg } = message;
  const role = await roleOf(deps, { organizationId, callId, message });
  await deps.calls.signalCarrierEvent(call.uuid, { eventId, occurredAt, leg, role, what });
}

/** Which leg of the call an event is about: by our own reference, else by the carrier's ids; the caller's own where nothing says. */
async function roleOf({ db }: CarrierEventDeps, { organizationId, callId, message }: Omit<Told, 'what'>): Promise<CarrierEvent['role']> {
  const reference = message.clientState === null ? null : (readClientState(message.clientState)?.reference ?? null);
  const { callControlId, legId } = message.leg;
  const ways = [reference === null ? null : { reference }, { callControlId }, legId === null ? null : { legId }];
  for (const way of ways) {
    const leg = way === null ? null : await findRow(db.manager, phoneLegs, { organizationId, callId, ...way });
    if (leg !== null) return leg.role;
  }
  return 'main';
}
