import { z } from 'zod';
import { DateTime, ErrorBody, IdempotencyHeaders, limitRule, notFound } from './common.ts';
import { list, record } from './lax/collections.ts';
import { boolean, integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { withoutNumbers } from './personal.ts';
import { route } from './route.ts';

/**
 * A directory: an uploaded contact file, how it is read, and its rows (contract 11.1, docs/directories.md).
 */

const separators = [',', ';', '\t', '|'] as const;
const contactStates = ['ok', 'invalid', 'duplicate', 'no_phone', 'suppressed', 'do_not_call'] as const;
const states = ['uploaded', 'importing', 'ready', 'failed'] as const;

const DirectoryReading = z
  .object({
    encoding: z.string().nullable(),
    is_guess: z.boolean(),
    separator: z.enum(separators).nullable(),
    sheet: z.string().nullable(),
    header_line: z.int(),
  })
  .meta({ id: 'DirectoryReading', description: 'How the file is read.' });

/** The name of a column, which is a cell of the header line. */
const ColumnName = withoutNumbers(z.string().nullable());

const DirectoryMapping = z
  .object({
    phone: ColumnName,
    identifier: ColumnName,
    time_zone: ColumnName,
    do_not_call: ColumnName,
    priority: ColumnName,
    opening_line: z
      .object({ type: withoutNumbers(z.string()), text: ColumnName, recording_id: ColumnName })
      .nullable(),
    skipped: withoutNumbers(z.array(z.string())),
    default_country: z.string().nullable(),
    unassigned_numbers: z.enum(['call', 'leave_out']),
    duplicates: z.enum(['first', 'last', 'all']),
  })
  .meta({
    id: 'DirectoryMapping',
    description:
      'Columns with a meaning for the service. Every other column is a variable under its own name.',
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
    empty_cells: withoutNumbers(z.record(z.string(), z.int())),
  })
  .meta({ id: 'DirectoryTotals', description: 'Row counts by result of the check.' });

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
  columns: withoutNumbers(z.array(z.string())),
  import_number: z.int(),
  totals: DirectoryTotals.nullable(),
  progress_percentage: z.int(),
  fault: withoutNumbers(z.string().nullable()),
  repaired_from: z.int().nullable(),
  created_by: z.int().nullable(),
  created_at: DateTime,
  imported_at: DateTime.nullable(),
  campaigns: z.array(z.object({ id: z.int(), name: z.string() })),
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
    description: 'An uploaded contact file, with earlier uploads of the same content.',
  });
export type DirectoryDetail = z.infer<typeof DirectoryDetail>;

export const DirectoryPage = z
  .object({ directories: z.array(Directory), total_count: z.int(), limit: z.int(), offset: z.int() })
  .meta({ id: 'DirectoryPage', description: 'A page of directories, newest first.' });
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
    description: 'An error or warning about a row. Errors exclude the row from campaigns, warnings do not.',
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
    items: z.array(z.object({ ...contactFields, repeated_in: z.array(z.int()) })),
    finding_counts: z.record(z.string(), z.int()),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'ContactPage', description: 'A page of rows, in the order of the file.' });
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
  .meta({ id: 'DirectoryPreview', description: 'Preview of the first 50 rows.' });
export type DirectoryPreview = z.infer<typeof DirectoryPreview>;

export const DirectoryFit = z
  .object({
    missing: withoutNumbers(z.array(z.string())),
    required: withoutNumbers(z.array(z.string())),
    warnings: z.array(
      z.object({
        code: z.string(),
        variable: withoutNumbers(z.string().nullable()),
        rows: z.int().nullable(),
        message: withoutNumbers(z.string()),
      }),
    ),
  })
  .meta({
    id: 'DirectoryFit',
    description: 'Differences between the variables of an agent and the columns of the file.',
  });
export type DirectoryFit = z.infer<typeof DirectoryFit>;

