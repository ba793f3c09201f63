import { z } from 'zod';
import { AnyObject } from './common.ts';
import { route } from './route.ts';

const ProviderField = z.object({
  name: z.string(),
  label: z.string(),
  type: z.enum(['text', 'password', 'textarea', 'boolean', 'json']),
  required: z.boolean(),
  sensitive: z.boolean(),
  description: z.string(),
  placeholder: z.string().nullable(),
  options: z.array(AnyObject).nullable(),
  visible_when: AnyObject.nullable(),
  section: z.string().nullable(),
});

/** Contract 12.1. */
export const TelephonyProviders = z
  .object({
    providers: z.array(
      z.object({
        provider: z.string(),
        display_name: z.string(),
        connectivity: z.enum(['api', 'sip']),
        fields: z.array(ProviderField),
        docs_url: z.string(),
      }),
    ),
  })
  .meta({ id: 'TelephonyProviders', description: 'Supported carriers.' });
export type TelephonyProviders = z.infer<typeof TelephonyProviders>;

/** Contract 12.1. */
export const TelephonyConfigurationWarnings = z
  .object({
    telnyx_missing_webhook_public_key_count: z.int(),
    vonage_missing_signature_secret_count: z.int(),
  })
  .meta({
    id: 'TelephonyConfigurationWarnings',
    description: "Number of connections whose carrier's events cannot be verified.",
  });
export type TelephonyConfigurationWarnings = z.infer<typeof TelephonyConfigurationWarnings>;

/** The field that each warning is about. Without it, a carrier's events cannot be verified. */
export const unsignedConnections = {
  telnyx_missing_webhook_public_key_count: { provider: 'telnyx', field: 'webhook_public_key' },
  vonage_missing_signature_secret_count: { provider: 'vonage', field: 'signature_secret' },
} as const satisfies Record<keyof TelephonyConfigurationWarnings, { provider: string; field: string }>;

const tag = 'Telephony';

export const listTelephonyProviders = route({
  method: 'get',
  path: '/organizations/telephony-providers/metadata',
  id: 'listTelephonyProviders',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List carriers',
  description: 'Returns the supported carriers with the fields of their credentials, for editors.',
  answers: { 200: { description: 'The carriers.', schema: TelephonyProviders } },
});

export const getTelephonyWarnings = route({
  method: 'get',
  path: '/organizations/telephony-config-warnings',
  id: 'getTelephonyWarnings',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Count connections without a verification key',
  description: "Without the key, the service rejects all of the carrier's events, and calls cannot proceed.",
  answers: { 200: { description: 'The counts.', schema: TelephonyConfigurationWarnings } },
});
