import { IsNull } from 'typeorm';
import type { SwitchedOffEndpoint } from '../../../contract/webhook-endpoints.ts';
import { findRows, getRow } from '../../../db/rows.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import { webhookEndpointSwitches } from '../../../db/tables/webhook-endpoint-switches.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toSwitchedOffEndpoint } from './mapper.ts';

/** The organization's switched-off endpoints, oldest first. */
export async function listSwitchedOff({ ctx }: { ctx: ServiceContext }): Promise<SwitchedOffEndpoint[]> {
  const { organizationId } = ctx;
  const rows = await findRows(
    ctx.db,
    webhookEndpointSwitches,
    { organizationId, turnedOnAt: IsNull() },
    { order: { switchedOffAt: 'ASC', id: 'ASC' } },
  );
  return await Promise.all(
    rows.map(async (row) =>
      toSwitchedOffEndpoint(
        row,
        (await getRow(ctx.db, deliveries, { id: row.deliveryId, organizationId })).uuid,
      ),
    ),
  );
}
