import { IsNull, MoreThan, Not, Raw, type DataSource, type EntityManager } from 'typeorm';
import { existsRow, findRow, updateRows } from '../../../db/rows.ts';
import { deliveries, type DeliveryRow } from '../../../db/tables/deliveries.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import { endpointKeyOf } from './endpoint.ts';

/**
 * The deliveries that wait for one endpoint, which has just accepted one. An endpoint is a webhook node of an
 * agent and its URL.
 */
export interface Backlog {
  organizationId: number;
  /** Row id of a delivery to the endpoint; the URL itself stays in MySQL. */
  deliveryId: number;
  /** A hash that is the same for all deliveries of the endpoint. */
  endpointKey: string;
}

export interface WaitingDelivery {
  id: number;
  deliveryUuid: string;
  attempt: number;
}

/** The endpoint's backlog; null if no delivery waits. Throws UnavailableError. */
export async function backlogOf(db: DataSource, delivery: DeliveryRow): Promise<Backlog | null> {
  try {
    return await backlogWithin(db.manager, delivery);
  } catch (error) {
    throw translateUnavailable(error);
  }
}

/** `backlogOf` inside the caller's transaction. */
export async function backlogWithin(db: EntityManager, delivery: DeliveryRow): Promise<Backlog | null> {
  const { id, organizationId } = delivery;
  const waits = await existsRow(db, deliveries, { organizationId, ...waitingOf(delivery) });
  return waits ? { organizationId, deliveryId: id, endpointKey: endpointKeyOf(delivery) } : null;
}

/**
 * Takes the oldest waiting delivery of an endpoint after `afterId`, to be attempted now. Takes a delivery
 * only once between two attempts of its own schedule, so that a delivery that fails because of its content
 * does not use up its schedule early.
 */
export async function takeWaiting({
  db,
  input,
}: {
  db: DataSource;
  input: Backlog & { afterId: number };
}): Promise<WaitingDelivery | null> {
  const { organizationId, deliveryId, afterId } = input;
  return await inTransaction(db, async (tx) => {
    const endpoint = await findRow(tx, deliveries, { id: deliveryId, organizationId });
    if (endpoint === null) return null;
    const next = await findRow(
      tx,
      deliveries,
      { organizationId, ...waitingOf(endpoint), id: MoreThan(afterId) },
      { order: { id: 'ASC' }, isLocked: true },
    );
    if (next === null) return null;
    const attempt = next.attemptCount + 1;
    await updateRows(tx, deliveries, {
      where: { id: next.id, organizationId },
      change: { wokenAttempt: attempt },
    });
    return { id: next.id, deliveryUuid: next.uuid, attempt };
  });
}

function waitingOf({ agentId, nodeId, url }: DeliveryRow) {
  const wokenAttempt = Raw((column) => `(${column} IS NULL OR ${column} < attempt_count)`);
  return { agentId, nodeId, url, state: 'pending' as const, nextAttemptAt: Not(IsNull()), wokenAttempt };
}
