import type { DataSource } from 'typeorm';
import { selectFrom } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { deliveries, type DeliveryRow } from '../../../db/tables/deliveries.ts';
import { translateUnavailable } from '../../../db/unavailable.ts';
import { narrowed, type DeliveryFilter } from './filter.ts';

/** The deliveries of an organization that existed at one point in time. */
export interface Selection {
  organizationId: number;
  filter: DeliveryFilter;
  /** Row id of the newest delivery. */
  throughId: number;
}

export interface SelectedDelivery {
  id: number;
  deliveryUuid: string;
  callUuid: string;
  /** The number of the attempt that sends it again. */
  attempt: number;
  /** True if an attempt is in progress or the first one is about to begin. */
  isUnderWay: boolean;
}

/** The maximum number of rows per answer, which a Workflow's history stores. */
const pageSize = 20;

/** The next deliveries to be sent again, oldest first. Throws UnavailableError. */
export async function selectDeliveries({
  db,
  selection,
  afterId,
}: {
  db: DataSource;
  selection: Selection;
  afterId: number;
}): Promise<SelectedDelivery[]> {
  const { organizationId, filter, throughId } = selection;
  try {
    const query = selectFrom(db, deliveries, { as: 'delivery', organizationId })
      .innerJoin(calls.options.name, 'call', 'call.id = delivery.callId')
      .addSelect('call.uuid', 'call_uuid')
      .andWhere('delivery.id > :afterId AND delivery.id <= :throughId AND delivery.erasedAt IS NULL', {
        afterId,
        throughId,
      });
    const { entities, raw } = await narrowed(query, filter)
      .orderBy('delivery.id', 'ASC')
      .limit(pageSize)
      .getRawAndEntities<{ call_uuid: string }>();
    return entities.map((row, index) => toSelected(row, raw[index]?.call_uuid ?? ''));
  } catch (error) {
    throw translateUnavailable(error);
  }
}

function toSelected(
  { id, uuid, state, attemptCount, nextAttemptAt, pumpAt }: DeliveryRow,
  callUuid: string,
): SelectedDelivery {
  const isUnderWay = state === 'pending' && nextAttemptAt === null;
  // The pump's attempt, which no Workflow makes yet.
  const isFirst = isUnderWay && pumpAt !== null;
  return {
    id,
    deliveryUuid: uuid,
    callUuid,
    attempt: isFirst ? 1 : attemptCount + 1,
    isUnderWay,
  };
}
