import { EntitySchema } from 'typeorm';
import { id, integer, longText, timestamp, nullable, reference, word } from './columns.ts';

export type AttemptState = 'started' | 'succeeded' | 'failed';

/** One attempt of a delivery. `started` until its outcome is known. */
export interface DeliveryAttemptRow {
  id: number;
  organizationId: number;
  deliveryId: number;
  number: number;
  state: AttemptState;
  startedAt: Date;
  durationMs: number | null;
  statusCode: number | null;
  error: string | null;
  responseExcerpt: string | null;
}

export const deliveryAttempts = new EntitySchema<DeliveryAttemptRow>({
  name: 'delivery_attempts',
  columns: {
    id: id('delivery_attempts'),
    organizationId: reference('organization_id'),
    deliveryId: reference('delivery_id'),
    number: integer('number'),
    state: word('state', 16),
    startedAt: timestamp('started_at'),
    durationMs: nullable(integer('duration_ms')),
    statusCode: nullable(integer('status_code')),
    error: nullable(longText('error')),
    responseExcerpt: nullable(longText('response_excerpt')),
  },
  indices: [{ name: 'uq_delivery_attempts_number', columns: ['deliveryId', 'number'], unique: true }],
  foreignKeys: [
    {
      name: 'fk_delivery_attempts_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_delivery_attempts_delivery',
      target: 'deliveries',
      columnNames: ['deliveryId'],
      referencedColumnNames: ['id'],
    },
  ],
});
