import { findRow, updateRows } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { carrierEvents, type CarrierEventRow } from '../../../db/tables/carrier-events.ts';
import { phoneLegs, type PhoneLegRow } from '../../../db/tables/phone-legs.ts';
import { readClientState } from '../../../domain/telephony/client-state.ts';
import type { CarrierEvent } from '../../../domain/telephony/carrier-event.ts';
import { provesLiveLeg } from '../../../domain/telephony/given-up-leg.ts';
import { generationIn } from '../../../domain/telephony/stream-url.ts';
import type { CarrierMessage } from '../../../providers/carrier/port.ts';
import { endGivenUpLeg } from '../legs/end-given-up-leg.ts';
import type { CarrierEventDeps } from './deps.ts';
import { noteLeg } from './note-leg.ts';

/** Attempts to hang up a given-up leg stop after this time; the carrier's own limit then ends the leg. */
const maxHangUpMs = 120_000;

const columns = ['id', 'organizationId', 'uuid', 'mode', 'state'] as const;

type EventCall = Pick<CallRow, (typeof columns)[number]>;

/**
 * Delivers a stored event to its call, which ignores an event that it already has. An event that means
 * nothing to a call, or whose call is over, is only marked as delivered. Hangs up a live leg that its call
 * has given up. Throws UnavailableError and the carrier's errors; the event then waits for `redeliverEvents`,
 * as it does when this answers `waits`.
 */
export async function deliverEvent(
  deps: CarrierEventDeps,
  event: CarrierEventRow,
): Promise<'delivered' | 'waits'> {
  const { id, organizationId, callId } = event;
  const call =
    callId === null
      ? null
      : await findRow(deps.db.manager, calls, { id: callId, organizationId }, { select: columns });
  const message = call === null || event.raw === null ? null : readKept(deps, call, event.raw);
  if (
    call !== null &&
    message !== null &&
    message.what !== null &&
    (await handle(deps, { event, call, message, what: message.what })) === 'waits'
  )
    return 'waits';
  await updateRows(deps.db.manager, carrierEvents, {
    where: { id, organizationId },
    change: { deliveredAt: deps.clock.now() },
  });
  return 'delivered';
}

/** The mode of a phone call is its carrier. */
function readKept({ webhooks }: CarrierEventDeps, { mode }: EventCall, raw: unknown): CarrierMessage | null {
  return webhooks.get(mode)?.read(Buffer.from(JSON.stringify(raw)), generationIn) ?? null;
}

interface Delivery {
  event: CarrierEventRow;
  call: EventCall;
  message: CarrierMessage;
  what: CarrierEvent['what'];
}

/** Signals the call before it updates the leg's row, because a conversation may be in progress. */
async function handle(deps: CarrierEventDeps, delivery: Delivery): Promise<'delivered' | 'waits'> {
  const { call, message, what } = delivery;
  if (call.state === 'refused') return 'delivered';
  const leg = await legOf(deps, delivery);
  const outcome = await signalCall(deps, { ...delivery, leg });
  if (leg !== null) await noteLeg(deps, leg, { what, occurredAt: message.occurredAt });
  return outcome;
}

async function signalCall(
  deps: CarrierEventDeps,
  delivery: Delivery & { leg: PhoneLegRow | null },
): Promise<'delivered' | 'waits'> {
  const { call, leg, message, what } = delivery;
  if (leg !== null && leg.hangUpFrom !== null)
    return provesLiveLeg(what) ? await endLeg(deps, delivery, leg) : 'delivered';
  if (call.state === 'ended') return 'delivered';
  const { eventId, occurredAt, leg: ids } = message;
  // guarantee: carrier-event-stored-and-forwarded
  const answer = await deps.calls.signalCarrierEvent(call.uuid, {
    eventId,
    occurredAt,
    leg: ids,
    role: leg?.role ?? 'main',
    what,
  });
  // Reconciliation closes an orphaned call and gives up its legs.
  return answer === 'gone' && provesLiveLeg(what) && call.state !== 'pending' ? 'waits' : 'delivered';
}

/** Keeps the event waiting until its leg is over or the time for attempts is up. */
async function endLeg(
  deps: CarrierEventDeps,
  { event, message }: Delivery,
  leg: PhoneLegRow,
): Promise<'delivered' | 'waits'> {
  if (leg.endedAt !== null) return 'delivered';
  const { accounts, clock, log } = deps;
  if (clock.now().getTime() - event.receivedAt.getTime() > maxHangUpMs) {
    log.error(
      { callId: leg.callId, legRowId: leg.id },
      'A leg that its call had given up could not be hung up',
    );
    return 'delivered';
  }
  if (accounts === undefined) return 'waits';
  const ended = await endGivenUpLeg({
    deps: { ...deps, accounts },
    leg,
    callControlId: message.leg.callControlId,
  });
  return ended === 'ended' ? 'delivered' : 'waits';
}

/**
 * The leg that an event is about, found by our own reference, else by the carrier's ids; null if neither
 * matches.
 */
async function legOf(
  { db }: CarrierEventDeps,
  { call: { id: callId, organizationId }, message }: Delivery,
): Promise<PhoneLegRow | null> {
  const reference =
    message.clientState === null ? null : (readClientState(message.clientState)?.reference ?? null);
  const { callControlId, legId } = message.leg;
  const ways = [
    reference === null ? null : { reference },
    { callControlId },
    legId === null ? null : { legId },
  ];
  for (const way of ways) {
    const leg =
      way === null ? null : await findRow(db.manager, phoneLegs, { organizationId, callId, ...way });
    if (leg !== null) return leg;
  }
  return null;
}
