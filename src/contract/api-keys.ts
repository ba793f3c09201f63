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
import { scopes } from './data/scopes.ts';

/** Contract 13.1. Scopes and expiry are additions. */
export const CreateApiKeyRequest = record({
  name: text(),
  scopes: list(literal(...scopes), { min: 1 })
    .nullish()
    .meta({
      description:
        'Scopes of the key. Absent or null means all, like `admin`. No other scope includes another one.',
    }),
  expires_at: text({ pattern: timestampPattern })
    .nullish()
    .meta({ description: 'When the key expires: ISO 8601 with a time zone. Absent or null means never.' }),
}).meta({ id: 'CreateApiKeyRequest', description: 'A new API key.' });
export type CreateApiKeyRequest = z.output<typeof CreateApiKeyRequest>;

const dayS = 86_400;
export const RotateApiKeyRequest = record({
  grace_period_seconds: integer({ ge: 0, le: 30 * dayS })
    .nullish()
    .meta({
      description: 'Seconds for which the replaced key still works, at most 30 days. Default 86,400 (1 day).',
      override: { default: dayS },
    }),
}).meta({ id: 'RotateApiKeyRequest', description: 'Options for replacing an API key.' });

/** Grace period in ms if `grace_period_seconds` is absent or null. */
export const defaultGraceMs = dayS * 1000;

const Scopes = z.array(z.string()).nullable().meta({ description: 'Scopes of the key. Null means all.' });

export const ApiKey = z
  .object({
    id: z.int(),
    name: z.string(),
    key_prefix: z.string(),
    is_active: z
      .boolean()
      .meta({ description: 'Whether the key works: it is neither archived nor expired.' }),
    created_at: DateTime,
    last_used_at: DateTime.nullable().meta({
      description: 'When the key was last used, to the minute. Null if never.',
    }),
    archived_at: DateTime.nullable(),
    scopes: Scopes,
    expires_at: DateTime.nullable(),
    created_by: z.int().meta({ description: 'Id of the user that the key acts for.' }),
    rotated_from_id: z
      .int()
      .nullable()
      .meta({ description: 'Id of the key that this one replaces. Null if none.' }),
  })
  .meta({ id: 'ApiKey', description: 'An API key without its value.' });
export type ApiKey = z.infer<typeof ApiKey>;

const newKey = {
  id: z.int(),
  name: z.string(),
  key_prefix: z.string(),
  api_key: z
    .string()
    .meta({ description: 'The key. It is shown only once: the service keeps only its SHA-256.' }),
  created_at: DateTime,
  scopes: Scopes,
  expires_at: DateTime.nullable(),
};
export const NewApiKey = z
  .object(newKey)
  .meta({ id: 'NewApiKey', description: 'A new API key with its value.' });
export type NewApiKey = z.infer<typeof NewApiKey>;

export const RotatedApiKey = z
  .object({
    ...newKey,
    rotated_from: z
      .object({ id: z.int(), expires_at: DateTime })
      .meta({ description: 'The replaced key and its expiry.' }),
  })
  .meta({
    id: 'RotatedApiKey',
    description: 'The new API key with its value, and the key that it replaces.',
  });
export type RotatedApiKey = z.infer<typeof RotatedApiKey>;

export const ChangedApiKey = z
  .object({ success: z.literal(true), message: z.string() })
  .meta({ id: 'ChangedApiKey', description: 'Confirmation of a change.' });
export type ChangedApiKey = z.infer<typeof ChangedApiKey>;

const tag = 'API keys';
const path = '/user/api-keys';
const KeyPath = record({ api_key_id: PathInteger });
const beyond = {
  description: 'The caller lacks the scope `keys:write`, or one that the key has.',
  schema: ErrorBody,
};
const unknown = notFound("No such key in the caller's organization.");

export const listApiKeys = route({
  method: 'get',
  path,
  id: 'listApiKeys',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List API keys',
  description: 'Returns the keys of the organization, newest first.',
  query: record({
    include_archived: boolean()
      .optional()
      .meta({ override: { default: false } }),
  }),
  answers: { 200: { description: 'The keys.', schema: z.array(ApiKey) } },
});

export const createApiKey = route({
  method: 'post',
  path,
  id: 'createApiKey',
  tag,
  auth: 'key',
  scope: 'keys:write',
  summary: 'Create an API key',
  description:
    "The key acts for the caller in the caller's organization. Its value is shown only in this response.",
  headers: IdempotencyHeaders,
  body: CreateApiKeyRequest,
  answers: { 200: { description: 'The key with its value.', schema: NewApiKey }, 403: beyond },
});

export const archiveApiKey = route({
  method: 'delete',
  path: `${path}/{api_key_id}`,
  id: 'archiveApiKey',
  tag,
  auth: 'key',
  scope: 'keys:write',
  summary: 'Archive an API key',
  description: 'The next request with the key is refused.',
  params: KeyPath,
  answers: { 200: { description: 'Archived.', schema: ChangedApiKey }, 403: beyond, 404: unknown },
});

export const reactivateApiKey = route({
  method: 'put',
  path: `${path}/{api_key_id}/reactivate`,
  id: 'reactivateApiKey',
  tag,
  auth: 'key',
  scope: 'keys:write',
  summary: 'Reactivate an archived API key',
  description: 'The expiry of the key does not change.',
  params: KeyPath,
  answers: { 200: { description: 'Reactivated.', schema: ChangedApiKey }, 403: beyond, 404: unknown },
});

export const rotateApiKey = route({
  method: 'post',
  path: `${path}/{api_key_id}/rotate`,
  id: 'rotateApiKey',
  tag,
  auth: 'key',
  scope: 'keys:write',
  summary: 'Rotate an API key',
  description:
    'Creates a key with the same name, scopes, lifetime and user. Both keys work until the end of the grace period.',
  params: KeyPath,
  headers: IdempotencyHeaders,
  body: RotateApiKeyRequest,
  answers: {
    200: { description: 'The new key with its value.', schema: RotatedApiKey },
    403: beyond,
    404: unknown,
    409: { description: 'The key is archived, expired or already replaced.', schema: ErrorBody },
  },
});
