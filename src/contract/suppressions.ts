import { z } from 'zod';
import { DateTime, ErrorBody, limitRule, notFound } from './common.ts';
import { list, record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

const reason = () => text({ max: 500 });

/** Described, not checked: whoever reads the number names the fault (contract 5.4). */
const numberPattern = String.raw`^[ .()-]*\+?[ .()-]*[1-9](?:[ .()-]*[0-9]){6,14}[ .()-]*$`;

/** Ours: the interface has no place for it. */
export const SuppressNumbersRequest = record({
  phone_numbers: list(text().meta({ pattern: numberPattern }), { min: 1, max: 1000 }).meta({
    description:
      'Digits with country code; a leading `+`, spaces, `-`, `.` and brackets are ignored, and so is the 0 of `+49 (0)151 …`: a number is one number however it is written.',
  }),
  reason: reason().nullish().meta({ description: 'For people. It is kept with the numbers: no names.' }),
}).meta({ id: 'SuppressNumbersRequest', description: 'Numbers that are not to be dialed.' });

export const suppressionSources = ['api', 'file', 'call', 'wrong_number'] as const;

export const Suppression = z
  .object({
    id: z.int(),
    phone_number: z.string().meta({ description: 'Digits with country code.' }),
    source: z.enum(suppressionSources).meta({
      description:
        'Who asked for it: `api` a request, `file` an imported list, `call` the person in a call, `wrong_number` whoever answered instead.',
    }),
    reason: z.string().nullable().meta({ description: 'In words; null = none was given.' }),
    run_id: z.int().nullable().meta({ description: 'The call in which it was asked for; null = none.' }),
    created_by: z.int().nullable().meta({ description: 'Id of the user who added it; null = nobody did.' }),
    created_at: DateTime,
  })
  .meta({ id: 'Suppression', description: 'A number that no campaign of the organization dials.' });
export type Suppression = z.infer<typeof Suppression>;

const counts = {
  added: z.int().meta({ description: 'Numbers that are on the list from now on.' }),
  already_there: z
    .int()
    .meta({ description: 'Numbers that were on it; they keep their reason and their moment.' }),
  suppressed_targets: z.int().meta({ description: 'Rows of campaigns that are not dialed any more.' }),
};

export const SuppressedNumbers = z
  .object({
    ...counts,
    suppressions: z
      .array(Suppression)
      .meta({ description: 'All that were named, each once, in the order of the request.' }),
  })
  .meta({ id: 'SuppressedNumbers', description: 'What came of it.' });
export type SuppressedNumbers = z.infer<typeof SuppressedNumbers>;

export const ImportedSuppressions = z
  .object({
    rows: z.int().meta({ description: 'Lines with anything in them, without the header.' }),
    ...counts,
    invalid: z.int().meta({ description: 'Lines whose number cannot be read.' }),
    faults: z
      .array(
        z.object({
          line: z.int().meta({ description: 'Of the file, from 1.' }),
          code: z.string().meta({ description: 'Stable machine word, e.g. `phone_letters`.' }),
          message: z.string(),
        }),
      )
      .meta({ description: 'The first 1,000 of these lines.' }),
  })
  .meta({ id: 'ImportedSuppressions', description: 'What came of a file of numbers.' });
export type ImportedSuppressions = z.infer<typeof ImportedSuppressions>;

export const SuppressionPage = z
  .object({
    items: z.array(Suppression),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'What `cursor` takes to get the next page; null on the last one.' }),
    has_more: z.boolean(),
  })
  .meta({ id: 'SuppressionPage', description: 'Suppressed numbers, newest first.' });
export type SuppressionPage = z.infer<typeof SuppressionPage>;

export const RemovedSuppression = z
  .object({ status: z.literal('removed'), id: z.int() })
  .meta({ id: 'RemovedSuppression', description: 'The number may be dialed again.' });
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
    'No campaign of the organization dials them any more: what was to be dialed is over at once. All of them, or none when one cannot be read. Asked again it changes nothing.',
  body: SuppressNumbersRequest,
  answers: { 200: { description: 'Suppressed.', schema: SuppressedNumbers } },
});

export const listSuppressions = route({
  method: 'get',
  path: '/suppressions',
  id: 'listSuppressions',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List suppressed numbers',
  description: 'Newest first. Numbers that are added meanwhile never move a page.',
  query: record({
    number: text({ max: 32 }).optional().meta({
      description:
        'Only numbers that begin with these digits, country code first; a leading `+` or `00`, spaces, `-`, `.` and brackets are ignored. A whole number is found in any notation.',
    }),
    cursor: text({ pattern: '^[0-9]{1,13}-[0-9]{1,15}$' })
      .optional()
      .meta({ description: '`next_cursor` of the page before.' }),
    limit: integer(limitRule)
      .optional()
      .meta({ override: { default: 50 } }),
  }),
  answers: { 200: { description: 'One page of numbers.', schema: SuppressionPage } },
});

export const importSuppressions = route({
  method: 'post',
  path: '/suppressions/import',
  id: 'importSuppressions',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  bytes: true,
  summary: 'Suppress the numbers of a file',
  description:
    'The file is the body: CSV with any usual separator and encoding, XLSX, or a number a line. Lines that cannot be read are told, the others are added. An upload that breaks off adds nothing.',
  query: record({
    column: text({ min: 1, max: 255 })
      .optional()
      .meta({ description: 'Name of the column with the numbers; absent = the one that looks like it.' }),
    default_country: text({ pattern: '^[A-Za-z]{2}$' }).optional().meta({
      description: 'Country of numbers without a country code, two letters; absent = they cannot be read.',
    }),
    reason: reason().optional().meta({ description: 'For people. It is kept with the numbers: no names.' }),
  }),
  answers: {
    200: { description: 'Every line was looked at.', schema: ImportedSuppressions },
    400: {
      description: 'The file cannot be read, or has no column of numbers; `detail` says what helps.',
      schema: ErrorBody,
    },
    413: { description: 'The file is larger than 64 MB.', schema: ErrorBody },
    503: {
      description: 'The installation keeps no files, or their storage is away or full.',
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
  scope: 'read',
  summary: 'Download all suppressed numbers',
  description:
    'CSV, in the order of the numbers: `phone_number, source, reason, run_id, created_at`. Such a file can be imported again.',
  answers: { 200: { description: 'The file.', mediaType: 'text/csv' } },
});

export const removeSuppression = route({
  method: 'delete',
  path: '/suppressions/{suppression_id}',
  id: 'removeSuppression',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Let a number be dialed again',
  description:
    'From now on: rows of campaigns that were over by it stay so. Who removed it and why is in the audit log, without the number.',
  params: record({ suppression_id: integer() }),
  query: record({
    reason: text({ min: 1, max: 500 }).meta({ description: 'Why. It is kept in the audit log: no names.' }),
  }),
  answers: {
    200: { description: 'Removed.', schema: RemovedSuppression },
    404: notFound("No such number on the caller's list."),
  },
});
