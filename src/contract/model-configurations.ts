import { z } from 'zod';
import { AnyObject, ErrorBody, HTTPValidationError, notFound } from './common.ts';
import { freeForm, openRecord, record } from './lax/collections.ts';
import { lax, read, refuse } from './lax/fault.ts';
import { boolean, integer, number } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { zoneName } from './lax/zone.ts';
import { masked } from './personal.ts';
import { route } from './route.ts';

const versionTwo = lax(
  (value) =>
    value === 2 ? read(2 as const) : refuse('literal_error', 'Input should be 2', value, { expected: '2' }),
  z.literal(2),
);

/** A language model with the customer's key. `…/v2/defaults` lists the vendors. Other keys are kept. */
export const LlmService = openRecord({
  provider: text().meta({
    description: 'Name of a vendor from `GET /organizations/model-configurations/v2/defaults`.',
  }),
  model: text({ min: 1, trim: true }).meta({
    description: "The vendor's name of the model. For `azure`, the name of the deployment.",
  }),
  api_key: text({ min: 1, trim: true }).meta({
    description:
      'API key. Responses show only its last four characters. A masked key that is sent back keeps the stored key.',
  }),
  base_url: text().nullish().meta({
    description:
      "URL of the server for `openai_compatible`, or a URL to use instead of the vendor's for `openai` and `openrouter`.",
  }),
  endpoint: text().nullish().meta({ description: 'URL of the resource, for `azure`.' }),
  temperature: number({ ge: 0, le: 2 }).nullish(),
}).meta({ id: 'LlmService', description: 'A language model with its API key.' });

const voiceFields =
  "Defaults to the installation's. Fields: `provider`, a vendor from `GET /organizations/model-configurations/v2/defaults`, and";
const tts = () =>
  freeForm()
    .nullish()
    .meta({
      description: `Voice. ${voiceFields} \`model\`, \`voice\`, \`language\`, \`speed\`, \`api_key\` or \`credentials\`; other keys are kept. Without an API key of the organization, the installation's is used.`,
    });
const stt = () =>
  freeForm()
    .nullish()
    .meta({
      description: `Speech recognizer. ${voiceFields} \`model\`, \`language\`, \`api_key\`; other keys are kept. Without an API key of the organization, the installation's is used.`,
    });
const kept = () =>
  freeForm()
    .nullish()
    .meta({ description: 'Stored with encrypted keys, but not used by this installation.' });

/** Contract 13.3. */
export const ModelConfiguration = record({
  version: versionTwo.optional(),
  mode: literal('byok').meta({
    description:
      'Always `byok`: models with the keys of the organization. There is no managed model service.',
  }),
  byok: record({
    mode: literal('pipeline').meta({
      description: 'Always `pipeline`. Speech-to-speech models are not supported.',
    }),
    pipeline: record({ llm: LlmService, tts: tts(), stt: stt(), embeddings: kept() }),
  }),
}).meta({
  id: 'ModelConfiguration',
  description: "The organization's models. Replaced as a whole.",
});
export type ModelConfiguration = z.output<typeof ModelConfiguration>;

const source = z
  .enum(['organization_v2', 'legacy_user_v1', 'empty'])
  .meta({ description: "Source of the models. `empty` means that the installation's models are used." });
const part = AnyObject.nullable();

export const EffectiveModels = z
  .object({
    llm: part,
    tts: part,
    stt: part,
    embeddings: part,
    realtime: part,
    is_realtime: z.boolean().nullable(),
    managed_service_version: z.int().nullable(),
    test_phone_number: masked(z.string().nullable()),
    timezone: z.string().nullable(),
  })
  .meta({
    id: 'EffectiveModels',
    description:
      "The organization's models by service, with masked keys, and two preferences of the organization. Null means the installation's, or none.",
  });
export type EffectiveModels = z.infer<typeof EffectiveModels>;

export const ModelConfigurationAnswer = z
  .object({ configuration: AnyObject.nullable(), effective_configuration: EffectiveModels, source })
  .meta({
    id: 'ModelConfigurationAnswer',
    description: "The organization's models. Keys are masked except for their last four characters.",
  });
export type ModelConfigurationAnswer = z.infer<typeof ModelConfigurationAnswer>;

const Vendors = z
  .record(z.string(), AnyObject)
  .meta({ description: 'JSON Schema of the settings by vendor.' });
const pipelineVendors = {
  llm: Vendors,
  tts: Vendors,
  stt: Vendors,
  embeddings: Vendors,
  default_providers: z.record(z.string(), z.string()),
};

