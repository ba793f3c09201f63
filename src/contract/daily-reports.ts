import { z } from 'zod';
import { WorkflowSummary } from './agent-library.ts';
import { DateTime } from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { text } from './lax/text.ts';
import { zoneName } from './lax/zone.ts';
import { masked } from './personal.ts';
import { route } from './route.ts';

const day = '^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$';
const share = {
  count: z.int(),
  percentage: z.number().meta({ description: 'Percentage of the counted calls, to two decimals.' }),
};

/** Contract 15.2. */
export const DailyReport = z
  .object({
    date: z.iso.date(),
    timezone: z.string(),
    workflow_id: z.int().nullable(),
    metrics: z.object({
      total_runs: z.int(),
      completed_runs: z.int(),
      xfer_count: z.int().meta({ description: 'Number of transferred calls.' }),
      total_duration_seconds: z.int(),
      average_duration_seconds: z.int().meta({ description: 'Average duration of ended calls in seconds.' }),
    }),
    disposition_distribution: z.array(z.object({ disposition: z.string(), ...share })).meta({
      description:
        'The five most frequent dispositions, then `Other`. Calls without a disposition are not counted.',
    }),
    call_duration_distribution: z
      .array(z.object({ bucket: z.string(), range_start: z.int(), range_end: z.int().nullable(), ...share }))
      .meta({ description: 'Calls by range of duration.' }),
  })
  .meta({ id: 'DailyReport', description: 'Report on the calls of a day.' });
export type DailyReport = z.infer<typeof DailyReport>;

/** Contract 15.2. */
export const DailyRun = z
  .object({
    phone_number: masked(z.string()),
    disposition: z.string(),
    duration_seconds: z.number(),
    workflow_id: z.int(),
    run_id: z.int(),
    workflow_name: z.string(),
    created_at: DateTime,
  })
  .meta({ id: 'DailyRun', description: 'A call of the day. Values that a call does not have are empty.' });
export type DailyRun = z.infer<typeof DailyRun>;

const query = record({
  date: text({ pattern: day }).meta({ description: 'The day, for example `2026-11-21`.' }),
  timezone: zoneName().meta({ description: 'IANA name of the time zone of the day.' }),
  workflow_id: integer().optional().meta({ description: 'Only calls of this agent.' }),
});
const tag = 'Usage';

export const getDailyReport = route({
  method: 'get',
  path: '/organizations/reports/daily',
  id: 'getDailyReport',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get the report of a day',
  description:
    'Covers calls created from midnight to midnight. A day on which clocks change has 23 or 25 hours.',
  query,
  answers: { 200: { description: 'The report.', schema: DailyReport } },
});

export const listDailyRuns = route({
  method: 'get',
  path: '/organizations/reports/daily/runs',
  id: 'listDailyRuns',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List the calls of a day',
  description: 'Returns all calls of the day, oldest first, as a stream.',
  query,
  answers: { 200: { description: 'The calls.', schema: z.array(DailyRun) } },
});

export const listReportWorkflows = route({
  method: 'get',
  path: '/organizations/reports/workflows',
  id: 'listReportWorkflows',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'List agents for reports',
  description: 'Returns all agents, including archived ones, newest first.',
  answers: { 200: { description: 'The agents.', schema: z.array(WorkflowSummary) } },
});