const columnName = () => text({ max: 255 }).nullish();
export const encodingName = () => text({ min: 1, max: 32, pattern: '^[A-Za-z0-9_-]+$' });
const country = () => text({ pattern: '^[A-Z]{2}$' });
const headerLine = () => integer({ ge: 1, le: 1000 });
const directoryName = () => text({ min: 1, max: 255, trim: true });

/** Absent fields stay unchanged. */
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
    unassigned_numbers: literal('call', 'leave_out').optional(),
    duplicates: literal('first', 'last', 'all').optional(),
  }).optional(),
}).meta({ id: 'UpdateDirectoryRequest', description: 'Fields to change. Absent fields stay unchanged.' });
export type UpdateDirectoryRequest = z.output<typeof UpdateDirectoryRequest>;

export const RepairDirectoryRequest = record({ directory_id: integer() }).meta({
  id: 'RepairDirectoryRequest',
  description: 'A repaired error file.',
});

export const DirectoryRepair = z
  .object({
    repaired: z.int(),
    duplicate: z.int(),
    do_not_call: z.int(),
    suppressed: z.int(),
    skipped: z.int(),
    campaign_ids: z.array(z.int()),
  })
  .meta({ id: 'DirectoryRepair', description: 'Row counts by what repaired rows became.' });

/** The form of `POST /directories`, for the description only: the handler reads it as a stream. */
const UploadForm = z
  .object({ name: z.string().optional(), file: z.string().meta({ format: 'binary' }) })
  .meta({ id: 'DirectoryUploadForm', description: 'Form with a contact file.' });

export const DeletedDirectory = z
  .object({ success: z.literal(true) })
  .meta({ id: 'DeletedDirectory', description: 'Confirmation of the deletion.' });

