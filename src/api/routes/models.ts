import type { PriceList } from '../../domain/call/cost.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import {
  getModelConfiguration,
  getUserConfiguration,
  modelCatalog,
  previewMigration,
  saveModelConfiguration,
  saveUserConfiguration,
  toPricing,
  toVoices,
  validateKeys,
} from '../../services/models/index.ts';
import type { Handlers } from '../bind.ts';

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
  | 'listVoices';

export interface ModelRouteDeps extends Pick<Parameters<typeof validateKeys>[0], 'checkKey'> {
  /** The operator's price list. Absent if there is none. */
  prices: PriceList | undefined;
}

const defaultTtlSeconds = 60;

/** Models of an organization (contract 13.2, 13.3). */
export function modelHandlers({
  checkKey,
  prices,
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
    listVoices: ({ input: { params } }) => Promise.resolve(toVoices(params.provider)),
  };
}
