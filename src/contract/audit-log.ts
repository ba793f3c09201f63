import { z } from 'zod';
import { AnyObject, DateTime, limitRule, timestampPattern, notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { route } from './route.ts';

/** Who changed what (docs/audit.md). An addition to the published interface. */
const AuditActor = z
  .object({
    type: z.enum(['api_key', 'user', 'system']),
    id: z.int().nullable().meta({ description: 'Id of the key or user. Null for the service itself.' }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Current name of the key, user or part of the service.' }),
    key_prefix: z.string().nullable().meta({ description: 'First characters of the key.' }),
    user_id: z
      .int()
      .nullable()
      .meta({ description: 'Id of the user, or of the user that the key acts for.' }),
  })
  .meta({ id: 'AuditActor', description: 'Author of a change.' });

const entryFields = {
  id: z.string(),
  created_at: DateTime,
  actor: AuditActor,
  action: z.string().meta({ examples: ['agent.published'] }),
  object_type: z.string().meta({
    description:
      'Type of the object: `agent` (a workflow), `call` (a run), `tool`, `credential`, `folder`, `api_key`, `webhook_secret`, `webhook_delivery`, `webhook_endpoint`, `organization`, `user`, `session`, `member`, `invitation`, `person`, `suppression`. More types may follow.',
  }),
  object_id: z.string().nullable().meta({ description: 'Id of the object in the API.' }),
  request_id: z
    .string()
    .nullable()
    .meta({ description: '`X-Request-Id` of the request that made the change.' }),
  details: AnyObject.meta({ description: 'Details of the action, for example the number of a version.' }),
};

export const AuditEntry = z
  .object(entryFields)
  .meta({ id: 'AuditEntry', description: 'A change of an object.' });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditPage = z
  .object({
    items: z.array(AuditEntry),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Value of `cursor` for the next page. Null on the last page.' }),
    has_more: z.boolean(),
  })
  .meta({ id: 'AuditPage', description: 'A page of changes, newest first.' });
export type AuditPage = z.infer<typeof AuditPage>;

const AuditDiffOperation = z
  .object({
    op: z.enum(['add', 'remove', 'replace']),
    path: z.string().meta({
      description:
        'JSON pointer into the object as the API shows it. Nodes and edges of a graph are under their ids.',
    }),
    value: z.unknown().optional(),
    old_value: z.unknown().optional().meta({ description: 'Value before the change.' }),
  })
  .meta({
    id: 'AuditDiffOperation',
    description: 'A changed value, as an operation of a JSON Patch (RFC 6902).',
  });

export const AuditEntryDetail = z
  .object({
    ...entryFields,
    diff: z
      .array(AuditDiffOperation)
      .nullable()
      .meta({ description: 'Changed values, with masked secrets. Null if the action has no diff.' }),
    diff_is_complete: z.boolean().meta({
      description:
        'Whether the diff is complete. A diff of more than 64 kB of JSON is not: it lists only the first 1,000 paths, without values.',
    }),
  })
  .meta({ id: 'AuditEntryDetail', description: 'A change with its diff.' });
export type AuditEntryDetail = z.infer<typeof AuditEntryDetail>;

const key = text({ pattern: '^[!-~]{1,64}$' });

export const ListAuditLogQuery = record({
  actor_type: literal('api_key', 'user', 'system').optional(),
  actor_id: integer().optional().meta({
    description:
      'Only changes by the key or user with this id. `actor_type` says which of the two; without it both count.',
  }),
  object_type: key.optional(),
  object_id: key.optional(),
  action: key.optional(),
  request_id: text({ pattern: '^[!-~]{1,128}$' }).optional(),
  from: text({ pattern: timestampPattern })
    .optional()
    .meta({ description: 'Only changes at this timestamp or later: ISO 8601 with a time zone.' }),
  to: text({ pattern: timestampPattern })
    .optional()
    .meta({ description: 'Only changes before this timestamp: ISO 8601 with a time zone.' }),
  cursor: text({ pattern: '^[0-9]{1,15}$' })
    .optional()
    .meta({ description: '`next_cursor` of the previous page.' }),
  limit: integer(limitRule)
    .optional()
    .meta({ override: { default: 50 } }),
});

const tag = 'Organization';
const path = '/organizations/audit-log';

export const listAuditLog = route({
  method: 'get',
  path,
  id: 'listAuditLog',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'List changes',
  description:
    "Returns the changes in the caller's organization, newest first. Several filters are combined with AND. New changes do not shift the pages.",
  query: ListAuditLogQuery,
  answers: { 200: { description: 'A page of changes.', schema: AuditPage } },
});

export const getAuditEntry = route({
  method: 'get',
  path: `${path}/{entry_id}`,
  id: 'getAuditEntry',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Get a change',
  description: 'Returns the change with its diff.',
  params: record({ entry_id: text() }),
  answers: {
    200: { description: 'The change.', schema: AuditEntryDetail },
    404: notFound("No such change in the caller's organization."),
  },
});
