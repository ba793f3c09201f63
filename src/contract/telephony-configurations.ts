import { z } from 'zod';
import {
  AnyObject,
  DateTime,
  ErrorBody,
  HTTPValidationError,
  IdempotencyHeaders,
  notFound,
  PathInteger,
} from './common.ts';
import { freeForm, record } from './lax/collections.ts';
import { boolean } from './lax/number.ts';
import { tagged } from './lax/tagged.ts';
import { literal, text } from './lax/text.ts';
import { route } from './route.ts';

const needed = () => text({ min: 1, max: 8192 });
const optional = () => text({ max: 255 }).nullish();

/** Base64 of 32 bytes. */
const publicKeyPattern = '^[A-Za-z0-9+/]{43}=$';

const authPair = { auth_id: needed(), auth_token: needed(), application_id: optional() };

/** By provider, in the order in which a 422 lists them (contract 12.1). */
const credentials = {
  ari: record({
    provider: literal('ari'),
    ari_endpoint: needed(),
    app_name: needed(),
    app_password: needed(),
    ws_client_name: optional(),
    external_pbx: freeForm().nullish(),
  }),
  cloudonix: record({
    provider: literal('cloudonix'),
    bearer_token: needed(),
    domain_id: needed(),
    application_name: optional(),
  }),
  plivo: record({ provider: literal('plivo'), ...authPair }),
  telnyx: record({
    provider: literal('telnyx'),
    api_key: needed(),
    connection_id: optional(),
    webhook_public_key: text({ pattern: publicKeyPattern, trim: true }).nullish(),
  }),
  twilio: record({
    provider: literal('twilio'),
    account_sid: needed(),
    auth_token: needed(),
    amd_enabled: boolean().default(false),
  }),
  vobiz: record({ provider: literal('vobiz'), ...authPair }),
  vonage: record({
    provider: literal('vonage'),
    api_key: needed(),
    api_secret: needed(),
    application_id: needed(),
    private_key: needed(),
    signature_secret: optional(),
  }),
};

/** Contract 12.1. */
export const TelephonyCredentials = tagged('provider', Object.keys(credentials), [
  credentials.ari,
  credentials.cloudonix,
  credentials.plivo,
  credentials.telnyx,
  credentials.twilio,
  credentials.vobiz,
  credentials.vonage,
]).meta({
  id: 'TelephonyCredentials',
  description:
    'Which carrier, and what it takes to speak for the account. A masked secret that is sent back means the stored one.',
});
export type TelephonyCredentials = z.output<typeof TelephonyCredentials>;

const name = () => text({ min: 1, max: 64 });

export const CreateTelephonyConfigurationRequest = record({
  name: name(),
  is_default_outbound: boolean().default(false),
  config: TelephonyCredentials,
}).meta({
  id: 'CreateTelephonyConfigurationRequest',
  description: 'A connection to an account at a carrier.',
});

/** Contract 12.1: absent and null both mean unchanged. */
export const UpdateTelephonyConfigurationRequest = record({
  name: name().nullish(),
  config: TelephonyCredentials.nullish(),
}).meta({
  id: 'UpdateTelephonyConfigurationRequest',
  description: 'Only what is to change; null means unchanged.',
});

const connection = {
  id: z.int(),
  name: z.string(),
  provider: z.string(),
  connectivity: z.enum(['api', 'sip']),
  is_default_outbound: z.boolean(),
  inactive: z.boolean(),
  inactive_since: DateTime.nullable(),
  inactive_reason: z.string().nullable(),
};
const moments = { created_at: DateTime, updated_at: DateTime };
const readiness = z
  .string()
  .nullable()
  .meta({ description: 'What is missing; null when calls can be made with it.' });

/** Contract 12.1. */
export const TelephonyConfiguration = z
  .object({
    ...connection,
    phone_number_count: z.int(),
    is_ready_for_outbound: z.boolean(),
    outbound_blocked_reason: readiness,
    ...moments,
  })
  .meta({ id: 'TelephonyConfiguration', description: 'A connection to an account at a carrier, in lists.' });
export type TelephonyConfiguration = z.infer<typeof TelephonyConfiguration>;

export const TelephonyConfigurationList = z
  .object({ configurations: z.array(TelephonyConfiguration) })
  .meta({ id: 'TelephonyConfigurationList', description: 'The connections.' });
export type TelephonyConfigurationList = z.infer<typeof TelephonyConfigurationList>;

const SetupStep = z.object({
  key: z.string(),
  title: z.string(),
  description: z.string(),
  complete: z.boolean(),
  blocks_outbound: z.boolean(),
});

/** Contract 12.1. */
export const TelephonyConfigurationDetail = z
  .object({
    ...connection,
    ...moments,
    credentials: AnyObject.meta({
      description: 'By the names of the request; of secrets only the last four characters.',
    }),
    sip_connectivity: AnyObject.nullable(),
    setup_checklist: z.object({
      ready_for_outbound: z.boolean(),
      outbound_blocked_reason: readiness,
      steps: z.array(SetupStep),
      docs_url: z.string(),
    }),
    supports_trunks: z.boolean(),
    trunks: z.array(AnyObject),
  })
  .meta({ id: 'TelephonyConfigurationDetail', description: 'A connection to an account at a carrier.' });
