import { z } from 'zod';
import { WorkflowSummary } from './agent-library.ts';
import { DateTime } from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

const day = '^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$';
const share = {
  count: z.int(),
  percentage: z.number().meta({ description: 'Of the calls that are counted here, to the second decimal.' }),
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
      xfer_count: z.int().meta({ description: 'Calls that were handed over to somebody.' }),
      total_duration_seconds: z.int(),
      average_duration_seconds: z.int().meta({ description: 'Of calls that have ended.' }),
    }),
    disposition_distribution: z.array(z.object({ disposition: z.string(), ...share })).meta({
      description:
        'The five most frequent outcomes, then `Other`; calls without an outcome yet are left out.',
    }),
    call_duration_distribution: z
      .array(z.object({ bucket: z.string(), range_start: z.int(), range_end: z.int().nullable(), ...share }))
      .meta({ description: 'Ranges in seconds: the start belongs to them, the end does not.' }),
  })
  .meta({ id: 'DailyReport', description: 'The calls of one day.' });
export type DailyReport = z.infer<typeof DailyReport>;

/** Contract 15.2. */
export const DailyRun = z
  .object({
    phone_number: z.string(),
    disposition: z.string(),
    duration_seconds: z.number(),
    workflow_id: z.int(),
    run_id: z.int(),
    workflow_name: z.string(),
    created_at: DateTime,
  })
  .meta({ id: 'DailyRun', description: 'A call of the day; what it does not have is empty.' });
export type DailyRun = z.infer<typeof DailyRun>;

const query = record({
  date: text({ pattern: day }).meta({ description: 'The day, e.g. `2026-11-21`.' }),
  timezone: text({ max: 64 })
    .optional()
    .meta({ description: "IANA name of the zone whose day it is; the organization's when absent." }),
  workflow_id: integer().optional().meta({ description: 'Calls of this agent alone.' }),
});
const tag = 'Usage';

export const getDailyReport = route({
  method: 'get',
  path: '/organizations/reports/daily',
  id: 'getDailyReport',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Report on a day',
  description: 'Of calls created from midnight to midnight; a day on which clocks change has 23 or 25 hours.',
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
  description: 'All of them, oldest first, sent while they are read.',
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
  summary: 'List agents to report on',
  description: 'Archived ones too: they may have had calls.',
  answers: { 200: { description: 'The agents, newest first.', schema: z.array(WorkflowSummary) } },
});
