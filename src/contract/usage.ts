import { z } from 'zod';
import { AnyObject, DateTime, ErrorBody, limitRule } from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { zoneName } from './lax/zone.ts';
import { emptied, masked } from './personal.ts';
import { route } from './route.ts';

const link = emptied(z.string().nullable());
const usd = z.number().nullable();
const currency = z.literal('USD').nullable();
const unknownCost = 'Cost in US dollars of the calls whose cost is known. Null if none is.';

/** A day, or a timestamp with or without a zone. */
const bound =
  '^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,6})?)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?)?$';

/** Filters by the creation of calls. */
export const createdBetween = {
  start_date: text({ pattern: bound }).optional().meta({
    description:
      'Only calls created at this day or timestamp (ISO 8601) or later. UTC if it has no time zone.',
  }),
  end_date: text({ pattern: bound })
    .optional()
    .meta({ description: 'Only calls created until the end of this day, or until this timestamp.' }),
};

/** Contract 6.9. `latency_p95_ms` and what follows it are additions. */
export const UsageRun = z
  .object({
    id: z.int(),
    workflow_id: z.int(),
    workflow_name: z.string().nullable(),
    name: z.string(),
    created_at: DateTime,
    dograh_token_usage: z.number(),
    call_duration_seconds: z
      .int()
      .meta({ description: 'Duration of the call in seconds. 0 while the call is live.' }),
    recording_url: link,
    transcript_url: link,
    user_recording_url: link,
    bot_recording_url: link,
    recording_public_url: link,
    transcript_public_url: link,
    user_recording_public_url: link,
    bot_recording_public_url: link,
    public_access_token: emptied(z.string().nullable()),
    phone_number: masked(z.string().nullable()),
    caller_number: masked(z.string().nullable()),
    called_number: masked(z.string().nullable()),
    call_type: z.enum(['inbound', 'outbound']),
    mode: z.string(),
    disposition: z.string().nullable(),
    initial_context: masked(AnyObject.nullable()),
    gathered_context: masked(AnyObject.nullable()),
    charge_usd: usd.meta({ description: 'Cost of the call in US dollars. Null if unknown.' }),
    latency_p95_ms: z.int().nullable().meta({
      description:
        "The 95th percentile of the time from the end of the person's words to the agent's reply, in milliseconds. Null without a spoken reply, and while the call is live.",
    }),
    definition_id: z.int().meta({ description: 'Id of the version that the call is pinned to.' }),
    version_number: z.int().nullable().meta({ description: 'Number of that version. Null if unknown.' }),
    turn_count: z.int().nullable().meta({
      description:
        "Turns after the agent's opening so far, without those that a rewind took back. Null after the transcript was erased.",
    }),
    qa_score: emptied(z.number().nullable()).meta({
      description:
        'Score of the first QA node that gave one, 1 to 10. Null if none did, or after the values were erased.',
    }),
    was_interrupted: z.boolean().meta({
      description:
        'Whether the person began to speak before the agent had finished a line. False after the transcript was erased.',
    }),
    current_node: z.string().nullable().meta({
      description:
        'Name of the node of the last complete turn of a live call. Null before its first turn, and for other calls.',
    }),
  })
  .meta({ id: 'UsageRun', description: 'A call with its usage.' });
export type UsageRun = z.infer<typeof UsageRun>;

/** Contract 6.9. */
export const UsageRunPage = z
  .object({
    runs: z.array(UsageRun),
    total_dograh_tokens: z.number(),
    total_duration_seconds: z.int(),
    total_count: z.int(),
    page: z.int(),
    limit: z.int(),
    total_pages: z.int().meta({ description: 'Number of pages. 0 if there are no items.' }),
  })
  .meta({ id: 'UsageRunPage', description: 'A page of calls. The totals cover all pages.' });
export type UsageRunPage = z.infer<typeof UsageRunPage>;

