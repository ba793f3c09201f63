import { IsNull, LessThan } from 'typeorm';
import { acrossOrganizations, findRows } from '../../../db/rows.ts';
import { carrierEvents, type CarrierEventRow } from '../../../db/tables/carrier-events.ts';
import { UnavailableError } from '../../../domain/errors.ts';
import { deliverEvent } from './deliver.ts';
import type { CarrierEventDeps } from './deps.ts';

/** The process that received an event delivers it at once, so a younger event may still be in delivery. */
const graceMs = 1000;
const maxAtOnce = 100;

/**
 * Delivers the events whose first delivery failed, because Temporal was unavailable or the process died, and
 * hangs up given-up legs. Oldest first; answers how many events it delivered. Any number of processes may run
 * this at once: a call ignores an event that it already has.
 */
export async function redeliverEvents(deps: CarrierEventDeps, signal: AbortSignal): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - graceMs);
  const waiting = await findRows(
    acrossOrganizations(deps.db, 'events of every organization wait; each row names its organization'),
    carrierEvents,
    { deliveredAt: IsNull(), receivedAt: LessThan(before) },
    { order: { id: 'ASC' }, take: maxAtOnce },
  );
  let delivered = 0;
  for (const event of waiting) {
    signal.throwIfAborted();
    if (await tryDeliver(deps, event)) delivered += 1;
  }
  return delivered;
}

/**
 * An event that fails keeps waiting and does not hold up the others. Throws UnavailableError when Temporal or
 * MySQL is down, because then no event can be delivered.
 */
async function tryDeliver(deps: CarrierEventDeps, event: CarrierEventRow): Promise<boolean> {
  try {
    return (await deliverEvent(deps, event)) === 'delivered';
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    deps.log.error(
      { err: error, callId: event.callId, eventType: event.eventType },
      'A carrier event could not be delivered to its call',
    );
    return false;
  }
}
