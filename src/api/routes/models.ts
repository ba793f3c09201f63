import type { PriceList } from '../../domain/call/cost.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import {
  getModelConfiguration,
  getUserConfiguration,
  modelCatalog,
  previewMigration,
  saveModelConfiguration,
  saveUserConfiguration,
  sampleVoice,
  toPricing,
  toVoices,
  validateKeys,
} from '../../services/models/index.ts';
import type { Handlers } from '../bind.ts';
import { fileReply } from '../answers/reply.ts';

type ModelRoute =
  | 'getModelConfiguration'
  | 'saveModelConfiguration'
  | 'getModelCatalog'
  | 'getModelPricing'
  | 'previewModelMigration'
  | 'migrateModels'
  | 'getUserConfiguration'
  | 'saveUserConfiguration'
  | 'validateUserConfiguration'
  | 'listVoices'
  | 'sampleVoice';

export interface ModelRouteDeps extends Pick<Parameters<typeof validateKeys>[0], 'checkKey'> {
  /** The operator's price list. Absent if there is none. */
  prices: PriceList | undefined;
  samples: Parameters<typeof sampleVoice>[0]['deps'];
}

const defaultTtlSeconds = 60;

/** Models of an organization (contract 13.2, 13.3). */
export function modelHandlers({
  checkKey,
  prices,
  samples: deps,
}: ModelRouteDeps): Pick<Handlers<ServiceContext>, ModelRoute> {
  return {
    getModelConfiguration: ({ ctx }) => getModelConfiguration({ ctx }),
    saveModelConfiguration: ({ ctx, input: { body } }) => saveModelConfiguration({ ctx, input: body }),
    getModelCatalog: () => Promise.resolve(modelCatalog),
    getModelPricing: () => Promise.resolve(toPricing(prices)),
    previewModelMigration: ({ ctx }) => previewMigration({ ctx }),
    migrateModels: ({ ctx }) => getModelConfiguration({ ctx }),
    getUserConfiguration: ({ ctx }) => getUserConfiguration({ ctx }),
    saveUserConfiguration: ({ ctx, input: { body } }) => saveUserConfiguration({ ctx, input: body }),
    validateUserConfiguration: ({ ctx, input: { query } }) =>
      validateKeys({ ctx, checkKey, input: { ttlSeconds: query.validity_ttl_seconds ?? defaultTtlSeconds } }),
    sampleVoice: async ({ ctx, input: { params, body }, client: { signal } }) =>
      fileReply(
        'audio/wav',
        Buffer.from(await sampleVoice({ ctx, deps, provider: params.provider, input: body, signal })),
      ),
    listVoices: ({ input: { params } }) => Promise.resolve(toVoices(params.provider)),
  };
}
