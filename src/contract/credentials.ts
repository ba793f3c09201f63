import { z } from 'zod';
import { DateTime, ErrorBody, IdempotencyHeaders, notFound } from './common.ts';
import { freeForm, record } from './lax/collections.ts';
import { enumeration, text } from './lax/text.ts';
import { route } from './route.ts';

/** Contract 9.3. */
export const credentialTypes = ['none', 'api_key', 'bearer_token', 'basic_auth', 'custom_header'] as const;

/** Contract 9.3; which keys `credential_data` needs depends on the type. */
export const CreateCredentialRequest = record({
  name: text(),
  description: text().nullish(),
  credential_type: enumeration(...credentialTypes),
  credential_data: freeForm(),
}).meta({ id: 'CreateCredentialRequest', description: 'A secret that outgoing requests of an agent carry.' });
export type CreateCredentialRequest = z.output<typeof CreateCredentialRequest>;

/** Contract 9.3: absent and null both mean unchanged. */
export const UpdateCredentialRequest = record({
  name: text().nullish(),
  description: text().nullish(),
  credential_type: enumeration(...credentialTypes).nullish(),
  credential_data: freeForm().nullish(),
}).meta({ id: 'UpdateCredentialRequest', description: 'Only the fields to change; null means unchanged.' });
export type UpdateCredentialRequest = z.output<typeof UpdateCredentialRequest>;

/** Contract 9.3: the data is never returned. */
export const Credential = z
  .object({
    uuid: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    credential_type: z.enum(credentialTypes),
    created_at: DateTime,
    updated_at: DateTime.nullable(),
  })
  .meta({ id: 'Credential', description: 'A stored secret, without its value.' });
export type Credential = z.infer<typeof Credential>;

export const DeletedCredential = z
  .object({ status: z.literal('deleted'), uuid: z.string() })
  .meta({ id: 'DeletedCredential', description: 'The credential is gone.' });
export type DeletedCredential = z.infer<typeof DeletedCredential>;

const tag = 'Credentials';
const CredentialPath = record({ credential_uuid: text() });
const unknown = notFound("No such credential in the caller's organization.");
const incomplete = { description: 'Data that the type needs is missing.', schema: ErrorBody };
const taken = { description: 'The name is taken.', schema: ErrorBody };

export const listCredentials = route({
  method: 'get',
  path: '/credentials/',
  id: 'listCredentials',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List credentials',
  description: 'Without their values.',
  answers: { 200: { description: 'All credentials.', schema: z.array(Credential) } },
});

export const createCredential = route({
  method: 'post',
  path: '/credentials/',
  id: 'createCredential',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Store a credential',
  description: 'The value is encrypted at rest and never returned.',
  headers: IdempotencyHeaders,
  body: CreateCredentialRequest,
  answers: { 200: { description: 'Stored.', schema: Credential }, 400: incomplete, 409: taken },
});

export const getCredential = route({
  method: 'get',
  path: '/credentials/{credential_uuid}',
  id: 'getCredential',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read a credential',
  description: 'Without its value.',
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
  summary: 'Change a credential',
  description: 'Deliveries that wait use the new value.',
  params: CredentialPath,
  body: UpdateCredentialRequest,
  answers: {
    200: { description: 'Changed.', schema: Credential },
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
  description: 'Its name is free again.',
  params: CredentialPath,
  answers: { 200: { description: 'Deleted.', schema: DeletedCredential }, 404: unknown },
});
