import { z } from 'zod';
import { integer } from './lax/number.ts';
import { record, type JsonObject } from './lax/collections.ts';
import { text } from './lax/text.ts';

/** ISO 8601 with microseconds and `Z` (contract 0.2). */
export const DateTime = z.iso.datetime().meta({ examples: ['2026-01-31T10:12:40.598569Z'] });

/** A timestamp in a request: ISO 8601 with a zone. */
export const timestampPattern =
  '^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$';

/** A free-form object in an answer. */
export const AnyObject = z
  .custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
  .meta({ type: 'object', additionalProperties: true });

/** An integer in a path, read leniently (contract 0.2). */
export const PathInteger = integer();

export const apiKeyHeader = 'X-API-Key';

const idempotencyKey = text({ min: 1, max: 255, pattern: '^[!-~]+$' })
  .optional()
  .meta({
    description:
      'Unique text of the client, for example a uuid. A repeated request with the same key and body gets the first answer again, for 7 days.',
    examples: ['5f0c6a1e-2b7d-4c55-9d6e-0f8b1a2c3d4e'],
    param: { id: 'Idempotency-Key' },
  });

/** A list of entity tags, or `*` (RFC 9110, 13.1.1). */
const tagListPattern = '^[ \\t]*(\\*|(W/)?"[!#-~]*"([ \\t]*,[ \\t]*(W/)?"[!#-~]*")*)[ \\t]*$';

const ifMatch = text({ pattern: tagListPattern }).optional().meta({
  description:
    'The `ETag` that the caller last read, several separated by commas, or `*`. If somebody has changed the record since, the request is refused with 412. What calls change does not matter. Weak tags never match.',
});

/** The headers of a request that changes a record only if it is unchanged since the caller read it. */
export const IfMatchHeaders = record({ 'If-Match': ifMatch });

/** The headers of a read that answers 304 if the caller's copy is current. A malformed value is ignored. */
export const IfNoneMatchHeaders = record({
  'If-None-Match': text().optional().meta({
    description: "The `ETag` of the caller's copy, several separated by commas, or `*`.",
  }),
});

/** The header every POST that creates something accepts (contract 5.1). */
export const IdempotencyHeaders = record({ 'Idempotency-Key': idempotencyKey });

/** `Idempotency-Key` and `If-Match`. */
export const KeyedChangeHeaders = record({ 'Idempotency-Key': idempotencyKey, 'If-Match': ifMatch });

/** The headers of a request whose API key is one of its fields (contract 5.2). */
export const KeyHeaders = record({
  [apiKeyHeader]: text().meta({ description: 'An API key. `Authorization` is ignored.' }),
  'Idempotency-Key': idempotencyKey,
});

/** One record of a 422 (contract 0.4). */
export const ValidationErrorRecord = z
  .object({
    type: z.string(),
    loc: z.array(z.union([z.string(), z.int()])),
    msg: z.string(),
    input: z.unknown().optional(),
    ctx: AnyObject.optional(),
  })
  .meta({ id: 'ValidationError', description: 'A field fault of a request.' });

/** Contract 0.4. */
export const HTTPValidationError = z
  .object({ detail: z.array(ValidationErrorRecord) })
  .meta({ id: 'HTTPValidationError', description: 'All field faults of a request, in declaration order.' });

const marks = { code: z.string().optional(), request_id: z.string().optional() };

/** Every other error (contract 0.3). */
export const ErrorBody = z
  .object({ detail: z.string(), ...marks })
  .meta({ id: 'Error', description: 'An error as text, with a stable `code`.' });

/** Faults of a graph (contract 2.5). */
export const GraphValidation = z
  .object({
    is_valid: z.boolean(),
    errors: z.array(
      z.object({
        kind: z.enum(['node', 'edge', 'workflow']),
        id: z.string().nullable(),
        field: z.string().nullable(),
        message: z.string(),
      }),
    ),
  })
  .meta({ id: 'GraphValidation', description: 'Result of checking a graph.' });
export type GraphValidation = z.infer<typeof GraphValidation>;

export const GraphErrorBody = z
  .object({ detail: GraphValidation, ...marks })
  .meta({ id: 'GraphError', description: 'A refused graph. `detail` is an object.' });

/** A 422 that may be either: field faults (array) or a refused graph (object). */
export const FieldOrGraphError = z.union([HTTPValidationError, GraphErrorBody]);

/** Contract 0.3: a text session was changed by someone else. */
export const RevisionConflictBody = z
  .object({
    detail: z.object({ message: z.string(), expected_revision: z.int(), actual_revision: z.int() }),
    ...marks,
  })
  .meta({
    id: 'RevisionConflict',
    description: 'The session has another revision than the caller expected.',
  });

/** The header of answers that a client should retry. */
export const retryAfter = z.string().meta({
  description: 'Whole seconds to wait before the same request is sent again.',
  examples: ['2'],
  header: { id: 'Retry-After' },
});

/** Who made a change, as people see it (contract 1.5). */
export const Author = z
  .object({
    type: z.enum(['api_key', 'user', 'system']),
    id: z.int().nullable(),
    name: z.string().nullable(),
  })
  .meta({ id: 'Author', description: 'Who made a change: a user, an API key, or the service itself.' });
export type Author = z.infer<typeof Author>;

export const notFound = (description: string) => ({ description, schema: ErrorBody });

/** `If-Match` does not match the current state of the agent. */
export const changedSince = {
  description: 'The record has changed since the caller read it. The request had no effect.',
  schema: ErrorBody,
};

/** The `limit` of a list (contract 1.4). */
export const limitRule = { ge: 1, le: 100 };
