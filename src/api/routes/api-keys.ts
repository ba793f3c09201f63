import { defaultGraceMs } from '../../contract/api-keys.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import { archiveKey, createKey, listKeys, reactivateKey, rotateKey } from '../../services/identity/index.ts';
import type { Handlers } from '../bind.ts';

type ApiKeyRoute = 'listApiKeys' | 'createApiKey' | 'archiveApiKey' | 'reactivateApiKey' | 'rotateApiKey';

/** API keys (contract 13.1). */
export const apiKeyHandlers: Pick<Handlers<ServiceContext>, ApiKeyRoute> = {
  listApiKeys: ({ ctx, input: { query } }) =>
    listKeys({ ctx, input: { includeArchived: query.include_archived ?? false } }),
  createApiKey: ({ ctx, input: { body } }) => createKey({ ctx, input: body }),
  archiveApiKey: ({ ctx, input: { params } }) => archiveKey({ ctx, input: { keyId: params.api_key_id } }),
  reactivateApiKey: ({ ctx, input: { params } }) =>
    reactivateKey({ ctx, input: { keyId: params.api_key_id } }),
  rotateApiKey: ({ ctx, input: { params, body } }) => {
    const graceMs =
      typeof body.grace_period_seconds === 'number' ? body.grace_period_seconds * 1000 : defaultGraceMs;
    return rotateKey({ ctx, input: { keyId: params.api_key_id, graceMs } });
  },
};
