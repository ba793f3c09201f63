import { EntitySchema } from 'typeorm';
import { longText, timestamp, nullable, primaryReference } from './columns.ts';

/**
 * The models of an organization with its keys: one encrypted document. Without a row, the installation's
 * models are used.
 */
export interface ModelConfigurationRow {
  organizationId: number;
  configurationEncrypted: string;
  updatedAt: Date;
  /** When its keys were last verified; null if not since the last change. */
  validatedAt: Date | null;
}

export const modelConfigurations = new EntitySchema<ModelConfigurationRow>({
  name: 'model_configurations',
  columns: {
    organizationId: primaryReference('organization_id', 'model_configurations'),
    configurationEncrypted: longText('configuration_encrypted'),
    updatedAt: timestamp('updated_at'),
    validatedAt: nullable(timestamp('validated_at')),
  },
  foreignKeys: [
    {
      name: 'fk_model_configurations_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
  ],
});
