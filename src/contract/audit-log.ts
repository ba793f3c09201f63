import { z } from 'zod';
import { AnyObject, DateTime, limitRule, timestampPattern, notFound } from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { route } from './route.ts';

/** Who changed what (docs/audit.md). Ours: the interface has no place for it. */
const AuditActor = z
  .object({
    type: z.enum(['api_key', 'user', 'system']),
    id: z.int().nullable().meta({ description: 'Of the key or user; null for the service itself.' }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Of the key, user or part of the service, as it is called today.' }),
    key_prefix: z.string().nullable().meta({ description: 'How the key begins.' }),
    user_id: z.int().nullable().meta({ description: 'The user, or whom the key acts for.' }),
  })
  .meta({ id: 'AuditActor', description: 'Who made a change.' });

const entryFields = {
  id: z.string(),
  created_at: DateTime,
  actor: AuditActor,
  action: z.string().meta({ examples: ['agent.published'] }),
  object_type: z.string().meta({
    description:
      '`agent` (a workflow), `call` (a run), `tool`, `credential`, `folder`, `api_key`, `webhook_secret`, `webhook_delivery`, `webhook_endpoint`, `organization`, `user`, `session`, `person`, `suppression`; there may be more.',
  }),
  object_id: z.string().nullable().meta({ description: 'What the API names the object by.' }),
  request_id: z
    .string()
    .nullable()
    .meta({ description: '`X-Request-Id` of the request that made the change.' }),
  details: AnyObject.meta({ description: 'What belongs to the action, e.g. the number of a version.' }),
};

export const AuditEntry = z
  .object(entryFields)
  .meta({ id: 'AuditEntry', description: 'One change of one object.' });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditPage = z
  .object({
    items: z.array(AuditEntry),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'What `cursor` takes to get the next page; null on the last one.' }),
    has_more: z.boolean(),
  })
  .meta({ id: 'AuditPage', description: 'Changes, newest first.' });
export type AuditPage = z.infer<typeof AuditPage>;

const AuditDiffOperation = z
  .object({
    op: z.enum(['add', 'remove', 'replace']),
    path: z.string().meta({
      description:
        'JSON pointer into the object as the API shows it. Nodes and edges of a graph stand under their ids.',
    }),
    value: z.unknown().optional(),
    old_value: z.unknown().optional().meta({ description: 'What was there before.' }),
  })
  .meta({
    id: 'AuditDiffOperation',
    description: 'One place that changed: an operation of a JSON Patch (RFC 6902).',
  });

export const AuditEntryDetail = z
  .object({
    ...entryFields,
    diff: z
      .array(AuditDiffOperation)
      .nullable()
      .meta({ description: 'Secrets are masked. Null where the action says it all.' }),
    diff_is_complete: z.boolean().meta({
      description:
        'False: the diff was over 64 kB of JSON and names the places alone, the first 1,000 of them.',
    }),
  })
  .meta({ id: 'AuditEntryDetail', description: 'A change with its diff.' });
export type AuditEntryDetail = z.infer<typeof AuditEntryDetail>;

const key = text({ pattern: '^[!-~]{1,64}$' });

export const ListAuditLogQuery = record({
  actor_type: literal('api_key', 'user', 'system').optional(),
  actor_id: integer()
    .optional()
    .meta({ description: 'Of the key or user that `actor_type` names, or of either of them.' }),
  object_type: key.optional(),
  object_id: key.optional(),
  action: key.optional(),
  request_id: text({ pattern: '^[!-~]{1,128}$' }).optional(),
  from: text({ pattern: timestampPattern })
    .optional()
    .meta({ description: 'At this moment or later; ISO 8601 with a zone.' }),
  to: text({ pattern: timestampPattern })
    .optional()
    .meta({ description: 'Before this moment; ISO 8601 with a zone.' }),
  cursor: text({ pattern: '^[0-9]{1,15}$' })
    .optional()
    .meta({ description: '`next_cursor` of the page before.' }),
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
    "Every change in the caller's organization, newest first; every filter narrows. Changes that are made meanwhile never move a page.",
  query: ListAuditLogQuery,
  answers: { 200: { description: 'One page of changes.', schema: AuditPage } },
});

export const getAuditEntry = route({
  method: 'get',
  path: `${path}/{entry_id}`,
  id: 'getAuditEntry',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Read one change',
  description: 'With what was before and after it.',
  params: record({ entry_id: text() }),
  answers: {
    200: { description: 'The change.', schema: AuditEntryDetail },
    404: notFound("No such change in the caller's organization."),
  },
});
