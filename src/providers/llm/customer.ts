import { isLlmVendor, llmVendor } from '../../domain/models/catalog.ts';
import type { CustomerStreamPort } from '../http/port.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { createOpenAiLlm, type OpenAiLlmOptions } from './openai.ts';
import type { CustomerLlm, CustomerLlms } from './port.ts';

/** The version of Azure's API with streamed usage and JSON schemas. */
const azureApiVersion = '2024-10-21';

export interface CustomerLlmsOptions {
  http: CustomerStreamPort;
  /** URLs that replace the vendors' own. */
  addresses?: Readonly<Record<string, string>>;
}

/**
 * Models with customers' keys. Every request goes through the guarded client, because the URL may be the
 * customer's: the client obeys the rules for customer URLs and follows no redirect.
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
 * The customer's URL, or else the vendor's. For a vendor without either, the guarded client refuses the
 * invalid URL.
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

/** The URL of a resource, or Azure's newer OpenAI-compatible URL unchanged. */
function azureAddress(endpoint: string): { baseUrl: string; azureApiVersion?: string } {
  const address = endpoint.replace(/\/+$/, '');
  return address.endsWith('/openai/v1')
    ? { baseUrl: address }
    : { baseUrl: `${address}/openai`, azureApiVersion };
}