export const ModelCatalog = z
  .object({
    dograh: AnyObject.nullable().meta({
      description: 'The managed model service. Always null: there is none.',
    }),
    byok: z.object({
      pipeline: z.object(pipelineVendors),
      realtime: z.object({
        realtime: Vendors,
        llm: Vendors,
        embeddings: Vendors,
        default_providers: z.record(z.string(), z.string()),
      }),
    }),
  })
  .meta({
    id: 'ModelCatalog',
    description: 'Catalog of the vendors of each service. A service without vendors cannot be used.',
  });
export type ModelCatalog = z.infer<typeof ModelCatalog>;

export const ModelPricing = z
  .object({
    currency: z.literal('USD'),
    unit: z.literal('per_million_tokens'),
    models: z
      .record(z.string(), z.object({ prompt: z.number(), cached_prompt: z.number(), completion: z.number() }))
      .nullable()
      .meta({
        description:
          'Prices by `service|||model`, as in the keys of `usage_info`. Null if the operator has no price list.',
      }),
  })
  .meta({ id: 'ModelPricing', description: "Prices of tokens from the operator's price list." });
export type ModelPricing = z.infer<typeof ModelPricing>;

export const MigrationPreview = z
  .object({ configuration: AnyObject.nullable(), effective_configuration: EffectiveModels })
  .meta({ id: 'MigrationPreview', description: 'Result of a migration.' });
export type MigrationPreview = z.infer<typeof MigrationPreview>;

/** The older form of the same settings (contract 13.2). A part that is absent or null stays unchanged. */
export const UserConfigurationRequest = record({
  llm: freeForm().nullish(),
  tts: freeForm().nullish(),
  stt: freeForm().nullish(),
  embeddings: freeForm().nullish(),
  is_realtime: boolean().nullish(),
  test_phone_number: text({ max: 64 }).nullish(),
  timezone: zoneName().nullish(),
}).meta({
  id: 'UserConfigurationRequest',
  description: "Parts of the organization's models to change. Absent or null means unchanged.",
});
export type UserConfigurationRequest = z.output<typeof UserConfigurationRequest>;

export const UserConfiguration = EffectiveModels.omit({ managed_service_version: true }).meta({
  id: 'UserConfiguration',
  description: "The organization's models in the older form, with masked keys.",
});
export type UserConfiguration = z.infer<typeof UserConfiguration>;

export const KeyStatus = z
  .object({ status: z.array(z.object({ model: z.string(), message: z.string() })) })
  .meta({ id: 'KeyStatus', description: 'The checked services. Empty if none needed a check.' });
export type KeyStatus = z.infer<typeof KeyStatus>;

const VoiceOfVendor = z
  .object({
    voice_id: z.string().meta({ description: 'Value of `voice` for this voice.' }),
    name: z.string().meta({ description: 'Name for people.' }),
    gender: z.enum(['female', 'male', 'neutral']).meta({ description: 'Sound of the voice.' }),
    language: z
      .string()
      .nullable()
      .meta({ description: 'The only language of the voice. Null if it speaks any requested language.' }),
    accent: z.string().nullable().meta({ description: 'Accent of the voice. Null if unknown.' }),
    description: z.string().nullable().meta({ description: 'Description for people. Null if none.' }),
    preview_url: z.string().nullable().meta({ description: 'Link to a sample. Null if none.' }),
  })
  .meta({ id: 'Voice', description: 'A voice of a vendor.' });

export const Voices = z
  .object({ provider: z.string(), voices: z.array(VoiceOfVendor) })
  .meta({ id: 'Voices', description: 'The voices of a vendor.' });
export type Voices = z.infer<typeof Voices>;

