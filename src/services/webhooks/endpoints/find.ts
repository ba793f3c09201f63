import { getRow } from '../../../db/rows.ts';
import { deliveries, type DeliveryRow } from '../../../db/tables/deliveries.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { knownEndpoints, type KnownEndpoint } from './known.ts';

/** An endpoint with the request that it gets: of the published version, else of its last delivery. */
export interface FoundEndpoint extends KnownEndpoint {
  request: Pick<DeliveryRow, 'organizationId' | 'method' | 'headers' | 'credentialUuid'>;
}

/** Throws NotFoundError if it is unknown or of another organization. */
export async function findEndpoint(ctx: ServiceContext, key: string): Promise<FoundEndpoint> {
  const { organizationId } = ctx;
  const endpoint = (await knownEndpoints(ctx)).find((each) => each.key === key);
  const deliveryId = endpoint?.used?.deliveryId ?? endpoint?.off?.deliveryId;
  if (endpoint?.node != null) {
    const { method, customHeaders: headers, credentialUuid } = endpoint.node;
    return { ...endpoint, request: { organizationId, method, headers, credentialUuid } };
  }
  if (endpoint === undefined || deliveryId === undefined)
    throw new NotFoundError('Webhook endpoint not found');
  return { ...endpoint, request: await getRow(ctx.db, deliveries, { id: deliveryId, organizationId }) };
}
