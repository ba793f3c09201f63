import { In, IsNull } from 'typeorm';
import { updateRows } from '../../../db/rows.ts';
import { phoneLegs, type PhoneLegRow } from '../../../db/tables/phone-legs.ts';
import type { CarrierEvent } from '../../../domain/telephony/carrier-event.ts';
import type { CarrierEventDeps } from './deps.ts';

/**
 * Records the progress of a leg in its row. The state never goes back, whatever the order of the events. The
 * call keeps its own state and does not wait for this.
 */
export async function noteLeg(
  { db }: Pick<CarrierEventDeps, 'db'>,
  { id, organizationId, endedAt }: PhoneLegRow,
  { what, occurredAt }: Pick<CarrierEvent, 'what' | 'occurredAt'>,
): Promise<void> {
  const at = new Date(occurredAt);
  switch (what.kind) {
    case 'ringing':
      await updateRows(db.manager, phoneLegs, {
        where: { id, organizationId, state: In(['new', 'dialing']) },
        change: { state: 'ringing' },
      });
      return;
    case 'answered':
      await updateRows(db.manager, phoneLegs, {
        where: { id, organizationId, state: In(['new', 'dialing', 'ringing']) },
        change: { state: 'answered', answeredAt: at },
      });
      return;
    case 'hangup':
      await updateRows(db.manager, phoneLegs, {
        where: { id, organizationId, hangupCause: IsNull() },
        change: { state: 'ended', hangupCause: what.cause.slice(0, 64), endedAt: endedAt ?? at },
      });
      return;
    default:
  }
}
