import { EntitySchema } from 'typeorm';
import { id, json, timestamp, nullable, reference, word } from './columns.ts';

/**
 * One carrier event, as received. Stored before it is answered; `deliveredAt` is set when the call's Workflow
 * has the event or does not need it.
 */
export interface CarrierEventRow {
  id: number;
  organizationId: number;
  /** Null while its call is unknown. */
  callId: number | null;
  /** The carrier's id; it identifies a second delivery of the same event. */
  eventId: string;
  /** The carrier's name of the event, such as `call.answered`. */
  eventType: string;
  occurredAt: Date;
  /** The event as received; null once the call's values were erased. */
  raw: Record<string, unknown> | null;
  receivedAt: Date;
  deliveredAt: Date | null;
}

export const carrierEvents = new EntitySchema<CarrierEventRow>({
  name: 'carrier_events',
  columns: {
    id: id('carrier_events'),
    organizationId: reference('organization_id'),
    callId: nullable(reference('call_id')),
    eventId: word('event_id', 96),
    eventType: word('event_type', 96),
    occurredAt: timestamp('occurred_at'),
    raw: nullable(json('raw')),
    receivedAt: timestamp('received_at'),
    deliveredAt: nullable(timestamp('delivered_at')),
  },
  indices: [
    { name: 'uq_carrier_events_event', columns: ['organizationId', 'eventId'], unique: true },
    { name: 'ix_carrier_events_call', columns: ['callId', 'occurredAt'] },
    { name: 'ix_carrier_events_undelivered', columns: ['deliveredAt', 'receivedAt'] },
  ],
  foreignKeys: [
    {
      name: 'fk_carrier_events_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_carrier_events_call',
      target: 'calls',
      columnNames: ['callId'],
      referencedColumnNames: ['id'],
    },
  ],
});
