import { IsNull, LessThan } from 'typeorm';
import { carrierEvents } from '../../db/tables/carrier-events.ts';
import { deliverEvent } from './deliver.ts';
import type { CarrierEventDeps } from './deps.ts';

/** Whoever took an event tells it at once: one that is younger may be on its way. */
const graceMs = 1000;
const mostAtOnce = 100;

/**
 * Tells calls what they could not be told when it came: Temporal was away, or the process died. Oldest first; answers how many were told. Any number
 * of processes may do this at once: a call that is told twice knows the event.
 */
export async function redeliverEvents(deps: CarrierEventDeps, signal: AbortSignal): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - graceMs);
  // Of all organizations: each event says whose it is.
  const waiting = await deps.db.getRepository(carrierEvents).find({ where: { deliveredAt: IsNull(), receivedAt: LessThan(before) }, order: { id: 'ASC' }, take: mostAtOnce });
  for (const event of waiting) {
    signal.throwIfAborted();
    await deliverEvent(deps, event);
  }
  return waiting.length;
}