export type TelephonyConfigurationDetail = z.infer<typeof TelephonyConfigurationDetail>;

export const DeletedTelephonyConfiguration = z
  .object({ message: z.literal('Telephony configuration deleted') })
  .meta({ id: 'DeletedTelephonyConfiguration', description: 'The connection and its numbers are gone.' });
export type DeletedTelephonyConfiguration = z.infer<typeof DeletedTelephonyConfiguration>;

export const TrunkList = z
  .object({ trunks: z.array(AnyObject) })
  .meta({ id: 'TrunkList', description: 'SIP trunks of a connection.' });
export type TrunkList = z.infer<typeof TrunkList>;

const tag = 'Telephony';
export const ConfigurationPath = record({ telephony_configuration_id: PathInteger });
export const unknownConfiguration = notFound("No such connection in the caller's organization.");
const base = '/organizations/telephony-configs';
const one = `${base}/{telephony_configuration_id}` as const;
const taken = {
  description: 'Another connection has this name, or somebody else has just changed it.',
  schema: ErrorBody,
};
const asked = { 502: { description: 'The carrier could not be asked.', schema: ErrorBody } };
const masked = {
  description: 'Field faults; a masked secret that stands for none is one.',
  schema: HTTPValidationError,
};

export const listTelephonyConfigurations = route({
  method: 'get',
  path: base,
  id: 'listTelephonyConfigurations',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List connections to carriers',
  description: 'Oldest first.',
  answers: { 200: { description: 'The connections.', schema: TelephonyConfigurationList } },
});

export const createTelephonyConfiguration = route({
  method: 'post',
  path: base,
  id: 'createTelephonyConfiguration',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Connect an account at a carrier',
  description:
    'The credentials are encrypted at rest. The first connection of an organization becomes its default. A Telnyx account is asked whether it takes the key; without `connection_id` a Call Control application is made on it. Accounts of other carriers are stored, and are not ready for outbound calls.',
  headers: IdempotencyHeaders,
  body: CreateTelephonyConfigurationRequest,
  answers: {
    200: { description: 'Connected.', schema: TelephonyConfigurationDetail },
    400: { description: 'The carrier refuses the key or the application.', schema: ErrorBody },
    409: taken,
    422: masked,
    ...asked,
  },
});

export const getTelephonyConfiguration = route({
  method: 'get',
  path: one,
  id: 'getTelephonyConfiguration',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read a connection',
  description: 'With what is left to set up.',
  params: ConfigurationPath,
  answers: {
    200: { description: 'The connection.', schema: TelephonyConfigurationDetail },
    404: unknownConfiguration,
  },
});

export const updateTelephonyConfiguration = route({
  method: 'put',
  path: one,
  id: 'updateTelephonyConfiguration',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Change a connection',
  description:
    'Credentials are replaced as a whole, but for secrets that come back masked. Calls that begin from then on use them. The carrier cannot change.',
  params: ConfigurationPath,
  body: UpdateTelephonyConfigurationRequest,
  answers: {
    200: { description: 'Changed.', schema: TelephonyConfigurationDetail },
    400: {
      description: 'Another carrier, or the carrier refuses the key or the application.',
      schema: ErrorBody,
    },
    404: unknownConfiguration,
    409: taken,
    422: masked,
    ...asked,
  },
});

export const deleteTelephonyConfiguration = route({
  method: 'delete',
  path: one,
  id: 'deleteTelephonyConfiguration',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Delete a connection',
  description: 'With its numbers. Nothing changes at the carrier.',
  params: ConfigurationPath,
  answers: {
    200: { description: 'Deleted.', schema: DeletedTelephonyConfiguration },
    404: unknownConfiguration,
    409: {
      description: 'Calls are going on with it, or a campaign that is not over uses it.',
      schema: ErrorBody,
    },
  },
});

export const setDefaultOutbound = route({
  method: 'post',
  path: `${one}/set-default-outbound`,
  id: 'setDefaultOutbound',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Make a connection the default',
  description: 'Calls that name none are made with it, and with no other: also when it is not ready.',
  params: ConfigurationPath,
  headers: IdempotencyHeaders,
  answers: {
    200: { description: 'The default.', schema: TelephonyConfigurationDetail },
    404: unknownConfiguration,
  },
});

export const reactivateTelephonyConfiguration = route({
  method: 'post',
  path: `${one}/reactivate`,
  id: 'reactivateTelephonyConfiguration',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Switch a connection on again',
  description: 'One that is on stays on.',
  params: ConfigurationPath,
  headers: IdempotencyHeaders,
  answers: { 200: { description: 'On.', schema: TelephonyConfigurationDetail }, 404: unknownConfiguration },
});

export const listTrunks = route({
  method: 'get',
  path: `${one}/trunks`,
  id: 'listTrunks',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List SIP trunks',
  description: 'Empty: connections by SIP are not built, so there is no way to add one.',
  params: ConfigurationPath,
  answers: { 200: { description: 'None.', schema: TrunkList }, 404: unknownConfiguration },
});
