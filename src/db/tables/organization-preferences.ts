import { EntitySchema } from 'typeorm';
import { flag, timestamp, nullable, primaryReference, text, word } from './columns.ts';

/** Preferences that the members of an organization share; no row before the first change. */
export interface OrganizationPreferencesRow {
  organizationId: number;
  testPhoneNumber: string | null;
  timezone: string | null;
  externalPbxEnabled: boolean;
  updatedAt: Date;
}

export const organizationPreferences = new EntitySchema<OrganizationPreferencesRow>({
  name: 'organization_preferences',
  columns: {
    organizationId: primaryReference('organization_id', 'organization_preferences'),
    testPhoneNumber: nullable(text('test_phone_number', 64)),
    timezone: nullable(word('timezone', 64)),
    externalPbxEnabled: flag('external_pbx_enabled'),
    updatedAt: timestamp('updated_at'),
  },
  foreignKeys: [
    {
      name: 'fk_organization_preferences_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
  ],
});
