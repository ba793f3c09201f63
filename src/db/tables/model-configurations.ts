import { EntitySchema } from 'typeorm';
import { longText, timestamp, nullable, primaryReference } from '../columns.ts';

/**
 * Which models an organization brings, with its keys: one document, encrypted. No row = the installation's
 * models.
 */
export interface ModelConfigurationRow {
  organizationId: number;
  configurationEncrypted: string;
  updatedAt: Date;
  /** When its keys were last found good; null = not since they were changed. */
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
