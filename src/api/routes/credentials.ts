import {
  createCredential,
  deleteCredential,
  getCredential,
  listCredentials,
  updateCredential,
} from '../../services/identity/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import type { Handlers } from '../bind.ts';

type CredentialRoute =
  | 'listCredentials'
  | 'createCredential'
  | 'getCredential'
  | 'updateCredential'
  | 'deleteCredential';

/** Dependencies of these routes besides the caller's context. */
export type CredentialRouteDeps = Pick<Parameters<typeof createCredential>[0], 'secrets'>;

/** Credentials for requests to customers' endpoints (contract 9.3). */
export function credentialHandlers({
  secrets,
}: CredentialRouteDeps): Pick<Handlers<ServiceContext>, CredentialRoute> {
  return {
    listCredentials: ({ ctx }) => listCredentials({ ctx }),
    createCredential: ({ ctx, input: { body } }) =>
      createCredential({
        ctx,
        secrets,
        input: {
          name: body.name,
          description: body.description ?? null,
          type: body.credential_type,
          data: body.credential_data,
          allowedHosts: body.allowed_hosts ?? null,
        },
      }),
    getCredential: ({ ctx, input: { params } }) =>
      getCredential({ ctx, input: { uuid: params.credential_uuid } }),
    updateCredential: ({ ctx, input: { params, body } }) =>
      updateCredential({
        ctx,
        secrets,
        input: {
          uuid: params.credential_uuid,
          name: body.name ?? undefined,
          description: body.description ?? undefined,
          type: body.credential_type ?? undefined,
          data: body.credential_data ?? undefined,
          allowedHosts: body.allowed_hosts ?? undefined,
        },
      }),
    deleteCredential: ({ ctx, input: { params } }) =>
      deleteCredential({ ctx, input: { uuid: params.credential_uuid } }),
  };
}
