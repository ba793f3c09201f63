import { EntitySchema } from 'typeorm';
import { flag, id, longText, timestamp, nullable, reference, text, word } from './columns.ts';

/**
 * An organization's connection to a carrier (contract 12.1); its credentials are encrypted. Flags that at
 * most one row may have are null in all other rows.
 */
export interface TelephonyConfigurationRow {
  id: number;
  organizationId: number;
  name: string;
  provider: string;
  connectivity: 'api' | 'sip';
  isDefaultOutbound: true | null;
  credentialsEncrypted: string;
  inactiveSince: Date | null;
  inactiveReason: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export const telephonyConfigurations = new EntitySchema<TelephonyConfigurationRow>({
  name: 'telephony_configurations',
  columns: {
    id: id('telephony_configurations'),
    organizationId: reference('organization_id'),
    name: text('name', 64),
    provider: word('provider', 32),
    connectivity: word('connectivity', 8),
    isDefaultOutbound: nullable(flag('is_default_outbound')),
    credentialsEncrypted: longText('credentials_encrypted'),
    inactiveSince: nullable(timestamp('inactive_since')),
    inactiveReason: nullable(longText('inactive_reason')),
    createdAt: timestamp('created_at'),
    updatedAt: timestamp('updated_at'),
  },
  indices: [
    { name: 'uq_telephony_configurations_name', columns: ['organizationId', 'name'], unique: true },
    {
      name: 'uq_telephony_configurations_default',
      columns: ['organizationId', 'isDefaultOutbound'],
      unique: true,
    },
  ],
  foreignKeys: [
    {
      name: 'fk_telephony_configurations_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
  ],
});
