import { isObject, own, type JsonObject } from '../graph/definition.ts';
import { defaultLlmVendor, isLlmVendor, llmVendor, type LlmVendorName } from './catalog.ts';

/**
 * The level that a call's language model comes from; the first one that names a model wins (docs/models.md).
 */
export type LlmLevel = 'agent_configuration' | 'agent_override' | 'organization' | 'installation';

/** A chosen language model. */
export interface LlmSettings {
  provider: string;
  model: string;
  apiKey: string;
  /** Base URL or Azure resource; null = the vendor's own. */
  endpoint: string | null;
  temperature: number | null;
}

/** `llm` of a model configuration (contract 13.3): `byok.pipeline.llm`; null when it has none. */
export function llmOfConfiguration(configuration: unknown): JsonObject | null {
  const byok = part(configuration, 'byok');
  const mode = byok === null ? undefined : own(byok, 'mode');
  return part(part(byok, mode === 'realtime' ? 'realtime' : 'pipeline'), 'llm');
}

/** `llm` of an agent's `model_overrides` (contract 3.1); null when it has none. */
export function llmOfOverrides(overrides: unknown): JsonObject | null {
  return part(overrides, 'llm');
}

/**
 * Merges an agent's override over its organization's settings, field by field (contract 3.1). A key is only
 * used with the vendor and address that it was given for: an override that names another vendor inherits
 * nothing, one that names another address inherits only vendor and model.
 */
export function overLlm(below: JsonObject | null, override: JsonObject): JsonObject {
  const given = Object.fromEntries(
    Object.entries(override).filter(([, value]) => value !== null && value !== ''),
  );
  if (below === null || (Object.hasOwn(given, 'provider') && own(given, 'provider') !== providerOf(below)))
    return given;
  const over = { ...below, ...given };
  return sameAddressee(below, over)
    ? over
    : { provider: providerOf(below), model: own(below, 'model'), ...given };
}

/** True when both have the same vendor and address, so that a key for one may be used for the other. */
export function sameAddressee(one: JsonObject, other: JsonObject): boolean {
  const [left, right] = [readLlm(one), readLlm(other)];
  return left.provider === right.provider && left.endpoint === right.endpoint;
}

/** Reads stored settings; absent texts are empty. */
export function readLlm(llm: JsonObject): LlmSettings {
  const provider = providerOf(llm);
  const field = isLlmVendor(provider) ? llmVendor(provider).addressField : null;
  const endpoint = field === null ? '' : text(llm, field).trim();
  const temperature = own(llm, 'temperature');
  return {
    provider,
    model: text(llm, 'model').trim(),
    apiKey: text(llm, 'api_key').trim(),
    endpoint: endpoint === '' ? null : endpoint.replace(/\/+$/, ''),
    temperature: typeof temperature === 'number' ? temperature : null,
  };
}

export interface LlmFault {
  /** The field of the settings. */
  field: 'provider' | 'model' | 'api_key' | 'base_url' | 'endpoint';
  message: string;
}

/** Why the settings cannot be used; null when they can. */
export function llmFault({ provider, model, apiKey, endpoint }: LlmSettings): LlmFault | null {
  if (!isLlmVendor(provider))
    return { field: 'provider', message: `the provider ${shown(provider)} is not supported` };
  if (model === '') return { field: 'model', message: 'no model is named' };
  if (apiKey === '') return { field: 'api_key', message: 'there is no API key' };
  return addressFault(provider, endpoint);
}

function addressFault(provider: LlmVendorName, endpoint: string | null): LlmFault | null {
  const { address, addressField: field } = llmVendor(provider);
  if (field === null) return null;
  if (endpoint === null) return address === null ? { field, message: `${provider} needs an address` } : null;
  return /^https?:\/\//.test(endpoint) && URL.canParse(endpoint)
    ? null
    : { field, message: 'the address is not a URL' };
}

function providerOf(llm: JsonObject): string {
  const provider = own(llm, 'provider');
  return typeof provider === 'string' && provider !== '' ? provider : defaultLlmVendor;
}

/** Shows a vendor's name only if it is harmless, because customers may write anything. */
function shown(provider: string): string {
  return /^[\w.-]{1,64}$/.test(provider) ? `'${provider}'` : 'that is named';
}

function text(llm: JsonObject, key: string): string {
  const value = own(llm, key);
  return typeof value === 'string' ? value : '';
}

function part(value: unknown, key: string): JsonObject | null {
  const inner = isObject(value) ? own(value, key) : undefined;
  return isObject(inner) ? inner : null;
}
