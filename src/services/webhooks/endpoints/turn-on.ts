import type { ResentWebhooks } from '../../../contract/webhook-deliveries.ts';
import { findRow, updateRows } from '../../../db/rows.ts';
import {
  webhookEndpointSwitches,
  type WebhookEndpointSwitchRow,
} from '../../../db/tables/webhook-endpoint-switches.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import type { DeliveryStarter } from '../../../temporal/delivery-port.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import { resendDeliveries } from '../deliveries/resend.ts';

/**
 * Turns on an endpoint that answered 410, and sends the deliveries that became dead letters while it was off,
 * oldest first, one after another. A repeated call sends the rest of them. Throws NotFoundError for an
 * endpoint that was never off, UnavailableError.
 */
export async function turnOnEndpoint({
  ctx,
  starter,
  input,
}: {
  ctx: ServiceContext;
  starter: DeliveryStarter;
  input: { endpointKey: string };
}): Promise<ResentWebhooks> {
  const { deliveryId, switchedOffAt, turnedOnAt } = await turnedOn(ctx, input.endpointKey);
  return await resendDeliveries({
    ctx,
    starter,
    input: {
      filter: {
        state: 'dead_letter',
        endpointOf: deliveryId,
        finishedFrom: switchedOffAt,
        finishedTo: turnedOnAt,
      },
    },
  });
}

async function turnedOn(
  ctx: ServiceContext,
  endpointKey: string,
): Promise<WebhookEndpointSwitchRow & { turnedOnAt: Date }> {
  const { organizationId } = ctx;
  return await write(ctx, async (tx) => {
    const row = /^[0-9a-f]{32}$/.test(endpointKey)
      ? await findRow(tx, webhookEndpointSwitches, { organizationId, endpointKey }, { isLocked: true })
      : null;
    if (row === null) throw new NotFoundError('Webhook endpoint not found');
    if (row.turnedOnAt !== null) return { ...row, turnedOnAt: row.turnedOnAt };
    const turnedOnAt = ctx.clock.now();
    await updateRows(tx, webhookEndpointSwitches, {
      where: { id: row.id, organizationId },
      change: { turnedOnAt },
    });
    await appendAudit(tx, {
      action: 'webhook_endpoint.turned_on',
      subjectKind: 'webhook_endpoint',
      subjectId: row.id,
      subjectKey: endpointKey,
      changes: { agentId: row.agentId, nodeId: row.nodeId },
    });
    return { ...row, turnedOnAt };
  });
}
