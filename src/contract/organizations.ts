import { z } from 'zod';
import { AnyObject } from './common.ts';
import { record } from './lax/collections.ts';
import { boolean } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** Contract 13.3. */
export const OrganizationContext = z
  .object({
    organization_id: z.int(),
    organization_provider_id: z.string(),
    model_services: z.object({
      config_source: z
        .enum(['organization_v2', 'legacy_user_v1', 'empty'])
        .meta({ description: "`empty`: the operator's models are used." }),
      has_model_configuration_v2: z.boolean(),
      managed_service_version: z.int().nullable(),
      uses_managed_service_v2: z.boolean(),
    }),
  })
  .meta({ id: 'OrganizationContext', description: 'Whose key this is.' });
export type OrganizationContext = z.infer<typeof OrganizationContext>;

export const OrganizationPreferences = z
  .object({
    test_phone_number: z.string().nullable(),
    timezone: z.string().nullable(),
    external_pbx_integrations_enabled: z.boolean(),
  })
  .meta({ id: 'OrganizationPreferences', description: 'What the members of an organization agreed on.' });
export type OrganizationPreferences = z.infer<typeof OrganizationPreferences>;

export const UpdatePreferencesRequest = record({
  test_phone_number: text({ max: 64 }).nullish().meta({ description: 'Offered for test calls.' }),
  timezone: text({ max: 64 }).nullish().meta({ description: 'IANA name, e.g. `Europe/Berlin`.' }),
  external_pbx_integrations_enabled: boolean().optional().meta({
    description: 'Shown by editors; settings for a foreign telephone system are accepted either way.',
  }),
}).meta({ id: 'UpdatePreferencesRequest', description: 'Absent = unchanged; null = none.' });

export const DispositionCodes = z
  .object({ codes: z.array(z.string()), end_task_reason_codes: z.array(z.string()) })
  .meta({
    id: 'DispositionCodes',
    description: "Outcomes of calls; the second list is without the carriers' words.",
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
  summary: 'Whose key this is',
  description: 'The organization, and where its models come from.',
  answers: { 200: { description: 'The organization.', schema: OrganizationContext } },
});

export const getPreferences = route({
  method: 'get',
  path: '/organizations/preferences',
  id: 'getOrganizationPreferences',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read the preferences',
  description: 'Of the organization.',
  answers: { 200: { description: 'The preferences.', schema: OrganizationPreferences } },
});

export const updatePreferences = route({
  method: 'put',
  path: '/organizations/preferences',
  id: 'updateOrganizationPreferences',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Change the preferences',
  description: 'Only the fields that are sent.',
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
  summary: 'List outcomes of calls',
  description: 'Agents may extract others.',
  answers: { 200: { description: 'The outcomes.', schema: DispositionCodes } },
});

/** Contract 3.1, 13.2. Catalogs are empty for services that nothing here can use yet. */
export const ConfigurationDefaults = z
  .object({
    llm: AnyObject,
    tts: AnyObject,
    stt: AnyObject,
    embeddings: AnyObject,
    realtime: AnyObject,
    default_providers: AnyObject,
    workflow_configurations: AnyObject.meta({ description: 'What an absent setting of an agent means.' }),
    text_chat_inactivity_timeout_constraints: z.object({
      default_seconds: z.int(),
      minimum_seconds: z.int(),
      maximum_seconds: z.int(),
    }),
    widget_text_defaults: AnyObject,
  })
  .meta({ id: 'ConfigurationDefaults', description: 'What applies where nothing is set.' });
export type ConfigurationDefaults = z.infer<typeof ConfigurationDefaults>;

export const getConfigurationDefaults = route({
  method: 'get',
  path: '/user/configurations/defaults',
  id: 'getConfigurationDefaults',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'What applies where nothing is set',
  description: 'Defaults of the settings of agents.',
  answers: { 200: { description: 'The defaults.', schema: ConfigurationDefaults } },
});
