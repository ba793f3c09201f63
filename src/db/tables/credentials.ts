import { EntitySchema } from 'typeorm';
import { id, json, longText, timestamp, nullable, reference, text, uuid, word } from './columns.ts';

export type CredentialType = 'none' | 'api_key' | 'bearer_token' | 'basic_auth' | 'custom_header';

/**
 * How we identify ourselves to a customer's endpoint; the data is encrypted. `liveName` is the name until the
 * row is deleted, so that names of existing credentials are unique.
 */
export interface CredentialRow {
  id: number;
  uuid: string;
  organizationId: number;
  name: string;
  liveName: string | null;
  description: string | null;
  type: CredentialType;
  dataEncrypted: string;
  /** `host` or `host:port` of the endpoints that it may be sent to; null = all. */
  allowedHosts: readonly string[] | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
}

export const credentials = new EntitySchema<CredentialRow>({
  name: 'credentials',
  columns: {
    id: id('credentials'),
    uuid: uuid(),
    organizationId: reference('organization_id'),
    name: text('name', 255),
    liveName: nullable(text('live_name', 255)),
    description: nullable(longText('description')),
    type: word('type', 32),
    dataEncrypted: longText('data_encrypted'),
    allowedHosts: nullable(json('allowed_hosts')),
    createdAt: timestamp('created_at'),
    updatedAt: timestamp('updated_at'),
    deletedAt: nullable(timestamp('deleted_at')),
  },
  indices: [
    { name: 'uq_credentials_uuid', columns: ['uuid'], unique: true },
    { name: 'uq_credentials_live_name', columns: ['organizationId', 'liveName'], unique: true },
  ],
  foreignKeys: [
    {
      name: 'fk_credentials_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
  ],
});
