import type { EffectiveModels, ModelCatalog, ModelConfigurationAnswer, ModelPricing, UserConfiguration } from '../../contract/model-configurations.ts';
import type { PriceList } from '../../domain/call/cost.ts';
import { isObject, own, ownObject, type JsonObject } from '../../domain/graph/definition.ts';
import { defaultLlmVendor, llmVendors, servicesWithoutVendors, type LlmVendor } from '../../domain/models/catalog.ts';
import { maskModelSecrets } from '../../domain/models/secrets.ts';

interface Shown {
  /** With its keys in clear; null = the organization has none. */
  configuration: JsonObject | null;
  preferences: { test_phone_number: string | null; timezone: string | null };
}

/** The answer of contract 13.3. */
export function toModelConfiguration({ configuration, preferences }: Shown): ModelConfigurationAnswer {
  const masked = configuration === null ? null : objectOrNull(maskModelSecrets(configuration));
  return { configuration: masked, effective_configuration: toEffective({ configuration: masked, preferences }), source: configuration === null ? 'empty' : 'organization_v2' };
}

/** The older form of the same (contract 13.2). */
export function toUserConfiguration(shown: Shown): UserConfiguration {
  const { managed_service_version: _, ...rest } = toModelConfiguration(shown).effective_configuration;
  return rest;
}

function toEffective({ configuration, preferences: { test_phone_number, timezone } }: Shown): EffectiveModels {
  const pipeline = pipelineOf(configuration);
  const part = (name: string) => objectOrNull(own(pipeline, name));
  return { llm: part('llm'), tts: part('tts'), stt: part('stt'), embeddings: part('embeddings'), realtime: null, is_realtime: configuration === null ? null : false, managed_service_version: null, test_phone_number, timezone };
}

/** The services of a configuration. */
export function pipelineOf(configuration: JsonObject | null): JsonObject {
  return ownObject(ownObject(configuration ?? {}, 'byok'), 'pipeline');
}

function objectOrNull(value: unknown): Record<string, unknown> | null {
  return isObject(value) ? { ...value } : null;
}

const schemas = Object.fromEntries(Object.entries(llmVendors).map(([name, vendor]) => [name, toSchema(name, vendor)]));
const none = Object.fromEntries(servicesWithoutVendors.map((service) => [service, {}]));
const defaultProviders = { llm: defaultLlmVendor };

/** The catalogs of contract 13.2: JSON Schema of a vendor's settings, by service and vendor. */
export const serviceCatalogs = { llm: schemas, tts: none['tts'] ?? {}, stt: none['stt'] ?? {}, embeddings: none['embeddings'] ?? {}, realtime: none['realtime'] ?? {}, default_providers: defaultProviders };

/** The same by mode (contract 13.3). */
export const modelCatalog: ModelCatalog = {
  dograh: null,
  byok: {
    pipeline: { llm: schemas, tts: {}, stt: {}, embeddings: {}, default_providers: defaultProviders },
    realtime: { realtime: {}, llm: {}, embeddings: {}, default_providers: {} },
  },
};

function toSchema(name: string, { title, address, addressField, modelHint, examples }: LlmVendor): Record<string, unknown> {
  const addressSchema = { type: 'string', format: 'uri', description: address === null ? 'Address of your own.' : `Instead of ${address}.` };
  return {
    title,
    type: 'object',
    properties: {
      provider: { const: name, default: name, type: 'string' },
      model: { type: 'string', minLength: 1, description: modelHint, examples: [...examples] },
      api_key: { type: 'string', minLength: 1, format: 'password' },
      ...(addressField === null ? {} : { [addressField]: addressSchema }),
      temperature: { type: 'number', minimum: 0, maximum: 2 },
    },
    required: ['provider', 'model', 'api_key', ...(address === null && addressField !== null ? [addressField] : [])],
  };
}

/** The operator's price list as the interface shows it. */
export function toPricing(prices: PriceList | undefined): ModelPricing {
  const models = prices === undefined ? null : Object.fromEntries(Object.entries(prices).map(([key, { prompt, cachedPrompt, completion }]) => [key, { prompt, cached_prompt: cachedPrompt, completion }]));
  return { currency: 'USD', unit: 'per_million_tokens', models };
}
