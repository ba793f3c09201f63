import { EntitySchema } from 'typeorm';
import { id, longText, timestamp, nullable, reference, word } from './columns.ts';

/** The source of a suppression. */
export type SuppressionSource = 'api' | 'file' | 'call' | 'wrong_number';

/** A number that no campaign of the organization dials. */
export interface SuppressionRow {
  id: number;
  organizationId: number;
  /** Digits with country code, no plus. */
  phone: string;
  source: SuppressionSource;
  /** For people; empty without one. */
  reason: string;
  /** The call in which the callee opted out; otherwise null. */
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
