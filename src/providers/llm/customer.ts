import { isLlmVendor, llmVendor } from '../../domain/models/catalog.ts';
import type { CustomerStreamPort } from '../http/port.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { createOpenAiLlm, type OpenAiLlmOptions } from './openai.ts';
import type { CustomerLlm, CustomerLlms } from './port.ts';

/** The version of Azure's interface that knows streamed usage and JSON schemas. */
const azureApiVersion = '2024-10-21';

export interface CustomerLlmsOptions {
  http: CustomerStreamPort;
  /** Other addresses than the vendors' own. */
  addresses?: Readonly<Record<string, string>>;
}

/**
 * Models that customers bring. Every request goes through the guarded client, because an address may be
 * theirs: it obeys the rules for customer URLs and follows no redirect.
 */
export function createCustomerLlms({ http, addresses = {} }: CustomerLlmsOptions): CustomerLlms {
  const fetch = createGuardedFetch(http);
  return ({ provider, apiKey, endpoint, temperature }) =>
    createOpenAiLlm({
      provider,
      apiKey,
      ...addressOf({ provider, endpoint }, addresses),
      ...(temperature === undefined ? {} : { temperature }),
      fetch,
    });
}

/**
 * The customer's own address, else the vendor's. A vendor without either is asked nowhere: the guarded client
 * refuses what is no URL.
 */
export function addressOf(
  { provider, endpoint }: Pick<CustomerLlm, 'provider' | 'endpoint'>,
  addresses: Readonly<Record<string, string>>,
): Pick<OpenAiLlmOptions, 'baseUrl' | 'azureApiVersion'> {
  if (provider === 'azure') return azureAddress(endpoint ?? '');
  const vendors = isLlmVendor(provider) ? llmVendor(provider).address : null;
  return { baseUrl: endpoint ?? addresses[provider] ?? vendors ?? nowhere };
}

const nowhere = 'nowhere:';

/** A resource's address, or the newer one that is compatible as it stands. */
function azureAddress(endpoint: string): { baseUrl: string; azureApiVersion?: string } {
  const address = endpoint.replace(/\/+$/, '');
  return address.endsWith('/openai/v1')
    ? { baseUrl: address }
    : { baseUrl: `${address}/openai`, azureApiVersion };
}
