import { z } from 'zod';
import { AnyObject, ErrorBody, HTTPValidationError } from './common.ts';
import { freeForm, openRecord, record } from './lax/collections.ts';
import { lax, read, refuse } from './lax/fault.ts';
import { boolean, integer, number } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { route } from './route.ts';

const versionTwo = lax(
  (value) =>
    value === 2 ? read(2 as const) : refuse('literal_error', 'Input should be 2', value, { expected: '2' }),
  z.literal(2),
);

/**
 * A language model that a customer brings; which vendors there are is in `…/v2/defaults`. Other keys are
 * kept.
 */
export const LlmService = openRecord({
  provider: text().meta({
    description: 'A vendor of `GET /organizations/model-configurations/v2/defaults`.',
  }),
  model: text({ min: 1, trim: true }).meta({
    description: "As the vendor calls it; a deployment's name for `azure`.",
  }),
  api_key: text({ min: 1, trim: true }).meta({
    description: 'Answers show its last four characters; sent back so, the stored one is kept.',
  }),
  base_url: text().nullish().meta({
    description:
      "Another address than the vendor's (`openai`, `openrouter`), or the server's (`openai_compatible`).",
  }),
  endpoint: text().nullish().meta({ description: 'The resource of `azure`.' }),
  temperature: number({ ge: 0, le: 2 }).nullish(),
}).meta({ id: 'LlmService', description: 'A language model with the key to it.' });

const voiceFields =
  "Absent = the installation's. Fields: `provider`, one of `GET /organizations/model-configurations/v2/defaults`, and";
const tts = () =>
  freeForm()
    .nullish()
    .meta({
      description: `Who speaks. ${voiceFields} \`model\`, \`voice\`, \`language\`, \`speed\`, \`api_key\` or \`credentials\`; other keys are kept. Without a key of your own the installation's is used.`,
    });
const stt = () =>
  freeForm()
    .nullish()
    .meta({
      description: `Who recognizes speech. ${voiceFields} \`model\`, \`language\`, \`api_key\`; other keys are kept. Without a key of your own the installation's is used.`,
    });
const kept = () =>
  freeForm()
    .nullish()
    .meta({ description: 'Kept, with its keys sealed; nothing of this installation uses it yet.' });

/** Contract 13.3. */
export const ModelConfiguration = record({
  version: versionTwo.optional(),
  mode: literal('byok').meta({ description: 'There is no managed model service here: keys are your own.' }),
  byok: record({
    mode: literal('pipeline').meta({ description: 'There are no speech-to-speech models here.' }),
    pipeline: record({ llm: LlmService, tts: tts(), stt: stt(), embeddings: kept() }),
  }),
}).meta({
  id: 'ModelConfiguration',
  description: 'Which models the organization brings. Replaced as a whole.',
});
export type ModelConfiguration = z.output<typeof ModelConfiguration>;

const source = z
  .enum(['organization_v2', 'legacy_user_v1', 'empty'])
  .meta({ description: "`empty`: the installation's models are used." });
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
    test_phone_number: z.string().nullable(),
    timezone: z.string().nullable(),
  })
  .meta({
    id: 'EffectiveModels',
    description:
      "The same service by service, keys masked, with two preferences of the organization. Null = the installation's, or none.",
  });
export type EffectiveModels = z.infer<typeof EffectiveModels>;

export const ModelConfigurationAnswer = z
  .object({ configuration: AnyObject.nullable(), effective_configuration: EffectiveModels, source })
  .meta({
    id: 'ModelConfigurationAnswer',
    description: "The organization's models, keys masked but for the last four characters.",
  });
export type ModelConfigurationAnswer = z.infer<typeof ModelConfigurationAnswer>;

const Vendors = z
  .record(z.string(), AnyObject)
  .meta({ description: 'JSON Schema of the settings, by vendor.' });
const pipelineVendors = {
  llm: Vendors,
  tts: Vendors,
  stt: Vendors,
  embeddings: Vendors,
  default_providers: z.record(z.string(), z.string()),
};

export const ModelCatalog = z
  .object({
    dograh: AnyObject.nullable().meta({ description: 'The managed model service: none.' }),
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
    description: 'What can be brought. A service without vendors cannot be used yet.',
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
        description: 'By `service|||model`, the keys of `usage_info`. Null: the operator has no price list.',
      }),
  })
  .meta({ id: 'ModelPricing', description: "What tokens cost by the operator's price list." });
export type ModelPricing = z.infer<typeof ModelPricing>;

export const MigrationPreview = z
  .object({ configuration: AnyObject.nullable(), effective_configuration: EffectiveModels })
  .meta({ id: 'MigrationPreview', description: 'What migrating would lead to.' });
export type MigrationPreview = z.infer<typeof MigrationPreview>;

/** Contract 13.2: the older form of the same settings. A part that is absent or null stays as it is. */
export const UserConfigurationRequest = record({
  llm: freeForm().nullish(),
  tts: freeForm().nullish(),
  stt: freeForm().nullish(),
  embeddings: freeForm().nullish(),
  is_realtime: boolean().nullish(),
  test_phone_number: text({ max: 64 }).nullish(),
  timezone: text({ max: 64 }).nullish(),
}).meta({
  id: 'UserConfigurationRequest',
  description: "Changes of the organization's models, part by part.",
});
export type UserConfigurationRequest = z.output<typeof UserConfigurationRequest>;

