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
import { boolean, integer } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';
import { ConfigurationPath, unknownConfiguration } from './telephony-configurations.ts';

const countryCode = () =>
  text({ pattern: '^[A-Za-z]{2}$' }).nullish().meta({ description: 'ISO 3166, two letters.' });
const label = () => text({ max: 64 }).nullish();

/** Contract 12.2. */
export const CreatePhoneNumberRequest = record({
  address: text({ min: 1, max: 255 }).meta({
    description:
      'With `+` and country code; a national number needs `country_code`. Spaces, `-`, `.` and brackets do not count.',
  }),
  country_code: countryCode(),
  label: label(),
  inbound_workflow_id: integer()
    .nullish()
    .meta({ description: 'Agent that answers calls to the number; null = nobody.' }),
  is_active: boolean().default(true),
  is_default_caller_id: boolean().default(false),
  telephony_trunk_id: integer().nullish().meta({ description: 'There are no trunks: only null is known.' }),
  extra_metadata: freeForm().nullish(),
}).meta({ id: 'CreatePhoneNumberRequest', description: 'A number of the account.' });
export type CreatePhoneNumberRequest = z.output<typeof CreatePhoneNumberRequest>;

/** Contract 12.2: absent and null both mean unchanged. The address cannot change. */
export const UpdatePhoneNumberRequest = record({
  label: label(),
  inbound_workflow_id: integer()
    .nullish()
    .meta({ description: 'Another agent to answer calls to the number.' }),
  clear_inbound_workflow: boolean()
    .default(false)
    .meta({ description: 'True = nobody answers any more, whatever `inbound_workflow_id` says.' }),
  is_active: boolean().nullish(),
  country_code: countryCode(),
  extra_metadata: freeForm().nullish(),
  telephony_trunk_id: integer().nullish().meta({ description: 'There are no trunks: only null is known.' }),
  clear_trunk: boolean().default(false).meta({ description: 'Changes nothing: there are no trunks.' }),
}).meta({ id: 'UpdatePhoneNumberRequest', description: 'Only what is to change; null means unchanged.' });
export type UpdatePhoneNumberRequest = z.output<typeof UpdatePhoneNumberRequest>;

const ProviderSync = z.object({ ok: z.boolean(), message: z.string() });

/** Contract 12.2. */
export const PhoneNumber = z
  .object({
    id: z.int(),
    telephony_configuration_id: z.int(),
    address: z.string(),
    address_normalized: z.string(),
    address_type: z.enum(['pstn', 'sip_uri', 'sip_extension']),
    country_code: z.string().nullable(),
    label: z.string().nullable(),
    inbound_workflow_id: z.int().nullable(),
    inbound_workflow_name: z.string().nullable(),
    telephony_trunk_id: z.int().nullable(),
    is_active: z.boolean(),
    is_default_caller_id: z.boolean(),
    extra_metadata: AnyObject,
    created_at: DateTime,
    updated_at: DateTime,
    provider_sync: ProviderSync.nullable(),
  })
  .meta({ id: 'PhoneNumber', description: 'A number that agents call from, and may answer.' });
export type PhoneNumber = z.infer<typeof PhoneNumber>;

export const PhoneNumberList = z
  .object({ phone_numbers: z.array(PhoneNumber) })
  .meta({ id: 'PhoneNumberList', description: 'The numbers of a connection.' });
export type PhoneNumberList = z.infer<typeof PhoneNumberList>;

export const DeletedPhoneNumber = z
  .object({ message: z.literal('Phone number deleted'), provider_sync: ProviderSync.nullable() })
  .meta({
    id: 'DeletedPhoneNumber',
    description: 'The number is gone from the service; the account keeps it.',
  });
export type DeletedPhoneNumber = z.infer<typeof DeletedPhoneNumber>;

const tag = 'Telephony';
const base = '/organizations/telephony-configs/{telephony_configuration_id}/phone-numbers';
const one = `${base}/{phone_number_id}` as const;
const NumberPath = record({ telephony_configuration_id: PathInteger, phone_number_id: PathInteger });
const unknownNumber = notFound("No such connection in the caller's organization, or it has no such number.");
const unknownForWrite = notFound("No such connection, number, agent or trunk in the caller's organization.");

export const listPhoneNumbers = route({
  method: 'get',
  path: base,
  id: 'listPhoneNumbers',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List the numbers of a connection',
  description: 'Oldest first.',
  params: ConfigurationPath,
  answers: { 200: { description: 'The numbers.', schema: PhoneNumberList }, 404: unknownConfiguration },
});

export const createPhoneNumber = route({
  method: 'post',
  path: base,
  id: 'createPhoneNumber',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Add a number',
  description:
    'The carrier is asked whether the account owns it. With an agent, the application at the carrier is told to bring us calls; how that went is in `provider_sync`, and the number is kept either way.',
  params: ConfigurationPath,
  headers: IdempotencyHeaders,
  body: CreatePhoneNumberRequest,
  answers: {
    200: { description: 'Added.', schema: PhoneNumber },
    400: { description: 'The account does not own the number.', schema: ErrorBody },
    404: unknownForWrite,
    409: { description: 'The organization has this number already.', schema: ErrorBody },
    422: {
      description: 'Field faults, among them a national number without its country.',
      schema: HTTPValidationError,
    },
    502: { description: 'The carrier could not be asked.', schema: ErrorBody },
  },
});

export const getPhoneNumber = route({
  method: 'get',
  path: one,
  id: 'getPhoneNumber',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read a number',
  description: 'Without the name of the agent that answers it.',
  params: NumberPath,
  answers: { 200: { description: 'The number.', schema: PhoneNumber }, 404: unknownNumber },
});

export const updatePhoneNumber = route({
  method: 'put',
  path: one,
  id: 'updatePhoneNumber',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Change a number',
  description:
    'With another agent, the application at the carrier is told to bring us calls; without one it is left as it is, since other numbers share it.',
  params: NumberPath,
  body: UpdatePhoneNumberRequest,
  answers: { 200: { description: 'Changed.', schema: PhoneNumber }, 404: unknownForWrite },
});

export const deletePhoneNumber = route({
  method: 'delete',
  path: one,
  id: 'deletePhoneNumber',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Delete a number',
  description: 'The account at the carrier keeps it, and its application stays as it is.',
  params: NumberPath,
  answers: { 200: { description: 'Deleted.', schema: DeletedPhoneNumber }, 404: unknownNumber },
});

export const setDefaultCaller = route({
  method: 'post',
  path: `${one}/set-default-caller`,
  id: 'setDefaultCaller',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Make a number the one that is shown',
  description: 'Calls with this connection that name no number show it.',
  params: NumberPath,
  headers: IdempotencyHeaders,
  answers: { 200: { description: 'The default caller.', schema: PhoneNumber }, 404: unknownNumber },
});
