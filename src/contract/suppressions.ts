import { z } from 'zod';
import { DateTime, ErrorBody, limitRule, notFound } from './common.ts';
import { list, record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

const reason = () => text({ max: 500 });

/** For the description only. The parser of numbers reports the faults (contract 5.4). */
const numberPattern = String.raw`^[ .()-]*\+?[ .()-]*[1-9](?:[ .()-]*[0-9]){6,14}[ .()-]*$`;

/** An addition to the published interface. */
export const SuppressNumbersRequest = record({
  phone_numbers: list(text().meta({ pattern: numberPattern }), { min: 1, max: 1000 }).meta({
    description:
      'Digits with country code. A leading `+`, spaces, `-`, `.` and parentheses are ignored, and so is the 0 in `+49 (0)151 …`.',
  }),
  reason: reason().nullish().meta({
    description:
      'Reason for people, at most 500 characters. It is stored with the numbers, so it must not contain names.',
  }),
}).meta({ id: 'SuppressNumbersRequest', description: 'Numbers to suppress.' });

export const suppressionSources = ['api', 'file', 'call', 'wrong_number'] as const;

export const Suppression = z
  .object({
    id: z.int(),
    phone_number: z.string().meta({ description: 'Digits with country code.' }),
    source: z.enum(suppressionSources).meta({
      description:
        'Source of the suppression: `api` a request, `file` an imported file, `call` an opt-out in a call, `wrong_number` a call that reached the wrong person.',
    }),
    reason: z.string().nullable().meta({ description: 'Reason for people. Null if none was given.' }),
    run_id: z
      .int()
      .nullable()
      .meta({ description: 'Id of the call that led to the suppression. Null if none.' }),
    created_by: z
      .int()
      .nullable()
      .meta({ description: 'Id of the user who added the number. Null if no user did.' }),
    created_at: DateTime,
  })
  .meta({ id: 'Suppression', description: 'A number that the organization never dials.' });
export type Suppression = z.infer<typeof Suppression>;

const counts = {
  added: z.int().meta({ description: 'Number of newly suppressed numbers.' }),
  already_there: z.int().meta({
    description: 'Number of numbers that were already suppressed. They keep their reason and timestamp.',
  }),
  suppressed_targets: z.int().meta({ description: 'Number of rows of campaigns that are no longer dialed.' }),
};

export const SuppressedNumbers = z
  .object({
    ...counts,
    suppressions: z
      .array(Suppression)
      .meta({ description: 'The suppressions, in the order of the request, without repeats.' }),
  })
  .meta({ id: 'SuppressedNumbers', description: 'Result of suppressing numbers.' });
export type SuppressedNumbers = z.infer<typeof SuppressedNumbers>;

export const ImportedSuppressions = z
  .object({
    rows: z.int().meta({ description: 'Number of lines that are not blank, without the header.' }),
    ...counts,
    invalid: z.int().meta({ description: 'Number of lines whose number cannot be read.' }),
    faults: z
      .array(
        z.object({
          line: z.int().meta({ description: 'Line of the file, counted from 1.' }),
          code: z
            .string()
            .meta({ description: 'Stable machine-readable word, for example `phone_letters`.' }),
          message: z.string(),
        }),
      )
      .meta({ description: 'Faults of these lines, the first 1,000 of them.' }),
  })
  .meta({ id: 'ImportedSuppressions', description: 'Result of importing a file of numbers.' });
export type ImportedSuppressions = z.infer<typeof ImportedSuppressions>;

export const SuppressionPage = z
  .object({
    items: z.array(Suppression),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Value of `cursor` for the next page. Null on the last page.' }),
    has_more: z.boolean(),
  })
  .meta({ id: 'SuppressionPage', description: 'A page of suppressed numbers, newest first.' });
export type SuppressionPage = z.infer<typeof SuppressionPage>;

export const RemovedSuppression = z
  .object({ status: z.literal('removed'), id: z.int() })
  .meta({ id: 'RemovedSuppression', description: 'Confirmation of the removal.' });
export type RemovedSuppression = z.infer<typeof RemovedSuppression>;

const tag = 'Suppressions';

export const suppressNumbers = route({
  method: 'post',
  path: '/suppressions',
  id: 'suppressNumbers',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Suppress numbers',
  description:
    'The organization no longer dials these numbers: waiting rows of campaigns end at once. If one number cannot be read, none is suppressed. Repeating the request changes nothing.',
  body: SuppressNumbersRequest,
  answers: { 200: { description: 'The result.', schema: SuppressedNumbers } },
});

export const listSuppressions = route({
  method: 'get',
  path: '/suppressions',
  id: 'listSuppressions',
  tag,
  auth: 'key',
  scope: 'people:read',
  summary: 'List suppressed numbers',
  description: 'Returns suppressed numbers, newest first. New numbers do not shift the pages.',
  query: record({
    number: text({ max: 32 }).optional().meta({
      description:
        'Only numbers that begin with these digits, country code first. A leading `+` or `00`, spaces, `-`, `.` and parentheses are ignored. A complete number is found in any notation.',
    }),
    cursor: text({ pattern: '^[0-9]{1,13}-[0-9]{1,15}$' })
      .optional()
      .meta({ description: '`next_cursor` of the previous page.' }),
    limit: integer(limitRule)
      .optional()
      .meta({ override: { default: 50 } }),
  }),
  answers: { 200: { description: 'A page of numbers.', schema: SuppressionPage } },
});

export const importSuppressions = route({
  method: 'post',
  path: '/suppressions/import',
  id: 'importSuppressions',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  bytes: true,
  summary: 'Import suppressed numbers',
  description:
    'The body is the file: CSV with any usual separator and encoding, XLSX, or one number per line. Lines that cannot be read are reported, all others are added. An interrupted upload adds nothing.',
  query: record({
    column: text({ min: 1, max: 255 })
      .optional()
      .meta({ description: 'Name of the column of the numbers. If absent, the service detects it.' }),
    default_country: text({ pattern: '^[A-Za-z]{2}$' }).optional().meta({
      description: 'Two-letter country code for numbers without one. If absent, such numbers cannot be read.',
    }),
    reason: reason().optional().meta({
      description:
        'Reason for people, at most 500 characters. It is stored with the numbers, so it must not contain names.',
    }),
  }),
  answers: {
    200: { description: 'The result.', schema: ImportedSuppressions },
    400: {
      description: 'The file cannot be read, or has no column of numbers. `detail` names the fix.',
      schema: ErrorBody,
    },
    413: { description: 'The file is larger than 64 MB.', schema: ErrorBody },
    503: {
      description: 'The installation has no file storage, or the storage is unavailable or full.',
      schema: ErrorBody,
    },
  },
});

export const exportSuppressions = route({
  method: 'get',
  path: '/suppressions/export',
  id: 'exportSuppressions',
  tag,
  auth: 'key',
  scope: 'people:read',
  summary: 'Download suppressed numbers',
  description:
    'Returns all suppressed numbers as CSV, sorted by number: `phone_number, source, reason, run_id, created_at`. The file can be imported again.',
  answers: { 200: { description: 'The file.', mediaType: 'text/csv' } },
});

export const removeSuppression = route({
  method: 'delete',
  path: '/suppressions/{suppression_id}',
  id: 'removeSuppression',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Remove a suppression',
  description:
    'The number may be dialed again. Rows of campaigns that ended because of the suppression stay ended. The audit log has the user and the reason, without the number.',
  params: record({ suppression_id: integer() }),
  query: record({
    reason: text({ min: 1, max: 500 }).meta({
      description:
        'Reason, at most 500 characters. It is stored in the audit log, so it must not contain names.',
    }),
  }),
  answers: {
    200: { description: 'Confirmation.', schema: RemovedSuppression },
    404: notFound("No such suppression in the caller's organization."),
  },
});
