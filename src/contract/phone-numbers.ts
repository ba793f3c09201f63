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
import { masked, withoutNumbers } from './personal.ts';
import { route } from './route.ts';
import { ConfigurationPath, unknownConfiguration } from './telephony-configurations.ts';

const countryCode = () =>
  text({ pattern: '^[A-Za-z]{2}$' }).nullish().meta({ description: 'Two-letter country code (ISO 3166-1).' });
const label = () => text({ max: 64 }).nullish();

/** Contract 12.2. */
export const CreatePhoneNumberRequest = record({
  address: text({ min: 1, max: 255 }).meta({
    description:
      'The number with `+` and country code, or a national number with `country_code`. Spaces, `-`, `.` and parentheses are ignored.',
  }),
  country_code: countryCode(),
  label: label(),
  inbound_workflow_id: integer()
    .nullish()
    .meta({ description: 'Id of the agent that answers calls to the number. Null means none.' }),
  is_active: boolean().default(true),
  is_default_caller_id: boolean().default(false),
  telephony_trunk_id: integer()
    .nullish()
    .meta({ description: 'Must be null or absent: trunks are not supported.' }),
  extra_metadata: freeForm().nullish(),
}).meta({ id: 'CreatePhoneNumberRequest', description: 'A phone number to add.' });
export type CreatePhoneNumberRequest = z.output<typeof CreatePhoneNumberRequest>;

/** Contract 12.2: absent and null both mean unchanged. The address cannot change. */
export const UpdatePhoneNumberRequest = record({
  label: label(),
  inbound_workflow_id: integer()
    .nullish()
    .meta({ description: 'Id of the new agent that answers calls to the number.' }),
  clear_inbound_workflow: boolean()
    .default(false)
    .meta({ description: 'Whether to detach the agent. Overrides `inbound_workflow_id`. Default false.' }),
  is_active: boolean().nullish(),
  country_code: countryCode(),
  extra_metadata: freeForm().nullish(),
  telephony_trunk_id: integer()
    .nullish()
    .meta({ description: 'Must be null or absent: trunks are not supported.' }),
  clear_trunk: boolean().default(false).meta({ description: 'Ignored: trunks are not supported.' }),
}).meta({ id: 'UpdatePhoneNumberRequest', description: 'Fields to change. Absent or null means unchanged.' });
export type UpdatePhoneNumberRequest = z.output<typeof UpdatePhoneNumberRequest>;

const ProviderSync = z.object({ ok: z.boolean(), message: withoutNumbers(z.string()) });

/** Contract 12.2. */
export const PhoneNumber = z
  .object({
    id: z.int(),
    telephony_configuration_id: z.int(),
    address: masked(z.string()),
    address_normalized: masked(z.string()),
    address_type: z.enum(['pstn', 'sip_uri', 'sip_extension']),
    country_code: z.string().nullable(),
    label: withoutNumbers(z.string().nullable()),
    inbound_workflow_id: z.int().nullable(),
    inbound_workflow_name: z.string().nullable(),
    telephony_trunk_id: z.int().nullable(),
    is_active: z.boolean(),
    is_default_caller_id: z.boolean(),
    extra_metadata: withoutNumbers(AnyObject),
    created_at: DateTime,
    updated_at: DateTime,
    provider_sync: ProviderSync.nullable(),
  })
  .meta({ id: 'PhoneNumber', description: 'A phone number of a connection.' });
export type PhoneNumber = z.infer<typeof PhoneNumber>;

export const PhoneNumberList = z
  .object({ phone_numbers: z.array(PhoneNumber) })
  .meta({ id: 'PhoneNumberList', description: 'The numbers of a connection.' });
export type PhoneNumberList = z.infer<typeof PhoneNumberList>;

export const DeletedPhoneNumber = z
  .object({ message: z.literal('Phone number deleted'), provider_sync: ProviderSync.nullable() })
  .meta({
    id: 'DeletedPhoneNumber',
    description: 'Confirmation of the deletion.',
  });
export type DeletedPhoneNumber = z.infer<typeof DeletedPhoneNumber>;

const tag = 'Telephony';
const base = '/organizations/telephony-configs/{telephony_configuration_id}/phone-numbers';
const one = `${base}/{phone_number_id}` as const;
const NumberPath = record({ telephony_configuration_id: PathInteger, phone_number_id: PathInteger });
const unknownNumber = notFound(
  "No such connection in the caller's organization, or the connection has no such number.",
);
const unknownForWrite = notFound("No such connection, number, agent or trunk in the caller's organization.");

export const listPhoneNumbers = route({
  method: 'get',
  path: base,
  id: 'listPhoneNumbers',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List phone numbers',
  description: 'Returns the numbers of a connection, oldest first.',
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
  summary: 'Add a phone number',
  description:
    "Checks with the carrier that the account owns the number. If an agent answers the number, the service sets the URL of the carrier's application. `provider_sync` has the result; the number is added either way.",
  params: ConfigurationPath,
  headers: IdempotencyHeaders,
  body: CreatePhoneNumberRequest,
  answers: {
    200: { description: 'The phone number.', schema: PhoneNumber },
    400: { description: 'The account does not own the number.', schema: ErrorBody },
    404: unknownForWrite,
    409: { description: 'The organization already has this number.', schema: ErrorBody },
    422: {
      description: 'Field faults, including a national number without `country_code`.',
      schema: HTTPValidationError,
    },
    502: { description: 'The carrier could not be reached.', schema: ErrorBody },
  },
});

export const getPhoneNumber = route({
  method: 'get',
  path: one,
  id: 'getPhoneNumber',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get a phone number',
  description: 'Returns the number without the name of its agent.',
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
  summary: 'Update a phone number',
  description:
    "With a new agent, the service sets the URL of the carrier's application. Detaching the agent does not change the application, because other numbers share it.",
  params: NumberPath,
  body: UpdatePhoneNumberRequest,
  answers: { 200: { description: 'The updated phone number.', schema: PhoneNumber }, 404: unknownForWrite },
});

export const deletePhoneNumber = route({
  method: 'delete',
  path: one,
  id: 'deletePhoneNumber',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Delete a phone number',
  description: 'Removes the number from the service. Nothing changes at the carrier.',
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
  summary: 'Set the default caller',
  description: 'Calls of the connection that name no number show the default caller.',
  params: NumberPath,
  headers: IdempotencyHeaders,
  answers: { 200: { description: 'The phone number.', schema: PhoneNumber }, 404: unknownNumber },
});
