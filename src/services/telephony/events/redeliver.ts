import { IsNull, LessThan } from 'typeorm';
import { acrossOrganizations, findRows } from '../../../db/rows.ts';
import { carrierEvents, type CarrierEventRow } from '../../../db/tables/carrier-events.ts';
import { UnavailableError } from '../../../domain/errors.ts';
import { deliverEvent } from './deliver.ts';
import type { CarrierEventDeps } from './deps.ts';

/** Whoever took an event tells it at once: one that is younger may be on its way. */
const graceMs = 1000;
const maxAtOnce = 100;

/**
 * Tells calls what they could not be told when it came: Temporal was away, or the process died; and hangs up
 * legs that their calls gave up. Oldest first; answers how many were told. Any number of processes may do
 * this at once: a call that is told twice knows the event.
 */
export async function redeliverEvents(deps: CarrierEventDeps, signal: AbortSignal): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - graceMs);
  const waiting = await findRows(
    acrossOrganizations(deps.db, 'events of every organization wait; each says whose it is'),
    carrierEvents,
    { deliveredAt: IsNull(), receivedAt: LessThan(before) },
    { order: { id: 'ASC' }, take: maxAtOnce },
  );
  let told = 0;
  for (const event of waiting) {
    signal.throwIfAborted();
    if (await isTold(deps, event)) told += 1;
  }
  return told;
}

/**
 * One that cannot be told keeps waiting and holds up no other; when Temporal or MySQL is away none can be
 * told now.
 */
async function isTold(deps: CarrierEventDeps, event: CarrierEventRow): Promise<boolean> {
  try {
    return (await deliverEvent(deps, event)) === 'told';
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    deps.log.error(
      { err: error, callId: event.callId, eventType: event.eventType },
      'An event of a carrier cannot be told to its call',
    );
    return false;
  }
}
