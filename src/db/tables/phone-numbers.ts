import { EntitySchema } from 'typeorm';
import { flag, id, json, timestamp, nullable, reference, text, word } from './columns.ts';

/**
 * A number of the platform at a carrier connection (contract 12.2). `address` is the number as entered,
 * `addressNormalized` its E.164 form if it is a public number.
 */
export interface PhoneNumberRow {
  id: number;
  organizationId: number;
  configurationId: number;
  address: string;
  addressNormalized: string;
  addressType: 'pstn' | 'sip_uri' | 'sip_extension';
  countryCode: string | null;
  label: string | null;
  /** The agent that answers calls to the number. */
  inboundAgentId: number | null;
  isActive: boolean;
  isDefaultCallerId: true | null;
  extraMetadata: Record<string, unknown>;
  createdAt: Date;
  updatedAt: Date;
}

export const phoneNumbers = new EntitySchema<PhoneNumberRow>({
  name: 'phone_numbers',
  columns: {
    id: id('phone_numbers'),
    organizationId: reference('organization_id'),
    configurationId: reference('configuration_id'),
    address: text('address', 255),
    addressNormalized: text('address_normalized', 255),
    addressType: word('address_type', 16),
    countryCode: nullable(word('country_code', 2)),
    label: nullable(text('label', 64)),
    inboundAgentId: nullable(reference('inbound_agent_id')),
    isActive: flag('is_active'),
    isDefaultCallerId: nullable(flag('is_default_caller_id')),
    extraMetadata: json('extra_metadata'),
    createdAt: timestamp('created_at'),
    updatedAt: timestamp('updated_at'),
  },
  indices: [
    { name: 'uq_phone_numbers_address', columns: ['organizationId', 'addressNormalized'], unique: true },
    {
      name: 'uq_phone_numbers_default_caller',
      columns: ['configurationId', 'isDefaultCallerId'],
      unique: true,
    },
  ],
  foreignKeys: [
    {
      name: 'fk_phone_numbers_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_phone_numbers_configuration',
      target: 'telephony_configurations',
      columnNames: ['configurationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_phone_numbers_inbound_agent',
      target: 'agents',
      columnNames: ['inboundAgentId'],
      referencedColumnNames: ['id'],
    },
  ],
});
