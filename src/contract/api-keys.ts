import { z } from 'zod';
import {
  DateTime,
  ErrorBody,
  IdempotencyHeaders,
  timestampPattern,
  notFound,
  PathInteger,
} from './common.ts';
import { list, record } from './lax/collections.ts';
import { boolean, integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { route } from './route.ts';
import { scopes } from './scopes.ts';

/** Contract 13.1; scopes and expiry are ours. */
export const CreateApiKeyRequest = record({
  name: text(),
  scopes: list(literal(...scopes), { min: 1 })
    .nullish()
    .meta({
      description:
        'What the key is for; absent or null = everything, as `admin`. No other scope holds another one.',
    }),
  expires_at: text({ pattern: timestampPattern })
    .nullish()
    .meta({ description: 'From then on the key is refused; absent or null = never.' }),
}).meta({ id: 'CreateApiKeyRequest', description: 'A new API key.' });
export type CreateApiKeyRequest = z.output<typeof CreateApiKeyRequest>;

const dayS = 86_400;
export const RotateApiKeyRequest = record({
  grace_period_seconds: integer({ ge: 0, le: 30 * dayS })
    .nullish()
    .meta({
      description: 'How long the replaced key still works; at most 30 days.',
      override: { default: dayS },
    }),
}).meta({ id: 'RotateApiKeyRequest', description: 'How a key is replaced.' });

/** When `grace_period_seconds` is absent or null. */
export const defaultGraceMs = dayS * 1000;

const Scopes = z.array(z.string()).nullable().meta({ description: 'What it is for; null = everything.' });

export const ApiKey = z
  .object({
    id: z.int(),
    name: z.string(),
    key_prefix: z.string(),
    is_active: z.boolean().meta({ description: 'Neither archived nor expired.' }),
    created_at: DateTime,
    last_used_at: DateTime.nullable().meta({ description: 'To the minute.' }),
    archived_at: DateTime.nullable(),
    scopes: Scopes,
    expires_at: DateTime.nullable(),
    created_by: z.int().meta({ description: 'Id of the user that it acts for.' }),
    rotated_from_id: z.int().nullable().meta({ description: 'The key that it replaces.' }),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its value.' });
export type ApiKey = z.infer<typeof ApiKey>;

const newKey = {
  id: z.int(),
  name: z.string(),
  key_prefix: z.string(),
  api_key: z.string().meta({ description: 'The whole key; only its SHA-256 is kept.' }),
  created_at: DateTime,
  scopes: Scopes,
  expires_at: DateTime.nullable(),
};
export const NewApiKey = z.object(newKey).meta({ id: 'NewApiKey', description: 'A key, shown this once.' });
export type NewApiKey = z.infer<typeof NewApiKey>;

export const RotatedApiKey = z
  .object({
    ...newKey,
    rotated_from: z
      .object({ id: z.int(), expires_at: DateTime })
      .meta({ description: 'The replaced key, and until when it works.' }),
  })
  .meta({ id: 'RotatedApiKey', description: 'The key that replaces another, shown this once.' });
export type RotatedApiKey = z.infer<typeof RotatedApiKey>;

export const ChangedApiKey = z
  .object({ success: z.literal(true), message: z.string() })
  .meta({ id: 'ChangedApiKey', description: 'It is done.' });
export type ChangedApiKey = z.infer<typeof ChangedApiKey>;

const tag = 'API keys';
const path = '/user/api-keys';
const KeyPath = record({ api_key_id: PathInteger });
const unknown = notFound("No such key in the caller's organization.");

export const listApiKeys = route({
  method: 'get',
  path,
  id: 'listApiKeys',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List API keys',
  description: 'Newest first.',
  query: record({
    include_archived: boolean()
      .optional()
      .meta({ override: { default: false } }),
  }),
  answers: { 200: { description: 'The keys of the organization.', schema: z.array(ApiKey) } },
});

export const createApiKey = route({
  method: 'post',
  path,
  id: 'createApiKey',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Make an API key',
  description: "It acts for the caller in the caller's organization.",
  headers: IdempotencyHeaders,
  body: CreateApiKeyRequest,
  answers: { 200: { description: 'Made; the value is shown this once.', schema: NewApiKey } },
});

export const archiveApiKey = route({
  method: 'delete',
  path: `${path}/{api_key_id}`,
  id: 'archiveApiKey',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Archive an API key',
  description: 'It is refused from the next request on.',
  params: KeyPath,
  answers: { 200: { description: 'Archived.', schema: ChangedApiKey }, 404: unknown },
});

export const reactivateApiKey = route({
  method: 'put',
  path: `${path}/{api_key_id}/reactivate`,
  id: 'reactivateApiKey',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Bring an archived API key back',
  description: 'An expiry stays as it is.',
  params: KeyPath,
  answers: { 200: { description: 'It is not archived any more.', schema: ChangedApiKey }, 404: unknown },
});

export const rotateApiKey = route({
  method: 'post',
  path: `${path}/{api_key_id}/rotate`,
  id: 'rotateApiKey',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Replace an API key',
  description:
    'Makes a key of the same name, scopes and lifetime for the same user; both work until the grace period is over.',
  params: KeyPath,
  headers: IdempotencyHeaders,
  body: RotateApiKeyRequest,
  answers: {
    200: { description: 'Replaced; the value of the new key is shown this once.', schema: RotatedApiKey },
    404: unknown,
    409: { description: 'It is archived, expired or replaced already.', schema: ErrorBody },
  },
});
