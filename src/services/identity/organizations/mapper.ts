import type { OrganizationContext, OrganizationPreferences } from '../../../contract/organizations.ts';
import type { OrganizationPreferencesRow } from '../../../db/tables/organization-preferences.ts';
import type { OrganizationRow } from '../../../db/tables/organizations.ts';

/** The answers of contract 13.3. */
export function toPreferences({
  testPhoneNumber,
  timezone,
  externalPbxEnabled,
}: OrganizationPreferencesRow): OrganizationPreferences {
  return {
    test_phone_number: testPhoneNumber,
    timezone,
    external_pbx_integrations_enabled: externalPbxEnabled,
  };
}

/** Preferences as the audit log compares them; of the number, only whether it is set. */
export function auditedPreferences({
  testPhoneNumber,
  timezone,
  externalPbxEnabled,
}: OrganizationPreferencesRow): object {
  return {
    test_phone_number: testPhoneNumber === null ? null : '[a number]',
    timezone,
    external_pbx_integrations_enabled: externalPbxEnabled,
  };
}

/** `hasModels`: the organization has its own models; else it uses the installation's. */
export function toOrganizationContext(
  { id, uuid, name }: OrganizationRow,
  { hasModels }: { hasModels: boolean },
): OrganizationContext {
  return {
    organization_id: id,
    organization_provider_id: uuid,
    organization_name: name,
    model_services: {
      config_source: hasModels ? 'organization_v2' : 'empty',
      has_model_configuration_v2: hasModels,
      managed_service_version: null,
      uses_managed_service_v2: false,
    },
  };
}
