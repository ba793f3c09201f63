import { createHash } from 'node:crypto';
import { IsNull, type EntityManager } from 'typeorm';
import { existsRow, upsertRows } from '../../../db/rows.ts';
import type { DeliveryRow } from '../../../db/tables/deliveries.ts';
import { webhookEndpointSwitches } from '../../../db/tables/webhook-endpoint-switches.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';

type OfEndpoint = Pick<DeliveryRow, 'organizationId' | 'agentId' | 'nodeId' | 'url'>;

/** A hash that is the same for all deliveries of an endpoint. */
export function endpointKeyOf({ agentId, nodeId, url }: OfEndpoint): string {
  return createHash('sha256')
    .update(JSON.stringify([agentId, nodeId, url]))
    .digest('hex')
    .slice(0, 32);
}

/** True if the endpoint answered 410 and was not turned on since. Throws UnavailableError. */
export async function isSwitchedOff(manager: EntityManager, delivery: OfEndpoint): Promise<boolean> {
  try {
    return await existsRow(manager, webhookEndpointSwitches, {
      organizationId: delivery.organizationId,
      endpointKey: endpointKeyOf(delivery),
      turnedOnAt: IsNull(),
    });
  } catch (error) {
    throw translateUnavailable(error);
  }
}

/** Switches the endpoint of a delivery off, in the transaction that records its 410. */
export async function switchOff(
  tx: EntityManager,
  { id, organizationId, agentId, nodeId, url }: DeliveryRow,
  switchedOffAt: Date,
): Promise<void> {
  const endpointKey = endpointKeyOf({ organizationId, agentId, nodeId, url });
  await upsertRows(tx, webhookEndpointSwitches, [
    { organizationId, endpointKey, agentId, nodeId, url, deliveryId: id, switchedOffAt, turnedOnAt: null },
  ]);
}
