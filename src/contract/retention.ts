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
      description: `Days after the end of a call for which ${what} are kept, 1 to 3650. Absent or null means forever.`,
    });

/** An addition to the published interface. */
export const RetentionPolicyRequest = record({
  transcript_days: days('turns, tools used in them, summaries, events'),
  recording_days: days('recordings'),
  variable_days: days('contexts, annotations, results of tools, bodies of webhooks'),
}).meta({
  id: 'RetentionPolicyRequest',
  description:
    "The whole policy. Absent fields mean forever. Variables must be kept at least as long as transcripts and recordings, because a person's calls are found by them.",
});
export type RetentionPolicyRequest = z.output<typeof RetentionPolicyRequest>;

export const RetentionPolicy = z
  .object({
    transcript_days: z.int().nullable(),
    recording_days: z.int().nullable(),
    variable_days: z.int().nullable(),
    updated_at: DateTime.nullable().meta({
      description: 'When the policy was last changed. Null if none was ever set.',
    }),
    applied_at: DateTime.nullable().meta({
      description: 'When expired data was last removed. Null if never.',
    }),
  })
  .meta({
    id: 'RetentionPolicy',
    description: 'How long the data of calls is kept, in days after their end.',
  });
export type RetentionPolicy = z.infer<typeof RetentionPolicy>;

export const RetentionPreview = z
  .object({
    transcripts: z.int().meta({ description: 'Calls whose transcript would be removed.' }),
    recordings: z.int().meta({ description: 'Calls whose recording would be removed.' }),
    variables: z.int().meta({ description: 'Calls whose values would be removed.' }),
  })
  .meta({ id: 'RetentionPreview', description: 'What a retention policy would remove now.' });
export type RetentionPreview = z.infer<typeof RetentionPreview>;

const tag = 'Organization';
const path = '/organizations/retention';

export const getRetention = route({
  method: 'get',
  path,
  id: 'getRetentionPolicy',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Get the retention policy',
  description: 'Returns how long the data of calls is kept.',
  answers: { 200: { description: 'The policy.', schema: RetentionPolicy } },
});

export const setRetention = route({
  method: 'put',
  path,
  id: 'setRetentionPolicy',
  tag,
  auth: 'key',
  scope: 'admin',
  summary: 'Set the retention policy',
  description:
    'Replaces the whole policy. It is applied once a day to calls that have ended. Removed data cannot be restored.',
  body: RetentionPolicyRequest,
  answers: { 200: { description: 'The new policy.', schema: RetentionPolicy } },
});

export const previewRetention = route({
  method: 'get',
  path: `${path}/preview`,
  id: 'previewRetentionPolicy',
  tag,
  auth: 'key',
  scope: 'read',
  summary: 'Preview a retention policy',
  description: 'Counts the calls that have content older than the policy allows. Changes nothing.',
  query: record({
    transcript_days: days('turns, tools used in them, summaries, events'),
    recording_days: days('recordings'),
    variable_days: days('contexts, annotations, results of tools, bodies of webhooks'),
  }),
  answers: { 200: { description: 'The counts.', schema: RetentionPreview } },
});
