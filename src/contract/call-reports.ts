import { z } from 'zod';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { literal, text } from './lax/text.ts';
import { zoneName } from './lax/zone.ts';
import { route } from './route.ts';
import { callFilterText, filterFaults } from './usage.ts';

/** What a report can be divided by. */
export const reportGroupings = ['day', 'agent', 'version', 'campaign', 'disposition'] as const;
export type ReportGrouping = (typeof reportGroupings)[number];

/** Maximum number of days of a report. */
export const maxReportDays = 92;

const day = '^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$';

const latency = (share: number) =>
  z
    .int()
    .nullable()
    .meta({
      description: `Of the calls with spoken replies, ${share} % have a \`latency_p95_ms\` of at most this. Null without such calls.`,
    });
const figures = {
  calls: z.int().meta({ description: 'Number of calls.' }),
  ended_calls: z.int().meta({ description: 'Number of these calls that have ended.' }),
  duration_seconds: z.int().meta({ description: 'Duration of the calls in seconds.' }),
  average_duration_seconds: z.int().meta({ description: 'Average duration of ended calls in seconds.' }),
  cost_usd: z.number().nullable().meta({
    description: 'Cost of the calls whose cost is known, in US dollars. Null if none is known.',
  }),
  latency_p50_ms: latency(50),
  latency_p95_ms: latency(95),
  dispositions: z
    .array(
      z.object({
        disposition: z.string().meta({ description: 'Disposition.' }),
        calls: z.int().meta({ description: 'Number of calls with the disposition.' }),
      }),
    )
    .meta({
      description:
        'The five most frequent dispositions, then `Other`. Calls without a disposition are not counted.',
    }),
};

/** An addition to the published interface (contract 15.2). */
export const CallReport = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    timezone: z.string(),
    group_by: z.enum(reportGroupings),
    total: z.object(figures),
    groups: z.array(z.object({ key: z.string(), name: z.string().nullable(), ...figures })),
    left_out_groups: z.int(),
  })
  .meta({ id: 'CallReport', description: 'Figures for the calls of some days, as a whole and by group.' });
export type CallReport = z.infer<typeof CallReport>;
export type CallReportFigures = CallReport['total'];

export const getCallReport = route({
  method: 'get',
  path: '/organizations/reports/calls',
  id: 'getCallReport',
  tag: 'Usage',
  auth: 'key',
  scope: 'read',
  summary: 'Get a report on several days',
  description: `Covers calls created from the beginning of the first day to the end of the last one, at most ${maxReportDays} days. Groups by day are in order and complete; all others begin with the most calls.`,
  query: record({
    from: text({ pattern: day }).meta({ description: 'The first day, for example `2026-11-01`.' }),
    to: text({ pattern: day }).meta({ description: 'The last day, for example `2026-11-30`.' }),
    timezone: zoneName().meta({ description: 'IANA name of the time zone of the days.' }),
    group_by: literal(...reportGroupings)
      .optional()
      .meta({ description: 'What the calls are grouped by.', override: { default: 'day' } }),
    workflow_id: integer().optional().meta({ description: 'Only calls of this agent.' }),
    campaign_id: integer().optional().meta({ description: 'Only calls of this campaign.' }),
    filters: callFilterText,
  }),
  answers: { 200: { description: 'The report.', schema: CallReport }, ...filterFaults },
});
