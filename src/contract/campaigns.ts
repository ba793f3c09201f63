import { z } from 'zod';
import {
  AnyObject,
  changedSince,
  DateTime,
  ErrorBody,
  IdempotencyHeaders,
  IfMatchHeaders,
  IfNoneMatchHeaders,
  limitRule,
  notFound,
  PathInteger,
} from './common.ts';
import { encodingName } from './directories.ts';
import { CampaignRules, CircuitBreaker, RetryConfig, ScheduleConfig } from './campaign-rules.ts';
import { ListRunsQuery, WorkflowRun } from './calls.ts';
import { campaignFilters, type CampaignStanding } from './data/campaigns.ts';
import { list, record } from './lax/collections.ts';
import { raiseAsGiven } from './lax/fault.ts';
import { boolean, integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { masked, withoutNumbers } from './personal.ts';
import { route } from './route.ts';
import { createdBetween } from './usage.ts';

const name = () => text({ min: 1, max: 255 });
const lines = () =>
  integer({ ge: 1, le: 100 }).nullish().meta({
    description: 'Maximum number of concurrent calls, 1 to 100. Null means the limit of the organization.',
  });

/** Contract 11.5. `strict`, `identifier_column`, `encoding` and `rules` are additions. */
export const CreateCampaignRequest = record({
  name: name(),
  workflow_id: integer(),
  source_type: text({ pattern: '^csv$' }).meta({
    description: '`csv`, also for a workbook. The service detects the file type from the content.',
  }),
  source_id: text({ min: 1, max: 255 }).meta({ description: 'Storage key of the uploaded file.' }),
  telephony_configuration_id: integer()
    .nullish()
    .meta({ description: 'Id of the connection. Null means the default one at each dial.' }),
  retry_config: RetryConfig.nullish(),
  max_concurrency: lines(),
  schedule_config: ScheduleConfig.nullish(),
  circuit_breaker: CircuitBreaker.nullish(),
  strict: boolean().default(false).meta({
    description:
      'Whether one bad row refuses the file. Otherwise bad rows are left out and listed. Default false.',
  }),
  identifier_column: text({ min: 1, max: 255 }).nullish().meta({
    description:
      'Column that becomes `ext_customer_id`. Null means the column that the directory has chosen.',
  }),
  encoding: encodingName().nullish().meta({
    description:
      'Encoding of the file, by any usual name. Needed if it is a guess that nobody has confirmed. Null means as the directory says.',
  }),
  rules: CampaignRules.nullish(),
}).meta({ id: 'CreateCampaignRequest', description: 'A new campaign: an agent, a contact file and rules.' });

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
  description: 'Fields to change, each replaced as a whole. Absent or null means unchanged.',
});

const retryOn = () => boolean().default(true);

/** Outcomes after which a redial may call a contact again. After all others it never does. */
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

