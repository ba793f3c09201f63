import { EntitySchema } from 'typeorm';
import { id, longText, timestamp, nullable, reference, word } from '../columns.ts';

/** Who asked that a number is not dialed. */
export type SuppressionSource = 'api' | 'file' | 'call' | 'wrong_number';

/** A number that the organization never dials, whatever campaign it stands in. */
export interface SuppressionRow {
  id: number;
  organizationId: number;
  /** Digits with country code, no plus. */
  phone: string;
  source: SuppressionSource;
  /** For people; empty = none was given. */
  reason: string;
  /** In which it was asked for; null else. */
  callId: number | null;
  createdByUserId: number | null;
  createdAt: Date;
}

export const suppressions = new EntitySchema<SuppressionRow>({
  name: 'suppressions',
  columns: {
    id: id('suppressions'),
    organizationId: reference('organization_id'),
    phone: word('phone', 20),
    source: word('source', 16),
    reason: longText('reason'),
    callId: nullable(reference('call_id')),
    createdByUserId: nullable(reference('created_by_user_id')),
    createdAt: timestamp('created_at'),
  },
  indices: [
    { name: 'uq_suppressions_phone', columns: ['organizationId', 'phone'], unique: true },
    { name: 'ix_suppressions_list', columns: ['organizationId', 'createdAt'] },
  ],
  foreignKeys: [
    {
      name: 'fk_suppressions_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
  ],
});
