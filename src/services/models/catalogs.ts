import type { ModelCatalog, Voices } from '../../contract/model-configurations.ts';
import { defaultLlmVendor, llmVendors, type LlmVendor } from '../../domain/models/catalog.ts';
import {
  defaultSttVendor,
  sttVendors,
  ttsVendors,
  type SttVendor,
  type TtsVendor,
} from '../../contract/data/voice-vendors.ts';
import { defaultTtsVendor, isTtsVendor, ttsVendor } from '../../domain/models/voice-catalog.ts';

const ownKey = {
  type: 'string',
  minLength: 1,
  format: 'password',
  description: "If absent, the installation's key and model are used, if it has this vendor.",
};
const languageOf = (languages: readonly string[]) => ({
  type: 'string',
  description: 'A BCP 47 language tag.',
  examples: [...languages],
});
const modelOf = ({ models, hasOtherModels }: Pick<TtsVendor, 'models' | 'hasOtherModels'>) => ({
  type: 'string',
  default: models[0],
  ...(hasOtherModels ? { examples: [...models] } : { enum: [...models] }),
});

const schemas = Object.fromEntries(
  Object.entries(llmVendors).map(([name, vendor]) => [name, toSchema(name, vendor)]),
);
const ttsSchemas = Object.fromEntries(
  Object.entries(ttsVendors).map(([name, vendor]) => [name, toTtsSchema(name, vendor)]),
);
const sttSchemas = Object.fromEntries(
  Object.entries(sttVendors).map(([name, vendor]) => [name, toSttSchema(name, vendor)]),
);
const defaultProviders = { llm: defaultLlmVendor, tts: defaultTtsVendor, stt: defaultSttVendor };
const pipeline = {
  llm: schemas,
  tts: ttsSchemas,
  stt: sttSchemas,
  embeddings: {},
  default_providers: defaultProviders,
};

/** The catalogs of contract 13.2: JSON Schema of a vendor's settings, by service and vendor. */
export const serviceCatalogs = { ...pipeline, realtime: {} };

/** The catalogs by mode (contract 13.3). */
export const modelCatalog: ModelCatalog = {
  dograh: null,
  byok: { pipeline, realtime: { realtime: {}, llm: {}, embeddings: {}, default_providers: {} } },
};

/** The voices of a vendor; empty for an unsupported vendor. */
export function toVoices(provider: string): Voices {
  const voices = isTtsVendor(provider) ? ttsVendor(provider).voices : [];
  return {
    provider,
    voices: voices.map(({ id, gender }) => ({
      voice_id: id,
      name: id,
      gender,
      language: null,
      accent: null,
      description: null,
      preview_url: null,
    })),
  };
}

function toTtsSchema(name: string, vendor: TtsVendor): Record<string, unknown> {
  const ids = vendor.voices.map(({ id }) => id);
  const secrets = vendor.secretFields.map((field): [string, unknown] => [
    field,
    field === 'credentials'
      ? { ...ownKey, description: `The key of a service account, JSON as text. ${ownKey.description}` }
      : ownKey,
  ]);
  return {
    title: vendor.title,
    type: 'object',
    properties: {
      provider: { const: name, default: name, type: 'string' },
      model: modelOf(vendor),
      voice: { type: 'string', ...(vendor.hasOtherVoices ? { examples: ids } : { enum: ids }) },
      language: languageOf(vendor.languages),
      speed: { type: 'number', minimum: vendor.speed.min, maximum: vendor.speed.max, default: 1 },
      ...Object.fromEntries(secrets),
    },
    required: ['provider'],
  };
}

function toSttSchema(name: string, vendor: SttVendor): Record<string, unknown> {
  return {
    title: vendor.title,
    type: 'object',
    properties: {
      provider: { const: name, default: name, type: 'string' },
      model: modelOf(vendor),
      language: languageOf(vendor.languages),
      api_key: ownKey,
    },
    required: ['provider'],
  };
}

function toSchema(
  name: string,
  { title, address, addressField, modelHint, examples }: LlmVendor,
): Record<string, unknown> {
  const addressSchema = {
    type: 'string',
    format: 'uri',
    description: address === null ? 'Your own address.' : `Replaces ${address}.`,
  };
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
    required: [
      'provider',
      'model',
      'api_key',
      ...(address === null && addressField !== null ? [addressField] : []),
    ],
  };
}
