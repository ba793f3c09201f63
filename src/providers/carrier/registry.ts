import { PreconditionError } from '../../domain/errors.ts';
import type { CarrierAdapter, Carriers, CarrierWebhooks } from './port.ts';
import { telnyx } from './telnyx/adapter.ts';

/** Every supported carrier, by the provider name that connections and calls store. */
export const carrierAdapters: Readonly<Record<string, CarrierAdapter>> = { telnyx };

export interface CarrierRegistry {
  /** Names of the providers that calls can be made with. */
  providers: readonly string[];
  webhooks: CarrierWebhooks;
  /**
   * Accounts at all carriers. `urls` are the URLs of emulators, by provider. Throws PreconditionError for a
   * provider without an adapter.
   */
  accounts: (urls: Readonly<Record<string, string | undefined>>) => Carriers;
}

/** Creates the registry. Tests pass their own adapters. */
export function createCarrierRegistry(adapters = carrierAdapters): CarrierRegistry {
  return {
    providers: Object.keys(adapters),
    webhooks: new Map(Object.entries(adapters).map(([name, { webhooks }]) => [name, webhooks])),
    accounts: (urls) => {
      const byProvider = new Map(
        Object.entries(adapters).map(([name, { accounts }]) => [name, accounts({ baseUrl: urls[name] })]),
      );
      return ({ provider, credentials }) => {
        const open = byProvider.get(provider);
        if (open === undefined)
          throw new PreconditionError(`This installation does not support ${provider}`, { status: 400 });
        return open(credentials);
      };
    },
  };
}
