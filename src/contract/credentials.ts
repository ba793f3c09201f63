import { z } from 'zod';
import { DateTime, ErrorBody, IdempotencyHeaders, notFound } from './common.ts';
import { freeForm, list, record } from './lax/collections.ts';
import { enumeration, text } from './lax/text.ts';
import { route } from './route.ts';

/** Contract 9.3. */
export const credentialTypes = ['none', 'api_key', 'bearer_token', 'basic_auth', 'custom_header'] as const;

/** Contract 9.3. An addition to the interface. */
const AllowedHosts = list(text({ max: 255 }), { max: 100 }).nullish();

/** Contract 9.3. The type decides which keys `credential_data` needs. */
export const CreateCredentialRequest = record({
  name: text(),
  description: text().nullish(),
  credential_type: enumeration(...credentialTypes),
  credential_data: freeForm(),
  allowed_hosts: AllowedHosts,
}).meta({
  id: 'CreateCredentialRequest',
  description: "A new credential for requests to customers' endpoints.",
});
export type CreateCredentialRequest = z.output<typeof CreateCredentialRequest>;

/** Contract 9.3: absent and null both mean unchanged. */
export const UpdateCredentialRequest = record({
  name: text().nullish(),
  description: text().nullish(),
  credential_type: enumeration(...credentialTypes).nullish(),
  credential_data: freeForm().nullish(),
  allowed_hosts: AllowedHosts,
}).meta({ id: 'UpdateCredentialRequest', description: 'Fields to change. Absent or null means unchanged.' });
export type UpdateCredentialRequest = z.output<typeof UpdateCredentialRequest>;

/** Contract 9.3: the data is never returned. */
export const Credential = z
  .object({
    uuid: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    credential_type: z.enum(credentialTypes),
    allowed_hosts: z.array(z.string()).nullable(),
    created_at: DateTime,
    updated_at: DateTime.nullable(),
  })
  .meta({ id: 'Credential', description: 'A stored credential without its data.' });
export type Credential = z.infer<typeof Credential>;

export const DeletedCredential = z
  .object({ status: z.literal('deleted'), uuid: z.string() })
  .meta({ id: 'DeletedCredential', description: 'Confirmation of the deletion.' });
export type DeletedCredential = z.infer<typeof DeletedCredential>;

const tag = 'Credentials';
const CredentialPath = record({ credential_uuid: text() });
const unknown = notFound("No such credential in the caller's organization.");
const incomplete = { description: '`credential_data` lacks a key that the type needs.', schema: ErrorBody };
const taken = { description: 'Another credential has this name.', schema: ErrorBody };

export const listCredentials = route({
  method: 'get',
  path: '/credentials/',
  id: 'listCredentials',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List credentials',
  description: 'Returns credentials without their data.',
  answers: { 200: { description: 'The credentials.', schema: z.array(Credential) } },
});

export const createCredential = route({
  method: 'post',
  path: '/credentials/',
  id: 'createCredential',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Create a credential',
  description: 'The data is encrypted at rest and never returned.',
  headers: IdempotencyHeaders,
  body: CreateCredentialRequest,
  answers: { 200: { description: 'The credential.', schema: Credential }, 400: incomplete, 409: taken },
});

export const getCredential = route({
  method: 'get',
  path: '/credentials/{credential_uuid}',
  id: 'getCredential',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get a credential',
  description: 'Returns the credential without its data.',
  params: CredentialPath,
  answers: { 200: { description: 'The credential.', schema: Credential }, 404: unknown },
});

export const updateCredential = route({
  method: 'put',
  path: '/credentials/{credential_uuid}',
  id: 'updateCredential',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Update a credential',
  description: 'Pending deliveries use the new data from their next attempt on.',
  params: CredentialPath,
  body: UpdateCredentialRequest,
  answers: {
    200: { description: 'The updated credential.', schema: Credential },
    400: incomplete,
    404: unknown,
    409: taken,
  },
});

export const deleteCredential = route({
  method: 'delete',
  path: '/credentials/{credential_uuid}',
  id: 'deleteCredential',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Delete a credential',
  description: 'The name of the credential can be used again.',
  params: CredentialPath,
  answers: { 200: { description: 'Deleted.', schema: DeletedCredential }, 404: unknown },
});
