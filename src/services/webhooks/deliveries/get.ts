import type { WebhookDeliveryDetail } from '../../../contract/webhook-deliveries.ts';
import { findRow, findRows } from '../../../db/rows.ts';
import { deliveries, type DeliveryRow } from '../../../db/tables/deliveries.ts';
import { deliveryAttempts } from '../../../db/tables/delivery-attempts.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { isUuid } from '../../../domain/uuid.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toWebhookDeliveryDetail } from './mapper.ts';

/** One delivery with its attempts; secrets in headers are masked (contract 9.4). Throws NotFoundError. */
export async function getDelivery({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { uuid: string };
}): Promise<WebhookDeliveryDetail> {
  const delivery = await findDelivery(ctx, input.uuid);
  const where = { deliveryId: delivery.id, organizationId: ctx.organizationId };
  return toWebhookDeliveryDetail(
    delivery,
    await findRows(ctx.db, deliveryAttempts, where, { order: { number: 'ASC' } }),
  );
}

/** The row. Throws NotFoundError if it is unknown or of another organization. */
export async function findDelivery(
  { db, organizationId }: ServiceContext,
  uuid: string,
): Promise<DeliveryRow> {
  const row = isUuid(uuid) ? await findRow(db, deliveries, { uuid, organizationId }) : null;
  if (row === null) throw new NotFoundError('Webhook delivery not found');
  return row;
}
