import { EntitySchema } from 'typeorm';
import { id, longText, timestamp, nullable, reference, uuid } from './columns.ts';

/** Secrets that sign deliveries (`whsec_…`, encrypted). Every secret that is not retired signs. */
export interface WebhookSecretRow {
  id: number;
  uuid: string;
  organizationId: number;
  secretEncrypted: string;
  createdAt: Date;
  retiredAt: Date | null;
}

export const webhookSecrets = new EntitySchema<WebhookSecretRow>({
  name: 'webhook_secrets',
  columns: {
    id: id('webhook_secrets'),
    uuid: uuid(),
    organizationId: reference('organization_id'),
    secretEncrypted: longText('secret_encrypted'),
    createdAt: timestamp('created_at'),
    retiredAt: nullable(timestamp('retired_at')),
  },
  indices: [
    { name: 'uq_webhook_secrets_uuid', columns: ['uuid'], unique: true },
    { name: 'ix_webhook_secrets_organization', columns: ['organizationId', 'createdAt'] },
  ],
  foreignKeys: [
    {
      name: 'fk_webhook_secrets_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
  ],
});
