import type { OrganizationContext, OrganizationPreferences } from '../../contract/organizations.ts';
import type { OrganizationPreferencesRow } from '../../db/tables/organization-preferences.ts';
import type { OrganizationRow } from '../../db/tables/organizations.ts';

/** The answers of contract 13.3. */
export function toPreferences({ testPhoneNumber, timezone, externalPbxEnabled }: OrganizationPreferencesRow): OrganizationPreferences {
  return { test_phone_number: testPhoneNumber, timezone, external_pbx_integrations_enabled: externalPbxEnabled };
}

/** Models are those of the operator; an organization has none of its own. */
export function toOrganizationContext({ id, uuid }: OrganizationRow): OrganizationContext {
  return {
    organization_id: id,
    organization_provider_id: uuid,
    model_services: { config_source: 'empty', has_model_configuration_v2: false, managed_service_version: null, uses_managed_service_v2: false },
  };
}
