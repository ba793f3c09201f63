import { isLlmVendor, llmVendor } from '../../domain/models/catalog.ts';
import type { CustomerHttpPort } from '../http/port.ts';
import { addressOf } from './customer.ts';
import type { CustomerLlm } from './port.ts';

/** A vendor's verdict on a customer's key, in fixed words. */
export interface KeyAnswer {
  isGood: boolean;
  message: string;
}

/** Checks a key with its vendor, at no cost. */
export type KeyCheck = (choice: Pick<CustomerLlm, 'provider' | 'apiKey' | 'endpoint'>) => Promise<KeyAnswer>;

const timeoutMs = 10_000;

/** Requests something that needs a valid key, usually the list of models, through the guarded client. */
export function createKeyCheck({
  http,
  addresses = {},
}: {
  http: CustomerHttpPort;
  addresses?: Readonly<Record<string, string>>;
}): KeyCheck {
  return async ({ provider, apiKey, endpoint }) => {
    const { baseUrl, azureApiVersion } = addressOf({ provider, endpoint }, addresses);
    const url = `${baseUrl}/${isLlmVendor(provider) ? llmVendor(provider).keyPath : 'models'}${azureApiVersion === undefined ? '' : `?api-version=${azureApiVersion}`}`;
    const headers: Record<string, string> =
      azureApiVersion === undefined ? { authorization: `Bearer ${apiKey}` } : { 'api-key': apiKey };
    const outcome = await http.request({
      method: 'GET',
      url,
      headers,
      body: null,
      timeoutMs,
      maxResponseBytes: 0,
    });
    if (outcome.kind === 'refused')
      return { isGood: false, message: `The address is not allowed: ${outcome.message}` };
    if (outcome.kind === 'failed')
      return { isGood: false, message: `The provider could not be reached: ${outcome.message}` };
    return judge(outcome.statusCode);
  };
}

/** A server without that list does not judge the key. */
function judge(status: number): KeyAnswer {
  if (status === 401 || status === 403)
    return { isGood: false, message: `The provider refused the API key: HTTP ${status}` };
  if (status === 404 || status === 405)
    return {
      isGood: true,
      message: `not checked: the provider offers no way to check a key (HTTP ${status})`,
    };
  return status < 300
    ? { isGood: true, message: 'ok' }
    : { isGood: false, message: `The provider answered with HTTP ${status}` };
}
