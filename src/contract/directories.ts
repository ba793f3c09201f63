import { z } from 'zod';
import { DateTime, ErrorBody, IdempotencyHeaders, limitRule, notFound } from './common.ts';
import { list, record } from './lax/collections.ts';
import { boolean, integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { route } from './route.ts';

/**
 * Contract 11.1: a directory is an uploaded contact file, how it is read, and what was found in it
 * (docs/directories.md).
 */

const separators = [',', ';', '\t', '|'] as const;
const contactStates = ['ok', 'invalid', 'duplicate', 'no_phone', 'suppressed', 'do_not_call'] as const;
const states = ['uploaded', 'importing', 'ready', 'failed'] as const;

const DirectoryReading = z
  .object({
    encoding: z.string().nullable(),
    separator: z.enum(separators).nullable(),
    sheet: z.string().nullable(),
    header_line: z.int(),
  })
  .meta({ id: 'DirectoryReading', description: 'How the bytes of the file become rows.' });

const DirectoryMapping = z
  .object({
    phone: z.string().nullable(),
    identifier: z.string().nullable(),
    time_zone: z.string().nullable(),
    do_not_call: z.string().nullable(),
    priority: z.string().nullable(),
    opening_line: z
      .object({ type: z.string(), text: z.string().nullable(), recording_id: z.string().nullable() })
      .nullable(),
    skipped: z.array(z.string()),
    default_country: z.string().nullable(),
    duplicates: z.enum(['first', 'last', 'all']),
  })
  .meta({
    id: 'DirectoryMapping',
    description:
      'What the service takes of the file for itself, by names of columns; every other column is a variable under its own name.',
  });

const DirectoryTotals = z
  .object({
    rows: z.int(),
    blank: z.int(),
    ok: z.int(),
    invalid: z.int(),
    duplicate: z.int(),
    no_phone: z.int(),
    suppressed: z.int(),
    do_not_call: z.int(),
    warned: z.int(),
    findings: z.record(z.string(), z.int()),
    empty_cells: z.record(z.string(), z.int()),
  })
  .meta({ id: 'DirectoryTotals', description: 'Rows by what became of them.' });

const directoryFields = {
  id: z.int(),
  uuid: z.string(),
  name: z.string(),
  file_key: z.string(),
  file_name: z.string(),
  kind: z.enum(['csv', 'xlsx']),
  file_size: z.int(),
  sha256: z.string(),
  state: z.enum(states),
  reading: DirectoryReading,
  mapping: DirectoryMapping,
  columns: z.array(z.string()),
  import_number: z.int(),
  totals: DirectoryTotals.nullable(),
  progress_percentage: z.int(),
  fault: z.string().nullable(),
  created_by: z.int().nullable(),
  created_at: DateTime,
  imported_at: DateTime.nullable(),
};

export const Directory = z
  .object(directoryFields)
  .meta({ id: 'Directory', description: 'An uploaded contact file.' });
export type Directory = z.infer<typeof Directory>;

export const DirectoryDetail = z
  .object({
    ...directoryFields,
    same_file: z.array(
      z.object({
        directory_id: z.int(),
        name: z.string(),
        created_at: DateTime,
        imported_at: DateTime.nullable(),
      }),
    ),
  })
  .meta({
    id: 'DirectoryDetail',
    description: 'An uploaded contact file, and those with exactly the same bytes.',
  });
export type DirectoryDetail = z.infer<typeof DirectoryDetail>;

export const DirectoryPage = z
  .object({ directories: z.array(Directory), total_count: z.int(), limit: z.int(), offset: z.int() })
  .meta({ id: 'DirectoryPage', description: 'Directories, newest first.' });
export type DirectoryPage = z.infer<typeof DirectoryPage>;

const ContactFinding = z
  .object({
    code: z.string(),
    level: z.enum(['error', 'warning']),
    column: z.string().nullable(),
    other_row: z.int().nullable(),
    message: z.string(),
    suggestion: z.string(),
  })
  .meta({
    id: 'ContactFinding',
    description: 'Something about a row. Errors leave it out of campaigns, warnings do not.',
  });
export type ContactFinding = z.infer<typeof ContactFinding>;

const Cells = z.array(z.string());

const contactFields = {
  row_number: z.int(),
  state: z.enum(contactStates),
  phone_number: z.string().nullable(),
  time_zone: z.string().nullable(),
  identifier: z.string().nullable(),
  priority: z.int(),
  cells: Cells,
  findings: z.array(ContactFinding),
};

export const ContactPage = z
  .object({
    columns: z.array(z.string()),
    items: z.array(z.object(contactFields)),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'ContactPage', description: 'Rows in the order of the file.' });
export type ContactPage = z.infer<typeof ContactPage>;

export const DirectoryPreview = z
  .object({
    kind: z.enum(['csv', 'xlsx']),
    reading: DirectoryReading,
    choices: z.object({
      encodings: z.array(z.string()),
      separators: z.array(z.string()),
      sheets: z.array(z.object({ name: z.string(), is_hidden: z.boolean() })),
    }),
    columns: z.array(z.string()),
    mapping: DirectoryMapping,
    above: z.array(Cells),
    rows: z.array(z.object({ ...contactFields, line: z.int() })),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'DirectoryPreview', description: 'The first 50 rows, as they would be read.' });
export type DirectoryPreview = z.infer<typeof DirectoryPreview>;

export const DirectoryFit = z
  .object({
    missing: z.array(z.string()),
    required: z.array(z.string()),
    warnings: z.array(
      z.object({
        code: z.string(),
        variable: z.string().nullable(),
        rows: z.int().nullable(),
        message: z.string(),
      }),
    ),
  })
  .meta({ id: 'DirectoryFit', description: "What an agent's prompts want and the file does not have." });
export type DirectoryFit = z.infer<typeof DirectoryFit>;

const columnName = () => text({ max: 255 }).nullish();
const encodingName = () => text({ min: 1, max: 32, pattern: '^[A-Za-z0-9_-]+$' });
const country = () => text({ pattern: '^[A-Z]{2}$' });
const headerLine = () => integer({ ge: 1, le: 1000 });
const directoryName = () => text({ min: 1, max: 255, trim: true });

/** Absent = as it is. */
export const UpdateDirectoryRequest = record({
  name: directoryName().optional(),
  reading: record({
    encoding: encodingName().optional(),
    separator: literal(...separators).optional(),
    sheet: text({ min: 1, max: 255 }).optional(),
    header_line: headerLine().optional(),
  }).optional(),
  mapping: record({
    phone: text({ min: 1, max: 255 }).optional(),
    identifier: columnName(),
    time_zone: columnName(),
    do_not_call: columnName(),
    priority: columnName(),
    opening_line: record({
      type: text({ min: 1, max: 255 }),
      text: columnName(),
      recording_id: columnName(),
    }).nullish(),
    skipped: list(text({ max: 255 }), { max: 500 }).optional(),
    default_country: country().nullish(),
    duplicates: literal('first', 'last', 'all').optional(),
  }).optional(),
}).meta({ id: 'UpdateDirectoryRequest', description: 'What is to be another; the rest stays.' });
export type UpdateDirectoryRequest = z.output<typeof UpdateDirectoryRequest>;

/** What `POST /directories` takes, for the description: the handler reads the form while it comes. */
const UploadForm = z
  .object({ name: z.string().optional(), file: z.string().meta({ format: 'binary' }) })
  .meta({ id: 'DirectoryUploadForm', description: 'A contact file.' });

export const DeletedDirectory = z
  .object({ success: z.literal(true) })
  .meta({ id: 'DeletedDirectory', description: 'The directory, its rows and its file are gone.' });

const tag = 'Directories';
const path = '/directories';
const one = `${path}/{directory_id}`;
const params = record({ directory_id: integer() });
const unknown = notFound("No such directory in the caller's organization.");
const noStorage = {
  503: {
    description: 'The installation keeps no files, or their storage is away or full.',
    schema: ErrorBody,
  },
};
const unreadable = {
  description: 'The file cannot be read so; `detail` names the fault and what helps.',
  schema: ErrorBody,
};
const inTheWay = {
  description: 'A check is under way, or a campaign uses the directory.',
  schema: ErrorBody,
};

export const uploadDirectory = route({
  method: 'post',
  path,
  id: 'uploadDirectory',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  bytes: true,
  form: UploadForm,
  summary: 'Upload a contact file',
  description:
    'CSV with any of four separators and any usual encoding, or XLSX; what it is is found out from its bytes. Nothing is stored of an upload that breaks off. Then look at the preview, change what is read wrongly, and check it.',
  answers: {
    200: { description: 'Uploaded.', schema: DirectoryDetail },
    400: {
      description:
        'There is no file in the form, or it is no contact file; `detail` names the fault and what helps.',
      schema: ErrorBody,
    },
    413: {
      description: 'The file is larger than the installation takes; `detail` names the limit.',
      schema: ErrorBody,
    },
    ...noStorage,
  },
});

export const listDirectories = route({
  method: 'get',
  path,
  id: 'listDirectories',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List directories',
  description: 'Newest first.',
  query: record({
    limit: integer(limitRule)
      .optional()
      .meta({ override: { default: 50 } }),
    offset: integer({ ge: 0, le: 1_000_000_000 })
      .optional()
      .meta({ override: { default: 0 } }),
  }),
  answers: { 200: { description: 'One page of directories.', schema: DirectoryPage } },
});

export const getDirectory = route({
  method: 'get',
  path: one,
  id: 'getDirectory',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read one directory',
  description: 'While a check is under way, how far it is.',
  params,
  answers: { 200: { description: 'The directory.', schema: DirectoryDetail }, 404: unknown },
});

export const updateDirectory = route({
  method: 'patch',
  path: one,
  id: 'updateDirectory',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Change a directory',
  description:
    'Its name, how it is read, which columns are what, what becomes of rows with the same number. An encoding may have any usual name; the answer has ours. Another reading or mapping wants another check, and is refused once a campaign uses the directory.',
  params,
  body: UpdateDirectoryRequest,
  answers: {
    200: { description: 'Changed.', schema: DirectoryDetail },
    400: unreadable,
    404: unknown,
    409: inTheWay,
    ...noStorage,
  },
});

export const previewDirectory = route({
  method: 'get',
  path: `${one}/preview`,
  id: 'previewDirectory',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Look at the first rows',
  description:
    'The first 50 that are not blank, of a text within its first 16 MiB, as they would be read by what is stored, or by what the query says instead. Nothing is changed.',
  params,
  query: record({
    encoding: encodingName().optional(),
    separator: literal(...separators).optional(),
    sheet: text({ min: 1, max: 255 }).optional(),
    header_line: headerLine().optional(),
    phone: text({ min: 1, max: 255 }).optional(),
    default_country: country().optional(),
  }),
  answers: {
    200: { description: 'The rows, and what else could be chosen.', schema: DirectoryPreview },
    400: unreadable,
    404: unknown,
    ...noStorage,
  },
});

export const checkDirectory = route({
  method: 'post',
  path: `${one}/check`,
  id: 'checkDirectory',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Check a directory',
  description:
    'Reads every row and stores it, as a durable process: it can be left, and `GET /directories/{directory_id}` says how far it is. Campaigns that call rows of an earlier check keep them.',
  params,
  headers: IdempotencyHeaders,
  answers: {
    200: { description: 'Under way.', schema: DirectoryDetail },
    400: unreadable,
    404: unknown,
    409: { description: 'It is under way already.', schema: ErrorBody },
    ...noStorage,
  },
});

export const cancelDirectoryCheck = route({
  method: 'delete',
  path: `${one}/check`,
  id: 'cancelDirectoryCheck',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Cancel a check',
  description: 'It ends within seconds; its rows are removed.',
  params,
  answers: {
    200: { description: 'It is asked to end.', schema: DirectoryDetail },
    404: unknown,
    409: { description: 'No check is under way.', schema: ErrorBody },
  },
});

export const listContacts = route({
  method: 'get',
  path: `${one}/rows`,
  id: 'listContacts',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List rows of a directory',
  description: 'As the last check read them, in the order of the file.',
  params,
  query: record({
    state: literal(...contactStates).optional(),
    search: text({ min: 1, max: 100, trim: true }).optional(),
    cursor: text({ pattern: '^[0-9]{1,10}$' }).optional(),
    limit: integer(limitRule)
      .optional()
      .meta({ override: { default: 50 } }),
  }),
  answers: { 200: { description: 'One page of rows.', schema: ContactPage }, 404: unknown },
});

export const downloadDirectoryErrors = route({
  method: 'get',
  path: `${one}/errors`,
  id: 'downloadDirectoryErrors',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Download the rows that are left out',
  description:
    'As they are in the file, in its encoding and with its separator (of a workbook: a workbook whose cells are all text), and behind them `line`, `column`, `code`, `message` and `suggestion`. To be put right and uploaded again.',
  params,
  query: record({
    include_warnings: boolean()
      .optional()
      .meta({ override: { default: false } }),
  }),
  answers: {
    200: { description: 'The rows.', mediaType: '*/*' },
    404: unknown,
    409: { description: 'It was not checked, or a check is under way.', schema: ErrorBody },
    ...noStorage,
  },
});

export const fitDirectory = route({
  method: 'get',
  path: `${one}/fit`,
  id: 'fitDirectory',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Compare a directory with an agent',
  description:
    "Variables of the agent's published version, or of its draft without one, that the file has no column for; columns that are empty in rows; the identifier used under its own name, by which no prompt finds it.",
  params,
  query: record({ workflow_id: integer() }),
  answers: {
    200: { description: 'What was found.', schema: DirectoryFit },
    404: notFound("No such directory or agent in the caller's organization."),
  },
});

export const deleteDirectory = route({
  method: 'delete',
  path: one,
  id: 'deleteDirectory',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Delete a directory',
  description: 'With its rows and its file. One that a campaign uses stays.',
  params,
  answers: {
    200: { description: 'Deleted.', schema: DeletedDirectory },
    404: unknown,
    409: inTheWay,
    ...noStorage,
  },
});