/** Contract 11.7. `outcomes` is an addition. */
export const RedialCampaignRequest = record({
  name: name()
    .nullish()
    .meta({ description: 'Name of the new campaign. Null means the old name with ` (Redial)`.' }),
  retry_on_voicemail: retryOn(),
  retry_on_no_answer: retryOn(),
  retry_on_busy: retryOn(),
  retry_config: RetryConfig.nullish().meta({
    description: 'Further attempts. Null means the `retry_config` of the old campaign.',
  }),
  // guarantee: redial-excludes-final-outcomes
  outcomes: list(literal(...redialableOutcomes), { min: 1, max: redialableOutcomes.length })
    .nullish()
    .meta({
      description:
        'Outcomes of the rows to call, instead of the three `retry_on_…` fields. Null means that those fields apply.',
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
  .meta({
    id: 'RedialCampaignRequest',
    description: 'Which contacts of a completed campaign are called again.',
  });

/** An addition to the interface. */
export const StopCampaignRequest = record({
  mode: literal('finish', 'hang_up')
    .default('finish')
    .meta({ description: '`finish` lets live calls end, `hang_up` ends them at once. Default `finish`.' }),
}).meta({ id: 'StopCampaignRequest', description: 'How live calls end when a campaign is stopped.' });

const CampaignLog = z.object({
  ts: DateTime,
  level: z.enum(['info', 'warning', 'error']),
  event: z.string(),
  message: z.string(),
  details: AnyObject,
  by: z.string().nullable(),
});

export const campaignStates = ['created', 'syncing', 'running', 'paused', 'completed', 'failed'] as const;

/** Contract 11.5, in that order. The fields after `logs` are additions. */
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
    directory_name: z.string(),
    rules: AnyObject.nullable(),
    stop_mode: z.enum(['finish', 'hang_up']).nullable(),
    wait_reason: z.string().nullable(),
    wait_until: DateTime.nullable(),
    temporal_workflow_id: z.string(),
  })
  .meta({
    id: 'Campaign',
    description: 'Calls to the contacts of a directory, by an agent, under rules.',
  });
export type Campaign = z.infer<typeof Campaign>;

export const CampaignList = z
  .object({
    campaigns: z.array(Campaign),
    total_count: z.int().meta({ description: 'Number of campaigns that the filters select.' }),
    limit: z.int().nullable().meta({ description: 'Maximum number of campaigns per page. Null means all.' }),
    offset: z.int(),
    standing_counts: z
      .object({
        running: z.int(),
        paused: z.int(),
        created: z.int(),
        completed: z.int(),
        stopped: z.int(),
        failed: z.int(),
      } satisfies Record<CampaignStanding, z.ZodInt>)
      .meta({ description: 'Number of campaigns that `search` selects, by how they stand.' }),
  })
  .meta({ id: 'CampaignList', description: 'A page of campaigns with their latest log entries.' });
export type CampaignList = z.infer<typeof CampaignList>;

/** Contract 11.5. The fields after `completed_at` are additions. */
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
      error: withoutNumbers(z.string().nullable()),
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
    reasons: z.record(z.string(), z.object({ rows: z.int(), next_at: DateTime.nullable() })),
    closed_zones: z.array(
      z.object({ time_zones: z.array(z.string()), rows: z.int(), opens_at: DateTime.nullable() }),
    ),
    dials_last_minute: z.int(),
    stop_mode: z.enum(['finish', 'hang_up']).nullable(),
    wait_reason: z.string().nullable(),
    wait_until: DateTime.nullable(),
    estimated_completion_at: DateTime.nullable(),
  })
  .meta({ id: 'CampaignProgress', description: 'Progress of a campaign.' });
export type CampaignProgress = z.infer<typeof CampaignProgress>;

/** Contract 6.2. */
export const CampaignRunPage = z
  .object({
    runs: z.array(WorkflowRun),
    total_count: z.int(),
    page: z.int(),
    limit: z.int(),
    total_pages: z.int().meta({ description: 'Number of pages. 0 if there are no items.' }),
  })
  .meta({ id: 'CampaignRunPage', description: "A page of a campaign's calls." });
export type CampaignRunPage = z.infer<typeof CampaignRunPage>;

export const SourceDownload = z
  .object({
    download_url: z.string(),
    expires_in: z.int().meta({ description: 'Seconds until the link expires.' }),
  })
  .meta({ id: 'SourceDownload', description: 'A link to the contact file. Needs no credentials.' });
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
  .meta({
    id: 'CampaignDefaults',
    description: 'Limits of a new campaign, and the settings of the newest one.',
  });
export type CampaignDefaults = z.infer<typeof CampaignDefaults>;

export const rowStates = ['queued', 'processing', 'processed', 'failed'] as const;

