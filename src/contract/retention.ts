import { z } from 'zod';
import { DateTime } from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { route } from './route.ts';

/** Ten years. */
const maxDays = 3650;

const days = (what: string) =>
  integer({ ge: 1, le: maxDays })
    .nullish()
    .meta({
      description: `Days after the end of a call for which ${what} are kept; absent or null: for ever.`,
    });

/** Ours: the interface has no place for it. */
export const RetentionPolicyRequest = record({
  transcript_days: days('turns, tools used in them, summaries, events'),
  recording_days: days('recordings'),
  variable_days: days('contexts, annotations, results of tools, bodies of webhooks'),
}).meta({
  id: 'RetentionPolicyRequest',
  description:
    "The whole policy; what is left out is kept for ever. Variables are kept at least as long as transcripts and recordings: a person's calls are found by them.",
});
export type RetentionPolicyRequest = z.output<typeof RetentionPolicyRequest>;

export const RetentionPolicy = z
  .object({
    transcript_days: z.int().nullable(),
    recording_days: z.int().nullable(),
    variable_days: z.int().nullable(),
    updated_at: DateTime.nullable().meta({ description: 'Null: there was never a policy.' }),
    applied_at: DateTime.nullable().meta({ description: 'When everything past its age was last removed.' }),
  })
  .meta({
    id: 'RetentionPolicy',
    description: 'How long what calls were about is kept, in days after their end; null: for ever.',
  });
export type RetentionPolicy = z.infer<typeof RetentionPolicy>;

const tag = 'Organization';
const path = '/organizations/retention';

export const getRetention = route({
  method: 'get',
  path,
  id: 'getRetentionPolicy',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Read how long data is kept',
  description: "Of the caller's organization.",
  answers: { 200: { description: 'The policy.', schema: RetentionPolicy } },
});

export const setRetention = route({
  method: 'put',
  path,
  id: 'setRetentionPolicy',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Set how long data is kept',
  description: 'Applied once a day, to calls that have ended. What was removed cannot be brought back.',
  body: RetentionPolicyRequest,
  answers: { 200: { description: 'The policy from now on.', schema: RetentionPolicy } },
});
