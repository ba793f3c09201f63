import { z } from 'zod';
import { AnyObject } from './common.ts';
import { record } from './lax/collections.ts';
import { boolean } from './lax/number.ts';
import { text } from './lax/text.ts';
import { zoneName } from './lax/zone.ts';
import { masked } from './personal.ts';
import { route } from './route.ts';

/** Contract 13.3. */
export const OrganizationContext = z
  .object({
    organization_id: z.int(),
    organization_provider_id: z.string(),
    organization_name: z.string(),
    model_services: z.object({
      config_source: z.enum(['organization_v2', 'legacy_user_v1', 'empty']).meta({
        description: "Source of the models. `empty` means that the installation's models are used.",
      }),
      has_model_configuration_v2: z.boolean(),
      managed_service_version: z.int().nullable(),
      uses_managed_service_v2: z.boolean(),
    }),
  })
  .meta({ id: 'OrganizationContext', description: 'The organization of the caller.' });
export type OrganizationContext = z.infer<typeof OrganizationContext>;

export const OrganizationPreferences = z
  .object({
    test_phone_number: masked(z.string().nullable()),
    timezone: z.string().nullable(),
    external_pbx_integrations_enabled: z.boolean(),
  })
  .meta({ id: 'OrganizationPreferences', description: 'Preferences of an organization.' });
export type OrganizationPreferences = z.infer<typeof OrganizationPreferences>;

export const UpdatePreferencesRequest = record({
  test_phone_number: text({ max: 64 })
    .nullish()
    .meta({ description: 'Default number for test calls. Null means none.' }),
  timezone: zoneName()
    .nullish()
    .meta({ description: 'IANA name of the time zone, for example `Europe/Berlin`. Null means UTC.' }),
  external_pbx_integrations_enabled: boolean().optional().meta({
    description:
      'Whether editors show settings for an external PBX. The API accepts such settings either way.',
  }),
}).meta({
  id: 'UpdatePreferencesRequest',
  description: 'Fields to change. Absent means unchanged, null clears the field.',
});

export const DispositionCodes = z
  .object({ codes: z.array(z.string()), end_task_reason_codes: z.array(z.string()) })
  .meta({
    id: 'DispositionCodes',
    description: "Dispositions of calls. The second list does not have the carriers' dispositions.",
  });
export type DispositionCodes = z.infer<typeof DispositionCodes>;

const tag = 'Organization';

export const getOrganizationContext = route({
  method: 'get',
  path: '/organizations/context',
  id: 'getOrganizationContext',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get the organization',
  description: "Returns the caller's organization and the source of its models.",
  answers: { 200: { description: 'The organization.', schema: OrganizationContext } },
});

export const getPreferences = route({
  method: 'get',
  path: '/organizations/preferences',
  id: 'getOrganizationPreferences',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get the preferences',
  description: 'Returns the preferences of the organization.',
  answers: { 200: { description: 'The preferences.', schema: OrganizationPreferences } },
});

export const updatePreferences = route({
  method: 'put',
  path: '/organizations/preferences',
  id: 'updateOrganizationPreferences',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Update the preferences',
  description: 'Changes only the fields that are sent.',
  body: UpdatePreferencesRequest,
  answers: { 200: { description: 'The preferences.', schema: OrganizationPreferences } },
});

export const listDispositionCodes = route({
  method: 'get',
  path: '/organizations/disposition-codes',
  id: 'listDispositionCodes',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List dispositions',
  description: 'Returns the dispositions that the service sets. Agents may extract others.',
  answers: { 200: { description: 'The dispositions.', schema: DispositionCodes } },
});

/** Contract 3.1, 13.2. Catalogs of services that are not supported are empty. */
export const ConfigurationDefaults = z
  .object({
    llm: AnyObject,
    tts: AnyObject,
    stt: AnyObject,
    embeddings: AnyObject,
    realtime: AnyObject,
    default_providers: AnyObject,
    workflow_configurations: AnyObject.meta({ description: 'Defaults of the settings of agents.' }),
    text_chat_inactivity_timeout_constraints: z.object({
      default_seconds: z.int(),
      minimum_seconds: z.int(),
      maximum_seconds: z.int(),
    }),
    widget_text_defaults: AnyObject,
  })
  .meta({ id: 'ConfigurationDefaults', description: 'Defaults of settings and models.' });
export type ConfigurationDefaults = z.infer<typeof ConfigurationDefaults>;

export const getConfigurationDefaults = route({
  method: 'get',
  path: '/user/configurations/defaults',
  id: 'getConfigurationDefaults',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get the defaults',
  description: 'Returns the defaults of the settings of agents, and the supported vendors of models.',
  answers: { 200: { description: 'The defaults.', schema: ConfigurationDefaults } },
});
