import type { CustomerHttpPort } from '../http/port.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { createOpenAiLlm } from './openai.ts';
import type { CustomerLlm, CustomerLlms } from './port.ts';

/** Where vendors speak OpenAI's chat completions; azure has an address for each customer. */
const vendorAddresses = {
  openai: 'https://api.openai.com/v1',
  openrouter: 'https://openrouter.ai/api/v1',
  anthropic: 'https://api.anthropic.com/v1',
} as const satisfies Record<Exclude<CustomerLlm['provider'], 'azure'>, string>;

/** The version of Azure's interface that knows streamed usage and JSON schemas. */
const azureApiVersion = '2024-10-21';

export interface CustomerLlmsOptions {
  http: CustomerHttpPort;
  /** Other addresses than the vendors' own. */
  addresses?: Partial<Record<keyof typeof vendorAddresses, string>>;
}

/**
 * Models that customers bring. Every request goes through the guarded client, because an address may be theirs: it obeys the rules
 * for customer URLs and follows no redirect. An answer arrives in one piece.
 */
export function createCustomerLlms({ http, addresses = {} }: CustomerLlmsOptions): CustomerLlms {
  const fetch = createGuardedFetch(http);
  const known: Record<keyof typeof vendorAddresses, string> = { ...vendorAddresses, ...addresses };
  return ({ provider, apiKey, endpoint }) => {
    if (provider !== 'azure') return createOpenAiLlm({ apiKey, baseUrl: known[provider], fetch });
    return createOpenAiLlm({ apiKey, ...azureAddress(endpoint ?? ''), fetch });
  };
}

/** A resource's address, or the newer one that is compatible as it stands. */
function azureAddress(endpoint: string): { baseUrl: string; azureApiVersion?: string } {
  const address = endpoint.replace(/\/+$/, '');
  return address.endsWith('/openai/v1') ? { baseUrl: address } : { baseUrl: `${address}/openai`, azureApiVersion };
}
