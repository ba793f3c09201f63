import type {
  EffectiveModels,
  ModelConfigurationAnswer,
  ModelPricing,
  UserConfiguration,
} from '../../contract/model-configurations.ts';
import type { PriceList } from '../../domain/call/cost.ts';
import { isObject, own, ownObject, type JsonObject } from '../../domain/graph/definition.ts';
import { installedConfiguration, type InstalledModels } from '../../domain/models/installed.ts';
import { maskModelSecrets } from '../../domain/models/secrets.ts';

interface Shown {
  /** With its keys in clear; null if the organization has none. */
  configuration: JsonObject | null;
  installed: InstalledModels | undefined;
  preferences: { test_phone_number: string | null; timezone: string | null };
}

/** The answer of contract 13.3. */
export function toModelConfiguration({
  configuration,
  installed,
  preferences,
}: Shown): ModelConfigurationAnswer {
  const used = configuration ?? (installed === undefined ? null : installedConfiguration(installed));
  const masked = used === null ? null : objectOrNull(maskModelSecrets(used));
  return {
    configuration: masked,
    effective_configuration: toEffective({ configuration: masked, preferences }),
    source: configuration === null ? 'empty' : 'organization_v2',
  };
}

/** The answer in the older form (contract 13.2). */
export function toUserConfiguration(shown: Shown): UserConfiguration {
  const { managed_service_version: _, ...rest } = toModelConfiguration(shown).effective_configuration;
  return rest;
}

function toEffective({
  configuration,
  preferences: { test_phone_number, timezone },
}: Pick<Shown, 'configuration' | 'preferences'>): EffectiveModels {
  const pipeline = pipelineOf(configuration);
  const part = (name: string) => objectOrNull(own(pipeline, name));
  return {
    llm: part('llm'),
    tts: part('tts'),
    stt: part('stt'),
    embeddings: part('embeddings'),
    realtime: null,
    is_realtime: configuration === null ? null : false,
    managed_service_version: null,
    test_phone_number,
    timezone,
  };
}

/** The settings of each service in a configuration. */
export function pipelineOf(configuration: JsonObject | null): JsonObject {
  return ownObject(ownObject(configuration ?? {}, 'byok'), 'pipeline');
}

function objectOrNull(value: unknown): Record<string, unknown> | null {
  return isObject(value) ? { ...value } : null;
}

/** The operator's price list as the interface shows it. */
export function toPricing(prices: PriceList | undefined): ModelPricing {
  const models =
    prices === undefined
      ? null
      : Object.fromEntries(
          Object.entries(prices).map(([key, { prompt, cachedPrompt, completion }]) => [
            key,
            { prompt, cached_prompt: cachedPrompt, completion },
          ]),
        );
  return { currency: 'USD', unit: 'per_million_tokens', models };
}