export const VoiceSampleRequest = record({
  voice: text({ min: 1, max: 200 }).meta({ description: 'A `voice_id` of the vendor.' }),
  text: text({ min: 1, max: 200, trim: true })
    .optional()
    .meta({ description: 'What the voice says. Default: an English sentence.' }),
  language: text({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', max: 35 })
    .optional()
    .meta({ description: 'A BCP 47 language tag, for voices that speak several.' }),
  speed: number({ ge: 0.25, le: 4 }).optional().meta({ description: '1 is the usual speed.' }),
}).meta({ id: 'VoiceSampleRequest', description: 'A voice to listen to.' });
export type VoiceSampleRequest = z.output<typeof VoiceSampleRequest>;

const RefusedKeys = z
  .object({ detail: z.array(z.object({ model: z.string(), message: z.string() })) })
  .meta({ id: 'RefusedKeys', description: 'Services whose key was refused by the vendor.' });

const tag = 'Models';

export const getModelConfiguration = route({
  method: 'get',
  path: '/organizations/model-configurations/v2',
  id: 'getModelConfiguration',
  tag,
  auth: 'key',
  scope: 'read',
  summary: "Get the organization's models",
  description: 'Keys are masked except for their last four characters.',
  answers: { 200: { description: 'The models.', schema: ModelConfigurationAnswer } },
});

export const saveModelConfiguration = route({
  method: 'put',
  path: '/organizations/model-configurations/v2',
  id: 'saveModelConfiguration',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: "Set the organization's models",
  description:
    'Replaces the whole configuration. It applies from the next request to a model on, also in live calls. A masked key that is sent back keeps the stored key, unless vendor or URL changed.',
  body: ModelConfiguration,
  answers: { 200: { description: 'The new models.', schema: ModelConfigurationAnswer } },
});

export const getModelCatalog = route({
  method: 'get',
  path: '/organizations/model-configurations/v2/defaults',
  id: 'getModelCatalog',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get the catalog of models',
  description: 'Returns the supported vendors of each service with their fields.',
  answers: { 200: { description: 'The catalog.', schema: ModelCatalog } },
});

export const getModelPricing = route({
  method: 'get',
  path: '/organizations/model-configurations/v2/pricing',
  id: 'getModelPricing',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get the prices of models',
  description: "Returns the operator's price list.",
  answers: { 200: { description: 'The prices.', schema: ModelPricing } },
});

export const previewModelMigration = route({
  method: 'get',
  path: '/organizations/model-configurations/v2/migration-preview',
  id: 'previewModelMigration',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Preview the migration of older model settings',
  description:
    "Returns the current models. Settings in the older form change the organization's models at once, so there is never anything to migrate.",
  answers: { 200: { description: "The organization's models.", schema: MigrationPreview } },
});

export const migrateModels = route({
  method: 'post',
  path: '/organizations/model-configurations/v2/migrate',
  id: 'migrateModels',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Migrate older model settings',
  description:
    'Returns the current models and changes nothing, because there is never anything to migrate. For clients of the older form.',
  query: record({
    force: boolean()
      .optional()
      .meta({ override: { default: false } }),
  }),
  answers: { 200: { description: 'The current models.', schema: ModelConfigurationAnswer } },
});

export const getUserConfiguration = route({
  method: 'get',
  path: '/user/configurations/user',
  id: 'getUserConfiguration',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get the models in the older form',
  description: "Returns the organization's models. Users have no models of their own.",
  answers: { 200: { description: 'The models.', schema: UserConfiguration } },
});

export const saveUserConfiguration = route({
  method: 'put',
  path: '/user/configurations/user',
  id: 'saveUserConfiguration',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Update the models in the older form',
  description:
    "Updates the organization's models field by field. A part with a new vendor replaces the whole former part.",
  body: UserConfigurationRequest,
  answers: { 200: { description: 'The new models.', schema: UserConfiguration } },
});

export const validateUserConfiguration = route({
  method: 'get',
  path: '/user/configurations/user/validate',
  id: 'validateUserConfiguration',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: "Validate the keys of the organization's models",
  description:
    'Asks each vendor whether it accepts the key. Skips keys that the vendor accepted within the last `validity_ttl_seconds`.',
  query: record({
    validity_ttl_seconds: integer({ ge: 0, le: 86_400 })
      .optional()
      .meta({ override: { default: 60 } }),
  }),
  answers: {
    200: { description: 'The vendors accepted all keys.', schema: KeyStatus },
    422: {
      description: 'Field faults, or refused keys.',
      schema: z.union([HTTPValidationError, RefusedKeys, ErrorBody]),
    },
  },
});

export const listVoices = route({
  method: 'get',
  path: '/user/configurations/voices/{provider}',
  id: 'listVoices',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List the voices of a vendor',
  description:
    'Returns the values that `voice` of `tts` may have. The list is empty for a vendor that is not supported.',
  params: record({ provider: text() }),
  answers: { 200: { description: 'The voices.', schema: Voices } },
});

export const sampleVoice = route({
  method: 'post',
  path: '/user/configurations/voices/{provider}/sample',
  id: 'sampleVoice',
  tag,
  auth: 'key',
  scope: 'agents:write',
  summary: 'Listen to a voice',
  description:
    "Returns a WAV file that the vendor makes with the organization's key for it, else with the installation's. The vendor bills it. At most 20 samples per minute of an organization; with the installation's key its quota of voice minutes counts, too.",
  params: record({ provider: text() }),
  body: VoiceSampleRequest,
  answers: {
    200: { description: 'The sample.', mediaType: 'audio/wav' },
    400: {
      description: 'There is no key for the vendor, or the vendor refused the request.',
      schema: ErrorBody,
    },
    404: notFound('No such vendor.'),
  },
});
