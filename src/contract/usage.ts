import { z } from 'zod';
import { AnyObject, DateTime, ErrorBody, limitRule } from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { route } from './route.ts';

const link = z.string().nullable();
const usd = z.number().nullable();
const currency = z.literal('USD').nullable();
const unknownCost = 'Sum over the calls whose cost is known; null when none is.';

/** A day, or a moment with or without a zone. */
const bound =
  '^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,6})?)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?)?$';

/** Which calls, by when they were created. */
export const createdBetween = {
  start_date: text({ pattern: bound }).optional().meta({
    description: 'Created at this moment or later: a day, or ISO 8601; UTC unless it says otherwise.',
  }),
  end_date: text({ pattern: bound })
    .optional()
    .meta({ description: 'Created before the end of this day, or until this moment.' }),
};

/** Contract 6.9. */
export const UsageRun = z
  .object({
    id: z.int(),
    workflow_id: z.int(),
    workflow_name: z.string().nullable(),
    name: z.string(),
    created_at: DateTime,
    dograh_token_usage: z.number(),
    call_duration_seconds: z.int().meta({ description: '0 while the call goes on.' }),
    recording_url: link,
    transcript_url: link,
    user_recording_url: link,
    bot_recording_url: link,
    recording_public_url: link,
    transcript_public_url: link,
    user_recording_public_url: link,
    bot_recording_public_url: link,
    public_access_token: z.string().nullable(),
    phone_number: z.string().nullable(),
    caller_number: z.string().nullable(),
    called_number: z.string().nullable(),
    call_type: z.enum(['inbound', 'outbound']),
    mode: z.string(),
    disposition: z.string().nullable(),
    initial_context: AnyObject.nullable(),
    gathered_context: AnyObject.nullable(),
    charge_usd: usd.meta({ description: 'Null when the cost is not known.' }),
  })
  .meta({ id: 'UsageRun', description: 'A call with what it used.' });
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
    total_pages: z.int().meta({ description: '0 when there is nothing.' }),
  })
  .meta({ id: 'UsageRunPage', description: 'One page of calls; the totals are over all pages.' });
export type UsageRunPage = z.infer<typeof UsageRunPage>;

export const CurrentUsage = z
  .object({
    period_start: DateTime,
    period_end: DateTime.meta({ description: 'The first moment that is not part of it.' }),
    timezone: z.string(),
    call_count: z.int(),
    total_duration_seconds: z.int(),
    used_dograh_tokens: z.number(),
    used_amount_usd: usd.meta({ description: unknownCost }),
    currency,
    price_per_second_usd: z
      .null()
      .meta({ description: 'Calls are priced by what their models used, not by their seconds.' }),
  })
  .meta({
    id: 'CurrentUsage',
    description: "The calendar month that goes on, in the organization's time zone.",
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
    description: "Usage by day in the organization's time zone, oldest first; days without calls are there.",
  });
export type DailyUsage = z.infer<typeof DailyUsage>;

export const callFilters =
  'JSON text of an array of `{attribute, type, value}`: `dateRange` {from, to}, `dispositionCode` {codes}, `duration` and `tokenUsage` {min, max}, `status` {status: completed or in_progress}';

const filters = text()
  .optional()
  .meta({
    description: `${callFilters}, \`runId\`, \`workflowId\`, \`campaignId\` {value}, \`callTags\` {codes} (all of them), \`callerNumber\`, \`calledNumber\` {value} (a part of it), \`callDirection\` {status: inbound or outbound}, \`callChannel\` {status: telephony, web or chat}.`,
  });

const tag = 'Usage';
const filterFaults = {
  400: { description: 'The filters are not an array of filters.', schema: ErrorBody },
  403: { description: 'A filter by an attribute this list does not have.', schema: ErrorBody },
};

export const listUsageRuns = route({
  method: 'get',
  path: '/organizations/usage/runs',
  id: 'listUsageRuns',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List all calls',
  description: 'Of the organization, with what they used, from the moment they are made.',
  query: record({
    ...createdBetween,
    page: integer({ ge: 1 })
      .optional()
      .meta({ override: { default: 1 } }),
    limit: integer(limitRule)
      .optional()
      .meta({ override: { default: 50 } }),
    filters,
    sort_by: literal('created_at', 'duration')
      .optional()
      .meta({ override: { default: 'created_at' } }),
    sort_order: literal('asc', 'desc')
      .optional()
      .meta({ override: { default: 'desc' } }),
  }),
  answers: { 200: { description: 'One page of calls.', schema: UsageRunPage }, ...filterFaults },
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
    "The calls that the list has for the same dates and filters, oldest first, in the columns of an agent's report.",
  query: record({ ...createdBetween, filters }),
  answers: { 200: { description: 'The file.', mediaType: 'text/csv' }, ...filterFaults },
});

export const getCurrentUsage = route({
  method: 'get',
  path: '/organizations/usage/current-period',
  id: 'getCurrentUsage',
  tag,
  auth: 'key',
  scope: 'read',
  summary: "Read this month's usage",
  description: 'Of the calls that were created in it.',
  answers: { 200: { description: 'The usage.', schema: CurrentUsage } },
});

export const getDailyUsage = route({
  method: 'get',
  path: '/organizations/usage/daily-breakdown',
  id: 'getDailyUsage',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read usage by day',
  description: 'A call counts for the day it was created on.',
  query: record({
    days: integer({ ge: 1, le: 30 })
      .optional()
      .meta({ description: 'How many days, today included.', override: { default: 7 } }),
  }),
  answers: { 200: { description: 'The usage.', schema: DailyUsage } },
});
