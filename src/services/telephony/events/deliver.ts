import { findRow, updateRows } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { carrierEvents, type CarrierEventRow } from '../../../db/tables/carrier-events.ts';
import { phoneLegs, type PhoneLegRow } from '../../../db/tables/phone-legs.ts';
import { readClientState } from '../../../domain/telephony/client-state.ts';
import type { CarrierEvent } from '../../../domain/telephony/carrier-event.ts';
import { tellsOfLife } from '../../../domain/telephony/given-up-leg.ts';
import { generationIn } from '../../../domain/telephony/stream-url.ts';
import type { CarrierMessage } from '../../../providers/carrier/port.ts';
import { endGivenUpLeg } from '../legs/end-given-up-leg.ts';
import type { CarrierEventDeps } from './deps.ts';
import { noteLeg } from './note-leg.ts';

/**
 * A leg that its call gave up is tried to be hung up for so long; the carrier's own limit ends what is left.
 */
const maxPatienceMs = 120_000;

/**
 * Tells a kept event to its call, which knows what it was told: again does no harm. Of what says nothing to a
 * call, and of calls that are over, it is only noted that it was looked at; a leg that its call has given up,
 * and that lives, is hung up. Throws UnavailableError, and what the carrier answers; the event then waits for
 * `redeliverEvents`, as it does when this answers `waits`.
 */
export async function deliverEvent(
  deps: CarrierEventDeps,
  event: CarrierEventRow,
): Promise<'told' | 'waits'> {
  const { id, organizationId, callId } = event;
  const call = callId === null ? null : await findRow(deps.db.manager, calls, { id: callId, organizationId });
  const message = call === null || event.raw === null ? null : readKept(deps, call, event.raw);
  if (
    call !== null &&
    message !== null &&
    message.what !== null &&
    (await tell(deps, { event, call, message, what: message.what })) === 'waits'
  )
    return 'waits';
  await updateRows(deps.db.manager, carrierEvents, {
    where: { id, organizationId },
    change: { deliveredAt: deps.clock.now() },
  });
  return 'told';
}

/** The mode of a call by phone is its carrier. */
function readKept({ webhooks }: CarrierEventDeps, { mode }: CallRow, raw: unknown): CarrierMessage | null {
  return webhooks.get(mode)?.read(Buffer.from(JSON.stringify(raw)), generationIn) ?? null;
}

interface Told {
  event: CarrierEventRow;
  call: CallRow;
  message: CarrierMessage;
  what: CarrierEvent['what'];
}

/** The call first: somebody may be talking. */
async function tell(deps: CarrierEventDeps, told: Told): Promise<'told' | 'waits'> {
  const { call, message, what } = told;
  if (call.state === 'refused') return 'told';
  const leg = await legOf(deps, told);
  const outcome = await tellCall(deps, { ...told, leg });
  if (leg !== null) await noteLeg(deps, leg, { what, occurredAt: message.occurredAt });
  return outcome;
}

async function tellCall(
  deps: CarrierEventDeps,
  told: Told & { leg: PhoneLegRow | null },
): Promise<'told' | 'waits'> {
  const { call, leg, message, what } = told;
  if (leg !== null && leg.hangUpFrom !== null)
    return tellsOfLife(what) ? await endLeg(deps, told, leg) : 'told';
  if (call.state === 'ended') return 'told';
  const { eventId, occurredAt, leg: ids } = message;
  // guarantee: what-carrier-tells-kept
  const answer = await deps.calls.signalCarrierEvent(call.uuid, {
    eventId,
    occurredAt,
    leg: ids,
    role: leg?.role ?? 'main',
    what,
  });
  // A call that nothing runs is closed by the reconciler, which gives its legs up.
  return answer === 'gone' && tellsOfLife(what) && call.state !== 'pending' ? 'waits' : 'told';
}

/** The event waits until its leg is over, by whomever, or nobody can help it. */
async function endLeg(
  deps: CarrierEventDeps,
  { event, message }: Told,
  leg: PhoneLegRow,
): Promise<'told' | 'waits'> {
  if (leg.endedAt !== null) return 'told';
  const { accounts, clock, log } = deps;
  if (clock.now().getTime() - event.receivedAt.getTime() > maxPatienceMs) {
    log.error(
      { callId: leg.callId, legRowId: leg.id },
      'A line that its call had given up could not be hung up',
    );
    return 'told';
  }
  if (accounts === undefined) return 'waits';
  const ended = await endGivenUpLeg({
    deps: { ...deps, accounts },
    leg,
    callControlId: message.leg.callControlId,
  });
  return ended === 'ended' ? 'told' : 'waits';
}

/**
 * Which leg of the call an event is about: by our own reference, else by the carrier's ids; null where
 * nothing says.
 */
async function legOf(
  { db }: CarrierEventDeps,
  { call: { id: callId, organizationId }, message }: Told,
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