/** Why rows wait. A test compares this list with src/domain/campaign/wait-reason.ts. */
export const rowReasons = [
  'outside_window',
  'window_never_opens',
  'retry',
  'callback',
  'capped',
  'lines_busy',
  'no_line',
  'pace',
  'no_number',
  'carrier_down',
  'daily_limit',
  'no_media_host',
  'paused',
  'stopped',
  'breaker',
  'rows_are_read',
  'line_in_doubt',
  'campaign_failed',
  'recently_called',
] as const;

/** How attempts end. A test compares this list with src/domain/campaign/outcome.ts. */
export const rowOutcomes = [
  ...redialableOutcomes,
  'opted_out',
  'wrong_number',
  'invalid_number',
  'suppressed',
  'not_allowed',
] as const;

/** One row of the file in the campaign. An addition to the interface. */
export const CampaignRowState = z
  .object({
    row: z.int(),
    phone_number: masked(z.string().nullable()),
    state: z.enum([...rowStates, 'left_out']),
    reason: z.string().nullable(),
    due_at: DateTime.nullable(),
    spent_attempts: z.int(),
    attempts: z.int(),
    outcome: z.string().nullable(),
    workflow_run_id: z.int().nullable(),
    settled_at: DateTime.nullable(),
  })
  .meta({ id: 'CampaignRowState', description: 'State of a row of the file in the campaign.' });
export type CampaignRowState = z.infer<typeof CampaignRowState>;

export const CampaignRowPage = z
  .object({ rows: z.array(CampaignRowState), next_after: z.int().nullable() })
  .meta({ id: 'CampaignRowPage', description: 'A page of rows, in the order of the file.' });
export type CampaignRowPage = z.infer<typeof CampaignRowPage>;

