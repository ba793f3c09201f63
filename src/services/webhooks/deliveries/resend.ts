import type { ResentWebhooks } from '../../../contract/webhook-deliveries.ts';
import { getRow, selectFrom } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { deliveries } from '../../../db/tables/deliveries.ts';
import { organizations } from '../../../db/tables/organizations.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import type { DeliverySelection, DeliveryStarter } from '../../../temporal/delivery-port.ts';
import { appendAudit, type ServiceContext, wireTimestamp, write } from '../../kernel/index.ts';
import { isSwitchedOff } from './endpoint.ts';
import { narrowed, type DeliveryFilter } from './filter.ts';
import { findDelivery } from './get.ts';

/** A larger number is more likely a mistake than intended. */
const maxAtOnce = 10_000;

/**
 * Sends one delivery again: a new attempt of the same delivery, with the same id and bytes, at once (contract
 * 9.4). If it fails, the schedule continues. Two simultaneous requests send it once. Throws NotFoundError,
 * PreconditionError for a switched-off endpoint or an erased body, UnavailableError.
 */
export async function resendDelivery({
  ctx,
  starter,
  input,
}: {
  ctx: ServiceContext;
  starter: DeliveryStarter;
  input: { uuid: string };
}): Promise<ResentWebhooks> {
  const delivery = await findDelivery(ctx, input.uuid);
  const { id, uuid, callId, attemptCount } = delivery;
  if (delivery.erasedAt !== null)
    throw new PreconditionError(
      `The body was erased at ${wireTimestamp(delivery.erasedAt)}, by retention or on request: there is nothing to send`,
    );
  if (await isSwitchedOff(ctx.db.manager, delivery))
    throw new PreconditionError(
      'The endpoint answered 410 and is switched off; turn it on to send this again',
    );
  const { uuid: callUuid } = await getRow(ctx.db, calls, { id: callId, organizationId: ctx.organizationId });
  const organizationUuid = await organizationUuidOf(ctx);
  await write(ctx, (tx) =>
    appendAudit(tx, {
      action: 'webhook_delivery.resend_requested',
      subjectKind: 'webhook_delivery',
      subjectId: id,
      subjectKey: uuid,
      changes: { attempt: attemptCount + 1 },
    }),
  );
  // guarantee: delivery-can-be-resent
  await starter.resend({
    deliveryUuid: uuid,
    callUuid,
    organizationUuid,
    startedAttempt: attemptCount + 1,
    resend: true,
  });
  return { queued: 1 };
}

/**
 * Sends every delivery of a filter again, oldest first, one after another. Leaves out deliveries that are
 * added meanwhile and those with an erased body. Throws PreconditionError (400) for a filter that narrows
 * nothing or matches more than 10,000 deliveries; UnavailableError.
 */
export async function resendDeliveries({
  ctx,
  starter,
  input,
}: {
  ctx: ServiceContext;
  starter: DeliveryStarter;
  input: { filter: DeliveryFilter };
}): Promise<ResentWebhooks> {
  const { filter } = input;
  if (Object.values(filter).every((value) => value === undefined))
    throw new PreconditionError('An empty filter matches every delivery: narrow it by at least one field', {
      status: 400,
    });
  const { organizationId } = ctx;
  const query = selectFrom(ctx.db, deliveries, { as: 'delivery', organizationId }).andWhere(
    'delivery.erasedAt IS NULL',
  );
  const found = await narrowed(query, filter)
    .select('COUNT(*)', 'count')
    .addSelect('MAX(delivery.id)', 'throughId')
    .getRawOne<{ count: string; throughId: string | null }>();
  const count = Number(found?.count ?? 0);
  if (count > maxAtOnce)
    throw new PreconditionError(`${count} deliveries are more than ${maxAtOnce}; narrow the filter`, {
      status: 400,
    });
  if (count === 0) return { queued: 0 };

  const drainUuid = ctx.ids.uuid();
  const organizationUuid = await organizationUuidOf(ctx);
  const storedFilter = withoutDates(filter);
  await write(ctx, (tx) =>
    appendAudit(tx, {
      action: 'webhook_deliveries.resend_requested',
      subjectKind: 'webhook_delivery',
      subjectId: null,
      changes: { count, drainUuid, filter: storedFilter },
    }),
  );
  await starter.drain({
    drainUuid,
    organizationUuid,
    selection: { organizationId, filter: storedFilter, throughId: Number(found?.throughId) },
    afterId: 0,
  });
  return { queued: count };
}

/** The filter with its dates as text, for JSON. */
function withoutDates({
  from,
  to,
  finishedFrom,
  finishedTo,
  ...others
}: DeliveryFilter): DeliverySelection['filter'] {
  return {
    ...others,
    from: from?.toISOString(),
    to: to?.toISOString(),
    finishedFrom: finishedFrom?.toISOString(),
    finishedTo: finishedTo?.toISOString(),
  };
}

async function organizationUuidOf({ db, organizationId }: ServiceContext): Promise<string> {
  return (await getRow(db, organizations, { id: organizationId })).uuid;
}