const tag = 'Directories';
const path = '/directories';
const one = `${path}/{directory_id}`;
const params = record({ directory_id: integer() });
const unknown = notFound("No such directory in the caller's organization.");
const noStorage = {
  503: {
    description: 'The installation has no file storage, or the storage is unavailable or full.',
    schema: ErrorBody,
  },
};
const unreadable = {
  description: 'The file cannot be read this way. `detail` names the fault and the fix.',
  schema: ErrorBody,
};
const inTheWay = {
  description: 'A check is running, or a campaign uses the directory.',
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
  headers: IdempotencyHeaders,
  form: UploadForm,
  summary: 'Upload a contact file',
  description:
    'Accepts CSV with any of four separators and any usual encoding, and XLSX. The service detects the type from the content. An interrupted upload stores nothing. After the upload, get the preview, correct how the file is read, and check the directory.',
  answers: {
    200: { description: 'The directory.', schema: DirectoryDetail },
    400: {
      description:
        'The form has no file, or the file is not a contact file. `detail` names the fault and the fix.',
      schema: ErrorBody,
    },
    413: {
      description: 'The file is larger than the limit of the installation. `detail` names the limit.',
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
  description: 'Returns directories, newest first.',
  query: record({
    search: text({ min: 1, max: 255, trim: true })
      .optional()
      .meta({ description: 'Only directories with this text in the name or the file name.' }),
    limit: integer(limitRule)
      .optional()
      .meta({ override: { default: 50 } }),
    offset: integer({ ge: 0, le: 1_000_000_000 })
      .optional()
      .meta({ override: { default: 0 } }),
  }),
  answers: { 200: { description: 'A page of directories.', schema: DirectoryPage } },
});

export const getDirectory = route({
  method: 'get',
  path: one,
  id: 'getDirectory',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get a directory',
  description: 'Returns the directory. During a check it has the progress.',
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
  summary: 'Update a directory',
  description:
    "Changes the name, how the file is read, and what each column means. An encoding may be given by any usual name; the response has the service's name for it. A given encoding counts as confirmed, also if it is the guessed one. A new reading or mapping requires a new check, and is refused once a campaign uses the directory.",
  params,
  body: UpdateDirectoryRequest,
  answers: {
    200: { description: 'The updated directory.', schema: DirectoryDetail },
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
  scope: 'people:read',
  summary: 'Preview a directory',
  description:
    'Returns the first 50 rows that are not blank, of a text file within its first 16 MiB. They are read as the directory says, or as the query says instead. Changes nothing.',
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
    200: { description: 'The rows, and the alternatives.', schema: DirectoryPreview },
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
    'Starts a durable check that reads and stores every row. `GET /directories/{directory_id}` returns its progress. Campaigns that call rows of an earlier check keep them.',
  params,
  headers: IdempotencyHeaders,
  answers: {
    200: { description: 'The directory, whose check has started.', schema: DirectoryDetail },
    400: unreadable,
    404: unknown,
    409: { description: 'A check is already running.', schema: ErrorBody },
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
  description: 'The check ends within seconds. Its rows are removed.',
  params,
  answers: {
    200: { description: 'The directory, whose check is being canceled.', schema: DirectoryDetail },
    404: unknown,
    409: { description: 'No check is running.', schema: ErrorBody },
  },
});

export const listContacts = route({
  method: 'get',
  path: `${one}/rows`,
  id: 'listContacts',
  tag,
  auth: 'key',
  scope: 'people:read',
  summary: 'List the rows of a directory',
  description:
    'Returns the rows of the last check, in the order of the file. `search` finds a part of a number in any notation, or a part of any cell; case and accents make no difference. `finding_counts` counts the rows of the whole directory.',
  params,
  query: record({
    state: literal(...contactStates).optional(),
    finding: text({ pattern: '^[a-z_]{1,40}$' }).optional(),
    search: text({ min: 1, max: 100, trim: true }).optional(),
    cursor: text({ pattern: '^[0-9]{1,10}$' }).optional(),
    limit: integer(limitRule)
      .optional()
      .meta({ override: { default: 50 } }),
  }),
  answers: { 200: { description: 'A page of rows.', schema: ContactPage }, 404: unknown },
});

export const downloadDirectoryErrors = route({
  method: 'get',
  path: `${one}/errors`,
  id: 'downloadDirectoryErrors',
  tag,
  auth: 'key',
  scope: 'people:read',
  summary: 'Download rejected rows',
  description:
    'Returns the rows that campaigns do not call, in the encoding and with the separator of the file, to correct and upload again. The last columns are `line`, `column`, `code`, `message` and `suggestion`. For a workbook, the result is a workbook with text cells only.',
  params,
  query: record({
    include_warnings: boolean()
      .optional()
      .meta({ override: { default: false } }),
  }),
  answers: {
    200: { description: 'The rows.', mediaType: '*/*' },
    404: unknown,
    409: { description: 'The directory was never checked, or a check is running.', schema: ErrorBody },
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
    "Reports variables without a column, columns with empty cells, and prompts that use the identifier under its own name. The variables are those of the agent's published version, or of its draft if there is no published version.",
  params,
  query: record({ workflow_id: integer() }),
  answers: {
    200: { description: 'The differences.', schema: DirectoryFit },
    404: notFound("No such directory or agent in the caller's organization."),
  },
});

export const repairDirectory = route({
  method: 'post',
  path: `${one}/repairs`,
  id: 'repairDirectory',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Add repaired rows',
  description:
    'Puts the usable rows of a repaired error file in the place of the rows that the directory leaves out. They keep their row numbers and record keys, and campaigns over the directory that are not over call them, too. Numbers that the directory already calls stay left out. The repaired file must be uploaded and checked first. A repeated request changes nothing more.',
  params,
  body: RepairDirectoryRequest,
  answers: {
    200: { description: 'What the rows became.', schema: DirectoryRepair },
    400: { description: 'The file was not made from the error file of this directory.', schema: ErrorBody },
    404: unknown,
    409: { description: 'One of the two was not checked, or a check is running.', schema: ErrorBody },
    ...noStorage,
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
  description:
    'Deletes the directory with its rows and its file. A directory that a campaign uses cannot be deleted.',
  params,
  answers: {
    200: { description: 'Deleted.', schema: DeletedDirectory },
    404: unknown,
    409: inTheWay,
    ...noStorage,
  },
});
