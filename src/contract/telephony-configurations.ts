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
    'The carrier and the credentials of the account. A masked secret that is sent back keeps the stored one.',
});
export type TelephonyCredentials = z.output<typeof TelephonyCredentials>;

const name = () => text({ min: 1, max: 64 });

export const CreateTelephonyConfigurationRequest = record({
  name: name(),
  is_default_outbound: boolean().default(false),
  config: TelephonyCredentials,
}).meta({
  id: 'CreateTelephonyConfigurationRequest',
  description: 'A new connection to an account at a carrier.',
});

/** Contract 12.1: absent and null both mean unchanged. */
export const UpdateTelephonyConfigurationRequest = record({
  name: name().nullish(),
  config: TelephonyCredentials.nullish(),
}).meta({
  id: 'UpdateTelephonyConfigurationRequest',
  description: 'Fields to change. Absent or null means unchanged.',
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
const timestamps = { created_at: DateTime, updated_at: DateTime };
const readiness = z
  .string()
  .nullable()
  .meta({ description: 'Why the connection cannot make calls. Null if it can.' });

/** Contract 12.1. */
export const TelephonyConfiguration = z
  .object({
    ...connection,
    phone_number_count: z.int(),
    is_ready_for_outbound: z.boolean(),
    outbound_blocked_reason: readiness,
    ...timestamps,
  })
  .meta({
    id: 'TelephonyConfiguration',
    description: 'A connection to an account at a carrier, as lists show it.',
  });
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
    ...timestamps,
    credentials: AnyObject.meta({
      description: 'Credentials of the account. Secrets are masked except for their last four characters.',
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
  .meta({ id: 'DeletedTelephonyConfiguration', description: 'Confirmation of the deletion.' });
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
  description:
    'Another connection has this name, or another request changed the connection at the same time.',
  schema: ErrorBody,
};
const asked = { 502: { description: 'The carrier could not be reached.', schema: ErrorBody } };
const masked = {
  description: 'Field faults, including a masked secret that matches no stored one.',
  schema: HTTPValidationError,
};

export const listTelephonyConfigurations = route({
  method: 'get',
  path: base,
  id: 'listTelephonyConfigurations',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List connections',
  description: 'Returns the connections to accounts at carriers, oldest first.',
  answers: { 200: { description: 'The connections.', schema: TelephonyConfigurationList } },
});

export const createTelephonyConfiguration = route({
  method: 'post',
  path: base,
  id: 'createTelephonyConfiguration',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Create a connection',
  description:
    'Connects an account at a carrier. The credentials are encrypted at rest. The first connection of an organization becomes its default. For Telnyx, the service checks the key with the carrier, and without `connection_id` it creates a Call Control application in the account. Accounts of other carriers are only stored and cannot make calls.',
  headers: IdempotencyHeaders,
  body: CreateTelephonyConfigurationRequest,
  answers: {
    200: { description: 'The connection.', schema: TelephonyConfigurationDetail },
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
  summary: 'Get a connection',
  description: 'Returns the connection with its setup checklist.',
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
  summary: 'Update a connection',
  description:
    'Replaces all credentials, except secrets that are sent back masked. New calls use the new credentials. The carrier cannot change.',
  params: ConfigurationPath,
  body: UpdateTelephonyConfigurationRequest,
  answers: {
    200: { description: 'The updated connection.', schema: TelephonyConfigurationDetail },
    400: {
      description: 'The request names another carrier, or the carrier refuses the key or the application.',
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
  description: 'Deletes the connection with its numbers. Nothing changes at the carrier.',
  params: ConfigurationPath,
  answers: {
    200: { description: 'Deleted.', schema: DeletedTelephonyConfiguration },
    404: unknownConfiguration,
    409: {
      description: 'The connection has live calls, or a campaign that has not ended uses it.',
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
  summary: 'Set the default connection',
  description: 'Calls that name no connection use the default one only, even while it is not ready.',
  params: ConfigurationPath,
  headers: IdempotencyHeaders,
  answers: {
    200: { description: 'The connection.', schema: TelephonyConfigurationDetail },
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
  summary: 'Reactivate a connection',
  description: 'Switches the connection on. Changes nothing if it is already on.',
  params: ConfigurationPath,
  headers: IdempotencyHeaders,
  answers: {
    200: { description: 'The connection.', schema: TelephonyConfigurationDetail },
    404: unknownConfiguration,
  },
});

export const listTrunks = route({
  method: 'get',
  path: `${one}/trunks`,
  id: 'listTrunks',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List SIP trunks',
  description: 'Always returns an empty list: SIP connections are not supported.',
  params: ConfigurationPath,
  answers: { 200: { description: 'The empty list.', schema: TrunkList }, 404: unknownConfiguration },
});