export const UserConfiguration = EffectiveModels.omit({ managed_service_version: true }).meta({
  id: 'UserConfiguration',
  description: "The organization's models in the older form, keys masked.",
});
export type UserConfiguration = z.infer<typeof UserConfiguration>;

export const KeyStatus = z
  .object({ status: z.array(z.object({ model: z.string(), message: z.string() })) })
  .meta({ id: 'KeyStatus', description: 'What was checked; empty when nothing had to be.' });
export type KeyStatus = z.infer<typeof KeyStatus>;

const VoiceOfVendor = z
  .object({
    voice_id: z.string().meta({ description: 'As `voice` names it.' }),
    name: z.string().meta({ description: 'For people.' }),
    gender: z.enum(['female', 'male', 'neutral']).meta({ description: 'How it sounds.' }),
    language: z
      .string()
      .nullable()
      .meta({ description: 'The one language it speaks; null = the one that is asked for.' }),
    accent: z.string().nullable().meta({ description: 'Null: none is known.' }),
    description: z.string().nullable().meta({ description: 'Null: there is none.' }),
    preview_url: z.string().nullable().meta({ description: 'Null: there is none.' }),
  })
  .meta({ id: 'Voice', description: 'A voice of a vendor.' });

export const Voices = z
  .object({ provider: z.string(), voices: z.array(VoiceOfVendor) })
  .meta({ id: 'Voices', description: 'Voices of a vendor.' });
export type Voices = z.infer<typeof Voices>;

const RefusedKeys = z
  .object({ detail: z.array(z.object({ model: z.string(), message: z.string() })) })
  .meta({ id: 'RefusedKeys', description: 'Which service refuses its key, and why.' });

const tag = 'Models';

export const getModelConfiguration = route({
  method: 'get',
  path: '/organizations/model-configurations/v2',
  id: 'getModelConfiguration',
  tag,
  auth: 'key',
  scope: 'read',
  summary: "Read the organization's models",
  description: 'Keys are masked but for the last four characters.',
  answers: { 200: { description: 'The models.', schema: ModelConfigurationAnswer } },
});

export const saveModelConfiguration = route({
  method: 'put',
  path: '/organizations/model-configurations/v2',
  id: 'saveModelConfiguration',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Bring your own models',
  description:
    'Replaces the configuration as a whole; it acts from the next request to a model on, also in calls under way. A masked key that comes back keeps the stored one, unless vendor or address changed.',
  body: ModelConfiguration,
  answers: { 200: { description: 'The models as they are now.', schema: ModelConfigurationAnswer } },
});

export const getModelCatalog = route({
  method: 'get',
  path: '/organizations/model-configurations/v2/defaults',
  id: 'getModelCatalog',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List what models can be brought',
  description: 'Vendors with their fields.',
  answers: { 200: { description: 'The catalog.', schema: ModelCatalog } },
});

export const getModelPricing = route({
  method: 'get',
  path: '/organizations/model-configurations/v2/pricing',
  id: 'getModelPricing',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'What models cost',
  description: "By the operator's price list.",
  answers: { 200: { description: 'The prices.', schema: ModelPricing } },
});

export const previewModelMigration = route({
  method: 'get',
  path: '/organizations/model-configurations/v2/migration-preview',
  id: 'previewModelMigration',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'See what migrating would do',
  description:
    "Settings in the older form are the organization's from the moment they are saved: there is never anything to migrate, and this shows what there is.",
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
  description: 'For clients of the older form; there is nothing to migrate, so it changes nothing.',
  query: record({
    force: boolean()
      .optional()
      .meta({ override: { default: false } }),
  }),
  answers: { 200: { description: 'The models as they are.', schema: ModelConfigurationAnswer } },
});

export const getUserConfiguration = route({
  method: 'get',
  path: '/user/configurations/user',
  id: 'getUserConfiguration',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read the models in the older form',
  description: "The organization's: users have none of their own.",
  answers: { 200: { description: 'The models.', schema: UserConfiguration } },
});

export const saveUserConfiguration = route({
  method: 'put',
  path: '/user/configurations/user',
  id: 'saveUserConfiguration',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Change the models in the older form',
  description:
    "Changes the organization's configuration field by field; a part that names another vendor replaces the former one.",
  body: UserConfigurationRequest,
  answers: { 200: { description: 'The models as they are now.', schema: UserConfiguration } },
});

export const validateUserConfiguration = route({
  method: 'get',
  path: '/user/configurations/user/validate',
  id: 'validateUserConfiguration',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: "Check the keys of the organization's models",
  description: 'Asks the vendor, unless it found the key good within `validity_ttl_seconds`.',
  query: record({
    validity_ttl_seconds: integer({ ge: 0, le: 86_400 })
      .optional()
      .meta({ override: { default: 60 } }),
  }),
  answers: {
    200: { description: 'No key was refused.', schema: KeyStatus },
    422: {
      description: 'Field faults (records), or keys that were refused.',
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
  description: 'Voices that `voice` of `tts` may name; a vendor that is not supported has none.',
  params: record({ provider: text() }),
  answers: { 200: { description: 'The voices.', schema: Voices } },
});
