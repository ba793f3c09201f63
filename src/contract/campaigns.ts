import { z } from 'zod';
import {
  AnyObject,
  DateTime,
  ErrorBody,
  IdempotencyHeaders,
  limitRule,
  notFound,
  PathInteger,
} from './common.ts';
import { CampaignRules, CircuitBreaker, RetryConfig, ScheduleConfig } from './campaign-rules.ts';
import { ListRunsQuery, WorkflowRun } from './calls.ts';
import { list, record } from './lax/collections.ts';
import { raiseAsGiven } from './lax/fault.ts';
import { boolean, integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { route } from './route.ts';
import { createdBetween } from './usage.ts';

const name = () => text({ min: 1, max: 255 });
const lines = () =>
  integer({ ge: 1, le: 100 })
    .nullish()
    .meta({ description: 'Most calls at once; null = as many as the organization may have.' });

/** Contract 11.5; `strict`, `identifier_column` and `rules` are ours. */
export const CreateCampaignRequest = record({
  name: name(),
  workflow_id: integer(),
  source_type: text({ pattern: '^csv$' }).meta({
    description: '`csv`, also for a workbook: what a file is, its bytes say.',
  }),
  source_id: text({ min: 1, max: 255 }).meta({ description: 'Key of the file, from its upload.' }),
  telephony_configuration_id: integer()
    .nullish()
    .meta({ description: 'Connection; null = the default one at each dial.' }),
  retry_config: RetryConfig.nullish(),
  max_concurrency: lines(),
  schedule_config: ScheduleConfig.nullish(),
  circuit_breaker: CircuitBreaker.nullish(),
  strict: boolean()
    .default(false)
    .meta({ description: 'One bad row refuses the file; otherwise bad rows are left out and listed.' }),
  identifier_column: text({ min: 1, max: 255 })
    .nullish()
    .meta({ description: 'Column that becomes `ext_customer_id`; null = as the directory has it.' }),
  rules: CampaignRules.nullish(),
}).meta({ id: 'CreateCampaignRequest', description: 'An agent, a file of contacts, and rules.' });

/** Contract 11.5: absent and null both mean unchanged. */
export const UpdateCampaignRequest = record({
  name: name().nullish(),
  retry_config: RetryConfig.nullish(),
  max_concurrency: lines(),
  schedule_config: ScheduleConfig.nullish(),
  circuit_breaker: CircuitBreaker.nullish(),
  rules: CampaignRules.nullish(),
}).meta({
  id: 'UpdateCampaignRequest',
  description: 'Only what is to change, each as a whole; null means unchanged.',
});

const retryOn = () => boolean().default(true);

/**
 * A person may be called again by another campaign after these; after the others nobody ever is, whatever is
 * asked.
 */
const redialableOutcomes = [
  'reached',
  'short_answer',
  'callback',
  'no_answer',
  'busy',
  'declined',
  'voicemail',
  'voicemail_message',
  'provider',
  'capacity',
  'own_fault',
  'not_dialed',
  'unknown',
  'canceled',
] as const;

/** Contract 11.7; `outcomes` is ours. */
export const RedialCampaignRequest = record({
  name: name().nullish().meta({ description: 'Null = the old one and ` (Redial)`.' }),
  retry_on_voicemail: retryOn(),
  retry_on_no_answer: retryOn(),
  retry_on_busy: retryOn(),
  retry_config: RetryConfig.nullish().meta({ description: 'Null = that of the old campaign.' }),
  // guarantee: nobody-redialed-after-outcome
  outcomes: list(literal(...redialableOutcomes), { min: 1, max: redialableOutcomes.length })
    .nullish()
    .meta({
      description:
        'Rows whose last call came to one of these, instead of the three reasons; null = by the reasons.',
    }),
})
  .superRefine((body, ctx) => {
    if (body.outcomes == null && !body.retry_on_voicemail && !body.retry_on_no_answer && !body.retry_on_busy)
      raiseAsGiven(ctx, {
        type: 'value_error',
        msg: 'Value error, at least one of retry_on_voicemail, retry_on_no_answer and retry_on_busy must be true',
        ctx: { error: {} },
      });
  })
  .meta({ id: 'RedialCampaignRequest', description: 'Who of a completed campaign is called once more.' });

/** Ours. */
export const StopCampaignRequest = record({
  mode: literal('finish', 'hang_up')
    .default('finish')
    .meta({ description: '`finish`: calls go on to their end. `hang_up`: they are ended.' }),
}).meta({ id: 'StopCampaignRequest', description: 'How a campaign ends before its last row.' });

const CampaignLog = z.object({
  ts: DateTime,
  level: z.enum(['info', 'warning', 'error']),
  event: z.string(),
  message: z.string(),
  details: AnyObject,
});

export const campaignStates = ['created', 'syncing', 'running', 'paused', 'completed', 'failed'] as const;

/** Contract 11.5, in that order; what follows `logs` is ours. */
export const Campaign = z
  .object({
    id: z.int(),
    name: z.string(),
    workflow_id: z.int(),
    workflow_name: z.string(),
    state: z.enum(campaignStates),
    source_type: z.literal('csv'),
    source_id: z.string(),
    total_rows: z.int().nullable(),
    processed_rows: z.int(),
    failed_rows: z.int(),
    created_at: DateTime,
    started_at: DateTime.nullable(),
    completed_at: DateTime.nullable(),
    retry_config: z.object({
      enabled: z.boolean(),
      max_retries: z.int(),
      retry_delay_seconds: z.int(),
      retry_on_busy: z.boolean(),
      retry_on_no_answer: z.boolean(),
      retry_on_voicemail: z.boolean(),
    }),
    max_concurrency: z.int().nullable(),
    schedule_config: z
      .object({
        enabled: z.boolean(),
        timezone: z.string(),
        slots: z.array(z.object({ day_of_week: z.int(), start_time: z.string(), end_time: z.string() })),
      })
      .nullable(),
    circuit_breaker: z.object({
      enabled: z.boolean(),
      failure_threshold: z.number(),
      window_seconds: z.int(),
      min_calls_in_window: z.int(),
    }),
    executed_count: z.int(),
    total_queued_count: z.int(),
    parent_campaign_id: z.int().nullable(),
    redialed_campaign_id: z.int().nullable(),
    telephony_configuration_id: z.int().nullable(),
    telephony_configuration_name: z.string().nullable(),
    logs: z.array(CampaignLog),
    directory_id: z.int(),
    rules: AnyObject.nullable(),
    stop_mode: z.enum(['finish', 'hang_up']).nullable(),
    wait_reason: z.string().nullable(),
    wait_until: DateTime.nullable(),
    temporal_workflow_id: z.string(),
  })
  .meta({
    id: 'Campaign',
    description: 'Calls to the contacts of one directory, by one agent, under one set of rules.',
  });
export type Campaign = z.infer<typeof Campaign>;

export const CampaignList = z
  .object({ campaigns: z.array(Campaign) })
  .meta({ id: 'CampaignList', description: 'The campaigns, each with its latest log entries.' });
export type CampaignList = z.infer<typeof CampaignList>;

/** Contract 11.5; what follows `completed_at` is ours. */
export const CampaignProgress = z
  .object({
    campaign_id: z.int(),
    state: z.enum(campaignStates),
    total_rows: z.int().nullable(),
    processed_rows: z.int(),
    failed_calls: z.int(),
    progress_percentage: z.number(),
    source_sync: z.object({
      status: z.enum(['pending', 'in_progress', 'completed', 'failed']),
      last_synced_at: DateTime.nullable(),
      error: z.string().nullable(),
    }),
    rate_limit: z.number(),
    started_at: DateTime.nullable(),
    completed_at: DateTime.nullable(),
    rows: z.object({
      queued: z.int(),
      waiting: z.int(),
      processing: z.int(),
      processed: z.int(),
      failed: z.int(),
      left_out: z.int(),
    }),
    outcomes: z.record(z.string(), z.int()),
    stop_mode: z.enum(['finish', 'hang_up']).nullable(),
    wait_reason: z.string().nullable(),
    wait_until: DateTime.nullable(),
    estimated_completion_at: DateTime.nullable(),
  })
  .meta({ id: 'CampaignProgress', description: 'How far a campaign is.' });
export type CampaignProgress = z.infer<typeof CampaignProgress>;

/** Contract 6.2. */
export const CampaignRunPage = z
  .object({
    runs: z.array(WorkflowRun),
    total_count: z.int(),
    page: z.int(),
    limit: z.int(),
    total_pages: z.int().meta({ description: '0 when there is nothing.' }),
  })
  .meta({ id: 'CampaignRunPage', description: "One page of a campaign's calls." });
export type CampaignRunPage = z.infer<typeof CampaignRunPage>;

export const SourceDownload = z
  .object({ download_url: z.string(), expires_in: z.int().meta({ description: 'Seconds.' }) })
  .meta({ id: 'SourceDownload', description: 'A link to the file of contacts that needs no credentials.' });
export type SourceDownload = z.infer<typeof SourceDownload>;

/** Contract 11.5. */
export const CampaignDefaults = z
  .object({
    concurrent_call_limit: z.int(),
    from_numbers_count: z.int(),
    default_retry_config: Campaign.shape.retry_config,
    last_campaign_settings: z
      .object({
        retry_config: Campaign.shape.retry_config,
        max_concurrency: z.int().nullable(),
        schedule_config: Campaign.shape.schedule_config,
        circuit_breaker: Campaign.shape.circuit_breaker,
        rules: AnyObject.nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'CampaignDefaults', description: 'What a new campaign may have, and what the last one had.' });
export type CampaignDefaults = z.infer<typeof CampaignDefaults>;

export const rowStates = ['queued', 'processing', 'processed', 'failed'] as const;

/** Why rows wait: the words of src/domain/campaign/wait-reason.ts, which a test compares. */
export const rowReasons = [
  'outside_window',
  'window_never_opens',
  'retry',
  'callback',
  'capped',
  'no_line',
  'pace',
  'no_number',
  'carrier_down',
  'no_media_host',
  'paused',
  'stopped',
  'breaker',
  'rows_are_read',
  'line_in_doubt',
  'campaign_failed',
] as const;

/** Ours: one row of the file in the campaign. */
export const CampaignRowState = z
  .object({
    row: z.int(),
    phone_number: z.string().nullable(),
    state: z.enum([...rowStates, 'left_out']),
    reason: z.string().nullable(),
    due_at: DateTime.nullable(),
    spent_attempts: z.int(),
    attempts: z.int(),
    outcome: z.string().nullable(),
    workflow_run_id: z.int().nullable(),
    settled_at: DateTime.nullable(),
  })
  .meta({ id: 'CampaignRowState', description: 'Where one row of the file stands in the campaign.' });
export type CampaignRowState = z.infer<typeof CampaignRowState>;

export const CampaignRowPage = z
  .object({ rows: z.array(CampaignRowState), next_after: z.int().nullable() })
  .meta({ id: 'CampaignRowPage', description: 'Rows in the order of the file.' });
export type CampaignRowPage = z.infer<typeof CampaignRowPage>;

export const CampaignRowHistory = CampaignRowState.extend({
  identifier: z.string().nullable(),
  values: AnyObject,
  findings: z.array(
    z.object({
      code: z.string(),
      level: z.enum(['error', 'warning']),
      column: z.string().nullable(),
      message: z.string(),
      suggestion: z.string(),
    }),
  ),
  history: z.array(
    z.object({
      attempt: z.int(),
      workflow_run_id: z.int(),
      workflow_run_name: z.string(),
      because: z.string().nullable(),
      begun_at: DateTime,
      outcome: z.string().nullable(),
      is_spent: z.boolean().nullable(),
      settled_at: DateTime.nullable(),
      disposition: z.string().nullable(),
      call_duration_seconds: z.int().nullable(),
    }),
  ),
}).meta({ id: 'CampaignRowHistory', description: 'One row with everything that was tried.' });
export type CampaignRowHistory = z.infer<typeof CampaignRowHistory>;

const tag = 'Campaigns';
const CampaignPath = record({ campaign_id: PathInteger });
const unknown = notFound("No such campaign in the caller's organization.");
const wrongState = {
  description: 'Not in this state; the text names the needed and the present one.',
  schema: ErrorBody,
};
const one = '/campaign/{campaign_id}' as const;
const campaign = (description: string) => ({ 200: { description, schema: Campaign }, 404: unknown });

export const listCampaigns = route({
  method: 'get',
  path: '/campaign/',
  id: 'listCampaigns',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List campaigns',
  description: 'Newest first.',
  answers: { 200: { description: 'The campaigns.', schema: CampaignList } },
});

export const createCampaign = route({
  method: 'post',
  path: '/campaign/create',
  id: 'createCampaign',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Make a campaign',
  description:
    "The file is looked at, a small one as a whole. Rows that nobody can call are left out and listed; the file is refused when there is no header, no row, no column of phone numbers, nobody to call, or no column for a variable that the agent's published prompts need. Nobody is called before the start.",
  headers: IdempotencyHeaders,
  body: CreateCampaignRequest,
  answers: {
    200: { description: 'Made, `created`. Warnings about the file are in `logs`.', schema: Campaign },
    400: {
      description: 'The file, the connection, the lines or the hours cannot be used; the text says why.',
      schema: ErrorBody,
    },
    404: notFound("No such agent in the caller's organization, or it is archived."),
  },
});

export const getCampaignDefaults = route({
  method: 'get',
  path: '/organizations/campaign-defaults',
  id: 'getCampaignDefaults',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read what a new campaign may have',
  description: 'For a form that makes campaigns.',
  answers: {
    200: {
      description: 'Limits, and the settings of the campaign that was made last.',
      schema: CampaignDefaults,
    },
  },
});

export const getCampaign = route({
  method: 'get',
  path: one,
  id: 'getCampaign',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read a campaign',
  description: 'With its latest hundred log entries, oldest first.',
  params: CampaignPath,
  answers: campaign('The campaign.'),
});

export const updateCampaign = route({
  method: 'patch',
  path: one,
  id: 'updateCampaign',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Change a campaign',
  description:
    'Also while it runs: what is dialed from then on follows the new rules, within seconds. Rows that wait already are decided anew by the edited hours, caps and retry plan; a call that somebody was promised stays.',
  params: CampaignPath,
  body: UpdateCampaignRequest,
  answers: {
    ...campaign('Changed.'),
    400: {
      description: 'It is over, or the lines or the hours cannot be used; the text says why.',
      schema: ErrorBody,
    },
  },
});

const begin = {
  400: {
    description:
      'Not in this state, or nobody could be called: the agent is not published, or no connection is ready. The text says which.',
    schema: ErrorBody,
  },
};

export const startCampaign = route({
  method: 'post',
  path: `${one}/start`,
  id: 'startCampaign',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Start a campaign',
  description:
    'Its rows are read while the first are called already. When it cannot be started (503) it is `created` as before.',
  params: CampaignPath,
  headers: IdempotencyHeaders,
  answers: { ...campaign('Started, `syncing`.'), ...begin },
});

export const pauseCampaign = route({
  method: 'post',
  path: `${one}/pause`,
  id: 'pauseCampaign',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Pause a campaign',
  description: 'Nothing new is dialed; calls that go on are not ended.',
  params: CampaignPath,
  headers: IdempotencyHeaders,
  answers: { ...campaign('Paused.'), 400: wrongState },
});

export const resumeCampaign = route({
  method: 'post',
  path: `${one}/resume`,
  id: 'resumeCampaign',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Go on with a paused campaign',
  description:
    'What failed before does not count for the circuit breaker any more. When it cannot go on (503) it is `paused` as before.',
  params: CampaignPath,
  headers: IdempotencyHeaders,
  answers: { ...campaign('It goes on, `running`.'), ...begin },
});

export const stopCampaign = route({
  method: 'post',
  path: `${one}/stop`,
  id: 'stopCampaign',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Stop a campaign for good',
  description:
    'Nothing new is dialed. Rows that wait fail as `canceled`; when the last call is over the campaign is `completed`.',
  params: CampaignPath,
  headers: IdempotencyHeaders,
  body: StopCampaignRequest,
  answers: { ...campaign('It is being stopped.'), 400: wrongState },
});

export const redialCampaign = route({
  method: 'post',
  path: `${one}/redial`,
  id: 'redialCampaign',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Call once more whom a campaign did not reach',
  description:
    'Each contact once, by its latest call. Makes a campaign whose rows are queued already; a campaign can be redialed once.',
  params: CampaignPath,
  headers: IdempotencyHeaders,
  body: RedialCampaignRequest,
  answers: {
    ...campaign('The new campaign, `created`.'),
    400: {
      description: 'It is not completed, was redialed already, or there is nobody to call.',
      schema: ErrorBody,
    },
  },
});

export const getCampaignProgress = route({
  method: 'get',
  path: `${one}/progress`,
  id: 'getCampaignProgress',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read how far a campaign is',
  description: 'Counts may be a second old, those of a large campaign some seconds.',
  params: CampaignPath,
  answers: { 200: { description: 'The progress.', schema: CampaignProgress }, 404: unknown },
});

const filterFaults = {
  400: { description: 'The filters are not an array of filters.', schema: ErrorBody },
  403: { description: 'A filter by an attribute this list does not have.', schema: ErrorBody },
};

export const listCampaignRuns = route({
  method: 'get',
  path: `${one}/runs`,
  id: 'listCampaignRuns',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List the calls of a campaign',
  description: 'Retries among them.',
  params: CampaignPath,
  query: ListRunsQuery,
  answers: {
    200: { description: 'One page of calls.', schema: CampaignRunPage },
    404: unknown,
    ...filterFaults,
  },
});

export const downloadCampaignReport = route({
  method: 'get',
  path: `${one}/report`,
  id: 'downloadCampaignReport',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Download the calls of a campaign as CSV',
  description:
    'One line per call, oldest first, with a column for each variable that the versions of these calls extract.',
  params: CampaignPath,
  query: record(createdBetween),
  answers: { 200: { description: 'The file.', mediaType: 'text/csv' }, 404: unknown },
});

export const getCampaignSource = route({
  method: 'get',
  path: `${one}/source-download-url`,
  id: 'getCampaignSource',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get a link to the file of contacts',
  description: 'Good for an hour.',
  params: CampaignPath,
  answers: {
    200: { description: 'The link.', schema: SourceDownload },
    400: { description: 'The file is no CSV.', schema: ErrorBody },
    404: notFound("No such campaign in the caller's organization, or its file is gone."),
  },
});

export const listCampaignRows = route({
  method: 'get',
  path: `${one}/rows`,
  id: 'listCampaignRows',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List the rows of a campaign',
  description:
    'Where each one stands; for one that waits, why and until when. Rows that are left out are not among them.',
  params: CampaignPath,
  query: record({
    state: literal(...rowStates).optional(),
    reason: literal(...rowReasons)
      .optional()
      .meta({ description: 'Rows that show this reason now.' }),
    after: integer({ ge: 0 })
      .optional()
      .meta({
        description: 'Rows behind this one: `next_after` of the page before.',
        override: { default: 0 },
      }),
    limit: integer(limitRule)
      .optional()
      .meta({ override: { default: 50 } }),
  }),
  answers: { 200: { description: 'Some rows.', schema: CampaignRowPage }, 404: unknown },
});

export const getCampaignRow = route({
  method: 'get',
  path: `${one}/rows/{row}`,
  id: 'getCampaignRow',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read one row of a campaign',
  description: 'With its values and all that was tried, also one that is left out.',
  params: record({ campaign_id: PathInteger, row: PathInteger }),
  answers: {
    200: { description: 'The row.', schema: CampaignRowHistory },
    404: notFound("No such campaign in the caller's organization, or it has no such row."),
  },
});

export const exportCampaign = route({
  method: 'get',
  path: `${one}/export`,
  id: 'exportCampaign',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Download the rows of a campaign',
  description:
    'Every row of the file with its own columns. `results`: what became of it. `errors`: only those that are left out or failed, with the reason. In CSV, texts that a spreadsheet would take for a formula begin with an apostrophe; in a workbook every cell is text.',
  params: CampaignPath,
  query: record({
    kind: literal('results', 'errors')
      .optional()
      .meta({ override: { default: 'results' } }),
    format: literal('csv', 'xlsx')
      .optional()
      .meta({ override: { default: 'csv' } }),
  }),
  answers: {
    200: { description: 'The file.', mediaType: '*/*' },
    400: { description: 'More rows than a workbook holds.', schema: ErrorBody },
    404: unknown,
  },
});