export const CurrentUsage = z
  .object({
    period_start: DateTime,
    period_end: DateTime.meta({ description: 'End of the month, exclusive.' }),
    timezone: z.string(),
    call_count: z.int(),
    total_duration_seconds: z.int(),
    used_dograh_tokens: z.number(),
    used_amount_usd: usd.meta({ description: unknownCost }),
    currency,
    price_per_second_usd: z
      .null()
      .meta({ description: 'Always null: calls are priced by the usage of models, not by seconds.' }),
  })
  .meta({
    id: 'CurrentUsage',
    description: "Usage of the current calendar month in the organization's time zone.",
  });
export type CurrentUsage = z.infer<typeof CurrentUsage>;

export const DailyUsage = z
  .object({
    timezone: z.string(),
    breakdown: z.array(
      z.object({
        date: z.iso.date(),
        call_count: z.int(),
        duration_seconds: z.int(),
        minutes: z.number(),
        dograh_tokens: z.number(),
        cost_usd: usd,
      }),
    ),
    total_minutes: z.number(),
    total_dograh_tokens: z.number(),
    total_cost_usd: usd.meta({ description: unknownCost }),
    currency,
  })
  .meta({
    id: 'DailyUsage',
    description: 'Usage by day in one time zone, including days without calls.',
  });
export type DailyUsage = z.infer<typeof DailyUsage>;

export const callFilters =
  'JSON text of an array of `{attribute, type, value}`: `dateRange` {from, to}, `dispositionCode` {codes}, `duration` and `tokenUsage` {min, max}, `status` {status: completed or in_progress}';

export const callFilterText = text()
  .optional()
  .meta({
    description: `${callFilters}, \`runId\` {value} or {ids}, \`workflowId\`, \`versionId\`, \`campaignId\` {value}, \`callTags\` {codes} (all of them), \`callerNumber\`, \`calledNumber\` {value} (a part of it), \`callDirection\` {status: inbound or outbound}, \`callChannel\` {status: telephony, web or chat}.`,
  });

const tag = 'Usage';
export const filterFaults = {
  400: { description: '`filters` is not a JSON array of filters.', schema: ErrorBody },
  403: { description: '`filters` names an attribute that this list does not have.', schema: ErrorBody },
};

export const listUsageRuns = route({
  method: 'get',
  path: '/organizations/usage/runs',
  id: 'listUsageRuns',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List all calls',
  description:
    'Returns all calls of the organization with their usage. A call is listed as soon as it is created.',
  query: record({
    ...createdBetween,
    page: integer({ ge: 1 })
      .optional()
      .meta({ override: { default: 1 } }),
    limit: integer(limitRule)
      .optional()
      .meta({ override: { default: 50 } }),
    filters: callFilterText,
    sort_by: literal('created_at', 'duration')
      .optional()
      .meta({ override: { default: 'created_at' } }),
    sort_order: literal('asc', 'desc')
      .optional()
      .meta({ override: { default: 'desc' } }),
  }),
  answers: { 200: { description: 'A page of calls.', schema: UsageRunPage }, ...filterFaults },
});

export const downloadUsageReport = route({
  method: 'get',
  path: '/organizations/usage/runs/report',
  id: 'downloadUsageReport',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Download all calls as CSV',
  description:
    "Returns the same calls as the list with these dates and filters, oldest first, with the columns of an agent's report.",
  query: record({ ...createdBetween, filters: callFilterText }),
  answers: { 200: { description: 'The file.', mediaType: 'text/csv' }, ...filterFaults },
});

export const getCurrentUsage = route({
  method: 'get',
  path: '/organizations/usage/current-period',
  id: 'getCurrentUsage',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get the usage of this month',
  description: 'Covers the calls created in the current calendar month.',
  answers: { 200: { description: 'The usage.', schema: CurrentUsage } },
});

export const getDailyUsage = route({
  method: 'get',
  path: '/organizations/usage/daily-breakdown',
  id: 'getDailyUsage',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get the usage by day',
  description: 'A call counts for the day on which it was created.',
  query: record({
    days: integer({ ge: 1, le: 30 })
      .optional()
      .meta({ description: 'Number of days, including today. Default 7.', override: { default: 7 } }),
    timezone: zoneName().optional().meta({
      description: "IANA name of the time zone of the days. The organization's if it is absent.",
    }),
    filters: callFilterText,
  }),
  answers: { 200: { description: 'The usage.', schema: DailyUsage }, ...filterFaults },
});
