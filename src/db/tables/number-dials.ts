import { EntitySchema } from 'typeorm';
import { id, timestamp, reference, word } from './columns.ts';

/**
 * When campaigns dialed a number, for caps across campaigns. Rows are stored as long as the longest cap needs
 * them.
 */
export interface NumberDialRow {
  id: number;
  organizationId: number;
  /** Digits with country code, no plus. */
  phone: string;
  callId: number;
  dialedAt: Date;
}

export const numberDials = new EntitySchema<NumberDialRow>({
  name: 'number_dials',
  columns: {
    id: id('number_dials'),
    organizationId: reference('organization_id'),
    phone: word('phone', 20),
    callId: reference('call_id'),
    dialedAt: timestamp('dialed_at'),
  },
  indices: [
    { name: 'ix_number_dials_phone', columns: ['organizationId', 'phone', 'dialedAt'] },
    { name: 'uq_number_dials_call', columns: ['callId'], unique: true },
  ],
  foreignKeys: [
    {
      name: 'fk_number_dials_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    { name: 'fk_number_dials_call', target: 'calls', columnNames: ['callId'], referencedColumnNames: ['id'] },
  ],
});