export const CampaignRowHistory = CampaignRowState.extend({
  identifier: masked(z.string().nullable()),
  values: masked(AnyObject),
  findings: z.array(
    z.object({
      code: z.string(),
      level: z.enum(['error', 'warning']),
      column: withoutNumbers(z.string().nullable()),
      message: masked(z.string()),
      suggestion: masked(z.string()),
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
}).meta({ id: 'CampaignRowHistory', description: 'A row with its cells, findings and calls.' });
export type CampaignRowHistory = z.infer<typeof CampaignRowHistory>;

/** An addition to the interface: the fields of `CreateCampaignRequest` that decide how long calls take. */
export const EstimateCampaignRequest = record({
  source_id: text({ min: 1, max: 255 }).meta({ description: 'Storage key of the uploaded file.' }),
  workflow_id: integer().nullish(),
  telephony_configuration_id: integer().nullish(),
  max_concurrency: lines(),
  schedule_config: ScheduleConfig.nullish(),
  rules: CampaignRules.nullish(),
}).meta({ id: 'EstimateCampaignRequest', description: 'The settings of a campaign that may not exist yet.' });

/** Why an estimate has no end. */
export const estimateFaults = [
  'not_checked',
  'nobody',
  'no_connection',
  'no_lines',
  'hours_never_open',
  'beyond_a_year',
  'over',
] as const;

/** An addition to the interface. */
export const CampaignEstimate = z
  .object({
    rows: z.int().nullable(),
    suppressed: z.int(),
    recently_called: z.int(),
    never_called: z.int(),
    begins_at: DateTime.nullable(),
    all_called_at: DateTime.nullable(),
    earliest_at: DateTime.nullable(),
    latest_at: DateTime.nullable(),
    dialing_seconds: z.int(),
    unknown_because: z.enum(estimateFaults).nullable(),
    lines: z.int(),
    lines_limited_by: z.enum(['campaign', 'numbers', 'organization', 'other_campaigns']),
    starts_per_second: z.number(),
    zones: z.array(
      z.object({
        time_zones: z.array(z.string()),
        rows: z.int(),
        is_open: z.boolean(),
        opens_at: DateTime.nullable(),
        closes_at: DateTime.nullable(),
        all_called_at: DateTime.nullable(),
      }),
    ),
    assumptions: z.object({
      answered_share: z.number(),
      answered_seconds: z.number(),
      unanswered_seconds: z.number(),
      calls: z.int(),
    }),
  })
  .meta({ id: 'CampaignEstimate', description: 'How long it takes to call everybody once.' });
export type CampaignEstimate = z.infer<typeof CampaignEstimate>;

/** An addition to the interface. */
export const CampaignActivity = z
  .object({
    bucket_seconds: z.int(),
    buckets: z.array(z.object({ from: DateTime, calls: z.int(), reached: z.int() })),
    dialing: z.array(z.object({ at: DateTime, is_stopped: z.boolean(), by: z.string().nullable() })),
  })
  .meta({ id: 'CampaignActivity', description: 'Calls of a campaign by interval.' });
export type CampaignActivity = z.infer<typeof CampaignActivity>;

const tag = 'Campaigns';
const CampaignPath = record({ campaign_id: PathInteger });
const unknown = notFound("No such campaign in the caller's organization.");
const wrongState = {
  description: 'The campaign is in the wrong state. The text names the required and the current state.',
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
  description: 'Returns campaigns, newest first: all, or a page of them with `limit`.',
  query: record({
    search: text({ min: 1, max: 255, trim: true }).optional().meta({
      description:
        'Only campaigns with every word of this text in the name of the campaign, of its agent or of its directory, in upper or lower case.',
    }),
    standing: literal(...campaignFilters)
      .optional()
      .meta({
        description:
          'Only campaigns that stand like this. `running` are also those whose rows are read and those that are being stopped; `stopped` are completed because they were stopped, `open` all that are neither.',
      }),
    limit: integer({ ge: 1, le: 500 })
      .optional()
      .meta({ description: 'Maximum number of campaigns per page. Absent means all.' }),
    offset: integer({ ge: 0, le: 1_000_000_000 })
      .optional()
      .meta({ override: { default: 0 } }),
    logs: integer({ ge: 0, le: 20 })
      .optional()
      .meta({
        description: 'Maximum number of log entries of each campaign, the latest.',
        override: { default: 20 },
      }),
  }),
  answers: { 200: { description: 'A page of campaigns.', schema: CampaignList } },
});

export const createCampaign = route({
  method: 'post',
  path: '/campaign/create',
  id: 'createCampaign',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Create a campaign',
  description:
    "Checks the file, a small one as a whole. Rows that cannot be called are left out and listed. The file is refused if it has no header, no row, no column of phone numbers, no row that can be called, or no column for a variable that the agent's published prompts need. Calls begin only after the campaign is started.",
  headers: IdempotencyHeaders,
  body: CreateCampaignRequest,
  answers: {
    200: {
      description: 'The campaign in state `created`. Warnings about the file are in `logs`.',
      schema: Campaign,
    },
    400: {
      description: 'The file, the connection, the lines or the hours cannot be used. The text says why.',
      schema: ErrorBody,
    },
    404: notFound("No such agent in the caller's organization, or it is archived."),
  },
});

export const estimateCampaign = route({
  method: 'post',
  path: '/campaign/estimate',
  id: 'estimateCampaign',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  group: 'reads',
  summary: 'Estimate a campaign',
  description:
    "Tells how long these settings take to call everybody of a checked file once, and when that is done. Nothing is created. Answered share and length of calls are those of the agent's latest calls, or usual ones if there are too few. Further attempts and calls outside campaigns are not included.",
  body: EstimateCampaignRequest,
  answers: {
    200: {
      description: 'The estimate. `unknown_because` says why it has no end.',
      schema: CampaignEstimate,
    },
    404: notFound("No such file or agent in the caller's organization."),
  },
});

export const getCampaignEstimate = route({
  method: 'get',
  path: `${one}/estimate`,
  id: 'getCampaignEstimate',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Estimate what is left of a campaign',
  description:
    'Tells how long it takes to call everybody once more who is still to be called. A campaign that has not started is estimated as if it started now, a paused one as if it resumed now.',
  params: CampaignPath,
  answers: { 200: { description: 'The estimate.', schema: CampaignEstimate }, 404: unknown },
});

export const getCampaignDefaults = route({
  method: 'get',
  path: '/organizations/campaign-defaults',
  id: 'getCampaignDefaults',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get defaults for a new campaign',
  description: 'Returns limits and defaults for a form that creates campaigns.',
  answers: {
    200: {
      description: 'Limits, and the settings of the newest campaign.',
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
  summary: 'Get a campaign',
  description: 'Returns the campaign with its latest 100 log entries, oldest first.',
  params: CampaignPath,
  headers: IfNoneMatchHeaders,
  taggedAs: 'campaign',
  answers: { ...campaign('The campaign.'), 304: { description: "The caller's copy is current." } },
});

export const updateCampaign = route({
  method: 'patch',
  path: one,
  id: 'updateCampaign',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Update a campaign',
  description:
    'A running campaign follows the new rules within seconds. Hours, caps and the retry plan are applied again to rows that already wait. Requested callbacks keep their time.',
  params: CampaignPath,
  headers: IfMatchHeaders,
  body: UpdateCampaignRequest,
  taggedAs: 'campaign',
  answers: {
    ...campaign('The updated campaign.'),
    400: {
      description: 'The campaign has ended, or the lines or the hours cannot be used. The text says why.',
      schema: ErrorBody,
    },
    412: changedSince,
  },
});

const begin = {
  400: {
    description:
      'The campaign is in the wrong state, the agent has no published version, or no connection is ready. The text says which.',
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
    'Calls begin while the rows are still being read. If the campaign cannot be started (503), its state stays `created`.',
  params: CampaignPath,
  headers: IdempotencyHeaders,
  answers: { ...campaign('The campaign in state `syncing`.'), ...begin },
});

export const pauseCampaign = route({
  method: 'post',
  path: `${one}/pause`,
  id: 'pauseCampaign',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Pause a campaign',
  description: 'The campaign makes no new calls. Live calls continue.',
  params: CampaignPath,
  headers: IdempotencyHeaders,
  answers: { ...campaign('The paused campaign.'), 400: wrongState },
});

export const resumeCampaign = route({
  method: 'post',
  path: `${one}/resume`,
  id: 'resumeCampaign',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Resume a campaign',
  description:
    'Earlier failures no longer count for the circuit breaker. If the campaign cannot be resumed (503), its state stays `paused`.',
  params: CampaignPath,
  headers: IdempotencyHeaders,
  answers: { ...campaign('The campaign in state `running`.'), ...begin },
});

export const stopCampaign = route({
  method: 'post',
  path: `${one}/stop`,
  id: 'stopCampaign',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Stop a campaign',
  description:
    'A stopped campaign cannot be resumed. It makes no new calls, and waiting rows fail as `canceled`. When the last call has ended, the campaign is `completed`.',
  params: CampaignPath,
  headers: IdempotencyHeaders,
  body: StopCampaignRequest,
  answers: { ...campaign('The campaign, which is being stopped.'), 400: wrongState },
});

export const redialCampaign = route({
  method: 'post',
  path: `${one}/redial`,
  id: 'redialCampaign',
  tag,
  auth: 'key',
  scope: 'calls:trigger',
  summary: 'Redial a campaign',
  description:
    'Creates a campaign with the contacts that were not reached, chosen by their latest call. Each contact is in it once, and its rows are already queued. A campaign can be redialed once.',
  params: CampaignPath,
  headers: IdempotencyHeaders,
  body: RedialCampaignRequest,
  answers: {
    ...campaign('The new campaign in state `created`.'),
    400: {
      description: 'The campaign is not completed, was already redialed, or has no contact to call.',
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
  summary: 'Get the progress of a campaign',
  description: 'Counts may be a second old, those of a large campaign a few seconds.',
  params: CampaignPath,
  answers: { 200: { description: 'The progress.', schema: CampaignProgress }, 404: unknown },
});

export const getCampaignActivity = route({
  method: 'get',
  path: `${one}/activity`,
  id: 'getCampaignActivity',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get the activity of a campaign',
  description:
    'Counts the calls that ended, by interval, up to the latest one. What happened in between is in `logs` of the campaign.',
  params: CampaignPath,
  query: record({
    bucket: integer({ ge: 60, le: 86_400 })
      .optional()
      .meta({ description: 'Seconds of an interval.', override: { default: 300 } }),
    limit: integer({ ge: 1, le: 288 })
      .optional()
      .meta({ description: 'Maximum number of intervals.', override: { default: 72 } }),
  }),
  answers: { 200: { description: 'The intervals.', schema: CampaignActivity }, 404: unknown },
});

const filterFaults = {
  400: { description: '`filters` is not a JSON array of filters.', schema: ErrorBody },
  403: { description: '`filters` names an attribute that this list does not have.', schema: ErrorBody },
};

export const listCampaignRuns = route({
  method: 'get',
  path: `${one}/runs`,
  id: 'listCampaignRuns',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List the calls of a campaign',
  description: 'Returns all calls of the campaign, including further attempts.',
  params: CampaignPath,
  query: ListRunsQuery,
  answers: {
    200: { description: 'A page of calls.', schema: CampaignRunPage },
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
  scope: 'people:read',
  summary: 'Get a link to the contact file',
  description: 'The link is valid for one hour.',
  params: CampaignPath,
  answers: {
    200: { description: 'The link.', schema: SourceDownload },
    400: { description: 'The file is not CSV.', schema: ErrorBody },
    404: notFound("No such campaign in the caller's organization, or its file no longer exists."),
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
    'Returns the state of each row. A waiting row has the reason and the end of its wait. Rows that were left out are not listed. Several filters are combined with AND. `number` needs the scope `people:read`.',
  params: CampaignPath,
  query: record({
    state: literal(...rowStates).optional(),
    reason: literal(...rowReasons)
      .optional()
      .meta({ description: 'Only rows with this reason.' }),
    outcome: literal(...rowOutcomes)
      .optional()
      .meta({ description: 'Only rows whose last attempt ended so.' }),
    number: text({ pattern: '^[-+0-9 ().]{1,32}$' }).optional().meta({
      description: 'Only rows whose number begins with these digits. It begins with the country code.',
    }),
    after: integer({ ge: 0 })
      .optional()
      .meta({
        description: 'Only rows after this one: `next_after` of the previous page.',
        override: { default: 0 },
      }),
    limit: integer(limitRule)
      .optional()
      .meta({ override: { default: 50 } }),
  }),
  answers: {
    200: { description: 'A page of rows.', schema: CampaignRowPage },
    403: { description: '`number` without the scope `people:read`.', schema: ErrorBody },
    404: unknown,
  },
});

export const getCampaignRow = route({
  method: 'get',
  path: `${one}/rows/{row}`,
  id: 'getCampaignRow',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get a row of a campaign',
  description: 'Returns the row with its cells and all its calls. A row that was left out is returned too.',
  params: record({ campaign_id: PathInteger, row: PathInteger }),
  answers: {
    200: { description: 'The row.', schema: CampaignRowHistory },
    404: notFound("No such campaign in the caller's organization, or the campaign has no such row."),
  },
});

export const exportCampaign = route({
  method: 'get',
  path: `${one}/export`,
  id: 'exportCampaign',
  tag,
  auth: 'key',
  scope: 'people:read',
  summary: 'Download the rows of a campaign',
  description:
    '`results` has every row of the file with its columns and its outcome. `errors` has only rows that were left out or failed, with the reason. In CSV, text that a spreadsheet would read as a formula is prefixed with an apostrophe. In a workbook every cell is text.',
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
    400: {
      description: 'The campaign has more rows than a workbook can hold. Use `csv`.',
      schema: ErrorBody,
    },
    404: unknown,
  },
});
