import { z } from 'zod';
import { LiveRun } from './calls.ts';
import { CampaignProgress } from './campaigns.ts';
import { DateTime, ErrorBody, notFound } from './common.ts';
import { Directory } from './directories.ts';
import { record } from './lax/collections.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** Data of `call`. `events` are those from the index `from` on, which replace what the client has from there on. */
export const CallEvent = LiveRun.extend({ from: z.int() });
export type CallEvent = z.infer<typeof CallEvent>;

/** Data of `calls`: the calls that began, changed or ended. */
export const CallsEvent = z.object({
  calls: z.array(
    z.object({
      id: z.int(),
      workflow_id: z.int(),
      campaign_id: z.int().nullable(),
      state: LiveRun.shape.state,
      disposition: z.string().nullable(),
    }),
  ),
});
export type CallsEvent = z.infer<typeof CallsEvent>;

/** Data of `campaign`. `rows` are counts by state. */
export const CampaignEvent = z.object({
  id: z.int(),
  ...CampaignProgress.pick({ state: true, stop_mode: true, wait_reason: true }).shape,
  rows: CampaignProgress.shape.rows.omit({ left_out: true }),
});
export type CampaignEvent = z.infer<typeof CampaignEvent>;

/** Data of `directory`. */
export const DirectoryEvent = Directory.pick({
  id: true,
  state: true,
  import_number: true,
  progress_percentage: true,
});
export type DirectoryEvent = z.infer<typeof DirectoryEvent>;

/** Data of `agent`. Its draft has changed if `updated_at` has. */
export const AgentEvent = z.object({
  id: z.int(),
  last_version_number: z.int(),
  has_draft: z.boolean(),
  updated_at: DateTime,
});
export type AgentEvent = z.infer<typeof AgentEvent>;

/** At most this many topics in a stream. */
export const maxTopics = 100;

const topicPattern = '(org|(call|campaign|directory|agent):[1-9][0-9]{0,15})';

export const streamEvents = route({
  method: 'get',
  path: '/events',
  id: 'streamEvents',
  tag: 'Calls',
  auth: 'key',
  scope: 'read',
  summary: 'Follow calls as they happen',
  description:
    'Streams server-sent events. A stream begins with `ready`, then tells what each topic has come to, and from then on what changes, within about a second. `call` has the data of `getLiveWorkflowRun`, with only the events from the index `from` on. `calls` has `calls`, each with `id`, `workflow_id`, `campaign_id`, `state` and `disposition`: at first those that are live. `campaign` has the state of a campaign and counts of its rows, `directory` how far its file is read, and `agent` which version is its newest. `reset` says that events may be missing; what each topic has come to follows. `end` is the last event of a caller who may no longer read. A comment follows after 15 s without an event. A key or user has at most 5 streams.',
  query: record({
    topics: text({
      min: 1,
      max: 2000,
      pattern: `^${topicPattern}(,${topicPattern}){0,${maxTopics - 1}}$`,
    }).meta({
      description:
        '`org` for the calls of the organization, `call:<id>` for one call with its words, `campaign:<id>`, `directory:<id>` and `agent:<id>`, separated by commas.',
      examples: ['org'],
    }),
  }),
  headers: record({
    'Last-Event-ID': text().optional().meta({
      description:
        'Id of the last event that the client has. The events since then follow, if they are not older than a minute, else `reset`.',
    }),
  }),
  answers: {
    200: { description: 'Events.', mediaType: 'text/event-stream' },
    404: notFound("A topic names something that is not in the caller's organization."),
    429: { description: 'The key or user already has 5 streams.', schema: ErrorBody },
  },
});
